# The build of the released program, for the Makefile and debian/rules alike: `make deb` packages what `make build` built.
#
# Debug information would take a tenth of the time. `-no-emit-module-separately-wmo` saves a process for each module,
# which would read and check all of its sources once more before the one that compiles them. Without that process the
# compiler optimises across modules by default, on which Swift 6.3.1 fails: `-disable-cmo`.
# The path of the checkout must not be in the program: two builds are equal, wherever they are made.
# GNU's linker leaves the protection of relocations out: the objects of Debian's compiler have writable metadata, which
# that linker puts between those that are protected.
RELEASE := swift build -c release --static-swift-stdlib --product quadrille -Xswiftc -gnone \
           -Xswiftc -no-emit-module-separately-wmo -Xswiftc -disable-cmo \
           -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=/usr/src/quadrille \
           -Xcc -ffile-prefix-map=$(CURDIR)=/usr/src/quadrille \
           -Xswiftc -use-ld=lld -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --build-id=sha1
BINARY  := .build/release/quadrille
