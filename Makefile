# All tasks for developing Quadrille, by hand or in CI. `make help` lists them.
PREFIX  ?= /usr/local
DESTDIR ?=

SWIFT   := swift
# RELEASE, BINARY
include scripts/release.mk
# One optimised build, in which tests see what is internal, serves the tests and the program that they run.
# `-no-emit-module-separately-wmo` saves a process for each module that is not optimised, which would read all of its
# sources once more (`-disable-cmo`: scripts/release.mk). Debug information would take a tenth of the time.
TESTS   := -c release --scratch-path .build/tests -Xswiftc -enable-testing -Xswiftc -no-emit-module-separately-wmo \
           -Xswiftc -disable-cmo -Xswiftc -gnone
TESTED  := $(CURDIR)/.build/tests/release/quadrille
BUNDLE  := $(CURDIR)/.build/tests/release/quadrillePackageTests.xctest
SOURCES := Sources Tests Package.swift
# FEW: tests of the built program that show that it runs on a system.
FEW     := SpeakerTests decodersAreCountedFromOutside \
           allFourLoopWithoutASeam theGPUCanvasPlaysOnSoftwareOpenGL coloursAreThoseOfTheStandards \
           onlyTheFocusIsHeardAndKeysMoveIt soundIsInStepWithTheFrame \
           eachOf720TileFramesIsTheOneThatIsDue everyPixelIsWhatFFmpegDecodes coloursStayWhatTheyAre theLayoutsThatComeWithItRender
space   := $() $()
QUICK   := --filter '$(subst $(space),|,$(strip $(FEW)))'

.DEFAULT_GOAL := help
.PHONY: help deb fuzz run test test-all test-quick test-unit everywhere build build-tests set-up lint format schema assets manuals install bench bench-peers prove soak asan tsan clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1|/p' Makefile | column -t -s '|'

run: ## set up, build, and play the demo wall (without a display: play ten seconds and write wall.png)
	@scripts/set-up build demo
	$(RELEASE)
	@scripts/demo $(BINARY)

test: ## set up, lint, build, and run every test (WHAT=unit: the unit tests; WHAT=quick: a few of the whole program too)
	@scripts/set-up build test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test-$(or $(WHAT),all)

test-unit: build-tests
	scripts/run-unit-tests $(BUNDLE)

test-quick: build-tests
	scripts/run-unit-tests $(BUNDLE)
	QUADRILLE=$(TESTED) scripts/run-tests $(BUNDLE) $(QUICK)

test-all: build-tests
	scripts/run-every-test $(BUNDLE) $(TESTED)

build-tests:
	$(SWIFT) build $(TESTS) --build-tests $$(scripts/test-flags)

build: ## set up, and build .build/release/quadrille
	@scripts/set-up build
	$(RELEASE)

everywhere: ## build and test on Debian 12, 13 and sid, each in a chroot (WHAT=build: only build; SYSTEMS="trixie sid/swiftlang"; as root)
	@scripts/everywhere $(SYSTEMS)

lint: ## check the format of the Swift code, and the syntax of the scripts
	@scripts/lint $(SOURCES)

format: ## format the Swift code
	@$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

schema: ## write layouts/layout.schema.json, from the declared fields of layouts
	$(RELEASE)
	$(BINARY) --schema > layouts/layout.schema.json

assets: ## make the demo's media again (they are committed)
	@scripts/set-up assets
	@scripts/make-assets assets

manuals: ## make the manual pages in .build/man, from the built program
	@[ -x $(BINARY) ] || $(MAKE) --no-print-directory build
	scripts/make-manuals $(BINARY) .build/man

install: ## install the program, its manual and its completions under PREFIX (/usr/local), below DESTDIR
	@[ -x $(BINARY) ] || $(MAKE) --no-print-directory build
	install -Dm755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/quadrille"
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/quadrille/layouts" layouts/*.json
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/quadrille/assets" $(wildcard assets/*.*)
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/applications" assets/desktop/quadrille.desktop
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/metainfo" assets/desktop/example.quadrille.quadrille.metainfo.xml
	install -Dm644 assets/desktop/quadrille-mime.xml "$(DESTDIR)$(PREFIX)/share/mime/packages/quadrille.xml"
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps" assets/desktop/quadrille.svg
	for icon in assets/desktop/icons/*.png; do \
		size=$$(basename "$$icon" .png) && install -Dm644 "$$icon" \
			"$(DESTDIR)$(PREFIX)/share/icons/hicolor/$${size}x$${size}/apps/quadrille.png" || exit 1; \
	done
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/doc/quadrille" LICENSE CHANGELOG.md doc/*.png
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/doc/quadrille/manual" doc/manual/*.md
	sed -i 's|/usr/local/share/|$(PREFIX)/share/|g' "$(DESTDIR)$(PREFIX)/share/doc/quadrille/manual/"*.md
	scripts/make-manuals $(BINARY) "$(DESTDIR)$(PREFIX)/share/man"
	install -Dm644 assets/completions/quadrille.bash \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/quadrille"
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" assets/completions/_quadrille
	install -Dm644 -t "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d" assets/completions/quadrille.fish
	for unit in user/quadrille.service system/quadrille@.service; do \
		install -d "$(DESTDIR)$(PREFIX)/lib/systemd/$${unit%/*}" && \
		sed 's|@BINDIR@|$(PREFIX)/bin|' "assets/systemd/$${unit#*/}" > "$(DESTDIR)$(PREFIX)/lib/systemd/$$unit" && \
		chmod 644 "$(DESTDIR)$(PREFIX)/lib/systemd/$$unit" || exit 1; \
	done

deb: ## build .build/deb/quadrille_VERSION_ARCHITECTURE.deb, and check it by lintian
	@scripts/set-up build deb
	@scripts/make-deb

soak: ## disturb a wall in every way for MINUTES (10; SEED=n: repeat that run), and look for anything that grows
	@scripts/set-up build test
	$(RELEASE)
	$(SWIFT) build $(TESTS) --product soak
	QUADRILLE=$(CURDIR)/$(BINARY) .build/tests/release/soak $(or $(MINUTES),10) $(SEED)

fuzz: ## test damaged media, layouts, requests, command lines and random walks for MINUTES (10; SEED=n: start with that seed; WALK=walk or walk-program: only those)
	@scripts/set-up build test
	$(RELEASE)
	$(SWIFT) build $(TESTS) --product fuzz
	FUZZ_PARSERS=1 $(SWIFT) build --scratch-path .build/fuzz-parsers --sanitize=fuzzer -Xswiftc -O --product fuzz-parsers
	FUZZ_PARSERS=$(CURDIR)/.build/fuzz-parsers/debug/fuzz-parsers QUADRILLE=$(CURDIR)/$(BINARY) .build/tests/release/fuzz $(WALK) $(or $(MINUTES),10) $(SEED)

prove: ## run the tests' measurements for much longer (100 minutes; WHAT=seams, passes, turns, log, take, sound, "sound keys", ... for one)
	@scripts/set-up build test
	$(RELEASE)
	$(SWIFT) build $(TESTS) --product prove
	QUADRILLE=$(CURDIR)/$(BINARY) .build/tests/release/prove $(WHAT)

bench: ## compare it with mpv, GStreamer and ffmpeg, and write BENCHMARKS.md (ONLY="wall start": print those chapters)
	@scripts/set-up build test
	$(RELEASE)
	$(SWIFT) build $(TESTS) --product bench
	@QUADRILLE=$(CURDIR)/$(BINARY) .build/tests/release/bench $(or $(ONLY),--out BENCHMARKS.md)

bench-peers: ## install those programs, and fetch the benchmark's film (into ~/.cache/quadrille-bench)
	@scripts/bench-peers

asan: ## run the unit tests and some tests of the whole program with the address sanitizer (15 minutes)
	@scripts/set-up build test
	@scripts/sanitized address

tsan: ## the same with the thread sanitizer
	@scripts/set-up build test
	@scripts/sanitized thread

clean: ## remove all built files
	rm -rf .build wall.png
