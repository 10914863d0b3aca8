// swift-tools-version:6.0
import PackageDescription

// Targets depend downwards only; ARCHITECTURE.md shows the structure.

// Tests and tools are not optimised, in an optimised build. What they make or measure at length stands in TestKit and
// SimulatedWall, which are.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

let package = Package(
    name: "quadrille",
    targets: [
        .executableTarget(
            name: "quadrille",
            dependencies: [
                "Analysis", "Base", "Commands", "Console", "Control", "Desktop", "Engine", "Feeds", "Files", "Layout",
                "Measurement",
                "Media",
                "Player", "Policy", "Protocols", "Scene", "Screen", "Socket", "Speaker", "Threads", "Tools",
            ]),
        .target(
            name: "Tools",
            dependencies: [
                "Analysis", "Base", "Commands", "Console", "Control", "Engine", "Feeds", "Files", "Layout", "Lyrics",
                "Measurement", "Media",
                "Player", "Scene", "Screen", "Socket", "Speaker", "Threads",
            ]),
        .target(
            name: "Console",
            dependencies: [
                "Base", "Engine", "Feeds", "Files", "Layout", "Lyrics", "Media", "Player", "Policy", "Scene", "Screen",
                "Threads",
            ]),
        .target(
            name: "Control",
            dependencies: ["Base", "Commands", "Engine", "Feeds", "Layout", "Player", "Threads"]),
        .target(name: "Socket", dependencies: ["Base", "Commands", "Protocols", "Threads"]),
        .target(name: "Desktop", dependencies: ["CSystemd", "Base", "Commands", "Protocols", "Threads"]),
        .target(name: "Protocols", dependencies: ["Base", "Commands", "Threads"]),
        .target(
            name: "Engine",
            dependencies: ["Base", "Commands", "Feeds", "Layout", "Media", "Player", "Scene", "Threads"]),
        .target(
            name: "Screen",
            dependencies: [
                "CAss", "CCEC", "CNativeWindow", "CSDL2", "CWayland", "CX11", "CYUV", "Base", "Commands", "Layout",
                "Lyrics", "Media",
                "Scene", "Threads",
            ]),
        .target(name: "Speaker", dependencies: ["CPulse", "Base", "Scene", "Threads"]),
        .target(
            name: "Media",
            dependencies: [
                "CColours", "CConnect", "CFFmpeg", "CXCB", "CYUV", "Base", "Files", "Lyrics", "Measurement", "Scene",
                "Threads",
            ]),
        .target(name: "Policy", dependencies: ["Base", "Commands", "Feeds", "Layout"]),
        .target(
            name: "Player", dependencies: ["Base", "Commands", "Feeds", "Layout", "Lyrics", "Measurement", "Scene"]),
        .target(name: "Feeds", dependencies: ["Base", "Commands", "Layout", "Measurement", "Scene"]),
        .target(name: "Analysis", dependencies: ["Base", "Layout", "Scene"]),
        .target(name: "Layout", dependencies: ["Base", "Commands", "Lyrics"]),
        .target(name: "Scene", dependencies: ["Base", "Lyrics"]),
        .target(name: "Files", dependencies: ["CZlib", "Base", "Lyrics", "Threads"]),
        .target(name: "Measurement", dependencies: ["Base"]),
        .target(name: "Commands", dependencies: ["Base"]),
        .target(name: "Lyrics", dependencies: ["Base"]),
        .target(name: "Threads", dependencies: ["CThreads", "Base"]),
        .target(name: "Base"),
        .target(name: "CColours"),
        .target(name: "CConnect"),
        .target(name: "CNativeWindow"),
        .systemLibrary(name: "CThreads"),
        .systemLibrary(name: "CCEC"),
        .systemLibrary(name: "CFFmpeg"),
        .systemLibrary(name: "CPulse"),
        .systemLibrary(name: "CSDL2"),
        .systemLibrary(name: "CSystemd"),
        .systemLibrary(name: "CWayland"),
        .systemLibrary(name: "CX11"),
        .systemLibrary(name: "CXCB"),
        .systemLibrary(name: "CYUV"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CAss"),
        .systemLibrary(name: "CLinux", path: "Tests/CLinux"),
        .target(
            name: "TestKit", dependencies: ["CX11", "CLinux", "Base", "Scene"], path: "Tests/TestKit",
            exclude: [
                "Program/decoder-count.c", "Program/dies-with-us.c", "Program/fake-cec.c", "Program/fake-dpms.c",
                "Program/few-threads.c", "Program/heap-in-use.c", "Program/no-sync.c",
                "Program/large-allocations.c",
                "Program/sets-variable.c", "Program/slow-decoder.c", "Program/stuck-thread.c",
                "Program/system-clock.c",
            ]),
        .target(name: "Expectations", path: "Tests/Expectations"),
        .target(
            name: "SimulatedWall",
            dependencies: ["Base", "Commands", "Feeds", "Layout", "Lyrics", "Measurement", "Player", "Scene"],
            path: "Tests/SimulatedWall"),
        .executableTarget(name: "prove", dependencies: ["TestKit"], path: "Tests/Proof", swiftSettings: unoptimised),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "SimulatedWall", "TestKit", "Analysis", "Base", "Commands", "Layout", "Lyrics", "Measurement", "Player",
                "Scene",
            ], path: "Tests/Fuzz", swiftSettings: unoptimised),
        .executableTarget(name: "soak", dependencies: ["TestKit"], path: "Tests/Soak", swiftSettings: unoptimised),
        .executableTarget(name: "bench", dependencies: ["TestKit"], path: "Tests/Bench", swiftSettings: unoptimised),
        .testTarget(name: "TestKitTests", dependencies: ["Expectations", "TestKit"], swiftSettings: unoptimised),
        .testTarget(
            name: "CoreTests",
            dependencies: [
                "Expectations",
                "Analysis", "Base", "Commands", "Feeds", "Layout", "Lyrics", "Measurement", "Player", "Policy", "Scene",
                "SimulatedWall",
            ], swiftSettings: unoptimised),
        .testTarget(
            name: "FilesTests", dependencies: ["Expectations", "Base", "Files", "TestKit", "Threads"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "CColours", "Expectations",
                "Base", "Engine", "Feeds", "Files", "Layout", "Lyrics", "Measurement", "Media", "Player", "Scene",
                "TestKit",
                "Threads",
            ], swiftSettings: unoptimised),
        .testTarget(
            name: "ScreenTests",
            dependencies: [
                "Expectations",
                "Base", "Commands", "Control", "Engine", "Feeds", "Layout", "Lyrics", "Media", "Player", "Scene",
                "Screen",
                "CSDL2", "CYUV", "TestKit", "Threads",
            ], swiftSettings: unoptimised),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "CSystemd", "Expectations", "Base", "Commands", "Desktop", "Protocols", "Socket", "TestKit", "Threads",
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "SpeakerTests", dependencies: ["Expectations", "Base", "Media", "Scene", "Speaker", "TestKit"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["Expectations", "Base", "Commands", "Console", "Layout", "Tools", "quadrille"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "WallTests",
            dependencies: ["Expectations", "Base", "Layout", "Lyrics", "Player", "Scene", "TestKit"],
            swiftSettings: unoptimised),
        .testTarget(name: "RenderTests", dependencies: ["Expectations", "TestKit"], swiftSettings: unoptimised),
        .testTarget(
            name: "HeadlessTests",
            dependencies: [
                "Expectations", "Base", "Commands", "Feeds", "Layout", "Media", "Player", "Scene", "Screen", "TestKit",
                "Tools",
            ],
            swiftSettings: unoptimised),
    ]
)

// Targets for libFuzzer, linked with its runtime. `make fuzz` builds them separately.
if Context.environment["FUZZ_PARSERS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz-parsers",
            dependencies: [
                "Control", "Files", "Media", "Socket", "Threads", "Analysis", "Base", "Commands", "Layout", "Lyrics",
                "Measurement", "Player", "Protocols", "Scene", "SimulatedWall",
            ],
            path: "Tests/FuzzParsers"))
}
