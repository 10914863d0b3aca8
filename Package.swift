// swift-tools-version:6.0
import PackageDescription

// Targets depend downwards only; ARCHITECTURE.md shows the structure.
let package = Package(
    name: "quadrille",
    targets: [
        .executableTarget(
            name: "quadrille", dependencies: ["Control", "Screen", "Speaker", "Media", "Files", "Threads", "WallCore"]),
        .target(
            name: "Control", dependencies: ["Screen", "Media", "Threads", "WallCore"]),
        .target(
            name: "Screen", dependencies: ["CCEC", "CSDL2", "CAss", "CYUV", "Media", "Threads", "WallCore"]),
        .target(name: "Media", dependencies: ["CConnect", "CFFmpeg", "CYUV", "Files", "Threads", "WallCore"]),
        .target(name: "Speaker", dependencies: ["CPulse", "Threads", "WallCore"]),
        .target(name: "Files", dependencies: ["CZlib", "Threads", "WallCore"]),
        .target(name: "Threads", dependencies: ["CThreads", "WallCore"]),
        .target(name: "WallCore"),
        .target(name: "CConnect"),
        .systemLibrary(name: "CThreads"),
        .systemLibrary(name: "CCEC"),
        .systemLibrary(name: "CFFmpeg"),
        .systemLibrary(name: "CPulse"),
        .systemLibrary(name: "CSDL2"),
        .systemLibrary(name: "CYUV"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CAss"),
        .systemLibrary(name: "CX11", path: "Tests/CX11"),
        .systemLibrary(name: "CLinux", path: "Tests/CLinux"),
        .target(
            name: "TestKit", dependencies: ["CX11", "CLinux", "WallCore"], path: "Tests/TestKit",
            exclude: [
                "Program/decoder-count.c", "Program/dies-with-us.c", "Program/fake-cec.c", "Program/fake-dpms.c",
                "Program/few-threads.c", "Program/heap-in-use.c", "Program/no-sync.c",
                "Program/large-allocations.c",
                "Program/sets-variable.c", "Program/slow-decoder.c", "Program/stuck-thread.c",
                "Program/system-clock.c",
            ]),
        .executableTarget(name: "prove", dependencies: ["TestKit"], path: "Tests/Proof"),
        .executableTarget(name: "fuzz", dependencies: ["TestKit", "WallCore"], path: "Tests/Fuzz"),
        .executableTarget(name: "soak", dependencies: ["TestKit"], path: "Tests/Soak"),
        .executableTarget(name: "bench", dependencies: ["TestKit"], path: "Tests/Bench"),
        .testTarget(name: "TestKitTests", dependencies: ["TestKit"]),
        .testTarget(name: "WallCoreTests", dependencies: ["WallCore"]),
        .testTarget(name: "FilesTests", dependencies: ["Files", "Threads"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "TestKit"]),
        .testTarget(name: "ScreenTests", dependencies: ["Screen", "Control", "Media", "CSDL2", "CYUV", "TestKit"]),
        .testTarget(name: "ControlTests", dependencies: ["Control", "Threads", "WallCore"]),
        .testTarget(name: "SpeakerTests", dependencies: ["Speaker", "Media", "TestKit"]),
        .testTarget(name: "WallTests", dependencies: ["TestKit", "WallCore"]),
        .testTarget(name: "RenderTests", dependencies: ["TestKit"]),
    ]
)

// Targets for libFuzzer, linked with its runtime. `make fuzz` builds them separately.
if Context.environment["FUZZ_PARSERS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz-parsers", dependencies: ["Control", "Files", "Media", "Threads", "WallCore"],
            path: "Tests/FuzzParsers"))
}
