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
                "CSystemd", "Analysis", "Base", "Commands", "Console", "Control", "Desktop", "Engine",
                "Feeds", "Files", "Heard", "Layout", "Measurement", "Media", "Player", "Policy", "Protocols", "Scene",
                "Screen", "Socket", "Speaker", "Threads", "Tools",
            ]),
        .target(
            name: "Tools",
            dependencies: [
                "Analysis", "Base", "Commands", "Console", "Control", "Engine", "Feeds", "Files", "Heard", "Layout",
                "Lyrics", "Measurement", "Media", "Opened", "Player", "Scene", "Screen", "Socket", "Speaker", "Threads",
            ]),
        .target(
            name: "Console",
            dependencies: [
                "Base", "Engine", "Feeds", "Files", "Layout", "Lyrics", "Media", "Opened", "Policy", "Screen",
                "Threads",
            ]),
        .target(
            name: "Control",
            dependencies: ["Base", "Commands", "Engine", "Feeds", "Layout", "Player", "Threads"]),
        .target(name: "Socket", dependencies: ["Base", "Commands", "Files", "Protocols", "Threads"]),
        .target(name: "Desktop", dependencies: ["CSystemd", "Base", "Commands", "Files", "Protocols", "Threads"]),
        .target(name: "Protocols", dependencies: ["Base", "Commands", "Threads"]),
        .target(
            name: "Engine",
            dependencies: ["Base", "Commands", "Decoded", "Feeds", "Layout", "Media", "Opened", "Player", "Threads"]),
        .target(
            name: "Screen",
            dependencies: [
                "CAss", "CCEC", "CNativeWindow", "CSDL2", "CWayland", "CX11", "CYUV", "Base", "Commands", "Decoded",
                "Files", "Heard", "Layout", "Lyrics", "Media", "Scene", "Threads",
            ]),
        .target(name: "Speaker", dependencies: ["CPulse", "Base", "Heard", "Threads"]),
        .target(
            name: "Media",
            dependencies: [
                "CColours", "CConnect", "CFFmpeg", "CXCB", "CYUV", "Base", "Decoded", "Files", "Heard", "Lyrics",
                "Measurement", "Opened", "Threads",
            ]),
        .target(name: "Policy", dependencies: ["Base", "Commands", "Feeds", "Layout"]),
        .target(
            name: "Player",
            dependencies: [
                "Base", "Commands", "Decoded", "Feeds", "Heard", "Layout", "Lyrics", "Measurement", "Opened", "Scene",
            ]),
        .target(
            name: "Feeds",
            dependencies: ["Base", "Commands", "Decoded", "Heard", "Layout", "Measurement", "Opened", "Scene"]),
        .target(name: "Analysis", dependencies: ["Base", "Decoded", "Layout", "Opened"]),
        .target(name: "Layout", dependencies: ["Base", "Commands", "Lyrics"]),
        .target(name: "Scene", dependencies: ["Base", "Decoded", "Heard", "Lyrics"]),
        .target(name: "Opened", dependencies: ["Base"]),
        .target(name: "Heard", dependencies: ["Base"]),
        .target(name: "Decoded", dependencies: ["Base"]),
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
            name: "TestKit", dependencies: ["CX11", "CLinux", "Base"], path: "Tests/TestKit",
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
            dependencies: [
                "Base", "Commands", "Decoded", "Feeds", "Heard", "Layout", "Lyrics", "Measurement", "Opened", "Player",
                "Scene",
            ],
            path: "Tests/SimulatedWall"),
        .executableTarget(name: "prove", dependencies: ["TestKit"], path: "Tests/Proof", swiftSettings: unoptimised),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Analysis", "Base", "Commands", "Layout", "Lyrics", "Measurement", "Player", "SimulatedWall", "TestKit",
            ], path: "Tests/Fuzz", swiftSettings: unoptimised),
        .executableTarget(name: "soak", dependencies: ["TestKit"], path: "Tests/Soak", swiftSettings: unoptimised),
        .executableTarget(name: "bench", dependencies: ["TestKit"], path: "Tests/Bench", swiftSettings: unoptimised),
        .testTarget(name: "TestKitTests", dependencies: ["Expectations", "TestKit"], swiftSettings: unoptimised),
        .testTarget(
            name: "CoreTests",
            dependencies: [
                "Analysis", "Base", "Commands", "Decoded", "Expectations", "Feeds", "Heard", "Layout", "Lyrics",
                "Measurement", "Opened", "Player", "Policy", "Scene", "SimulatedWall",
            ], swiftSettings: unoptimised),
        .testTarget(
            name: "FilesTests", dependencies: ["Expectations", "Base", "Files", "TestKit", "Threads"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "CColours", "Base", "Decoded", "Engine", "Expectations", "Feeds", "Files", "Heard", "Layout", "Lyrics",
                "Measurement", "Media", "Opened", "Player", "TestKit", "Threads",
            ], swiftSettings: unoptimised),
        .testTarget(
            name: "ScreenTests",
            dependencies: [
                "CSDL2", "CYUV", "Base", "Commands", "Control", "Decoded", "Engine", "Expectations", "Feeds", "Layout",
                "Lyrics", "Media", "Opened", "Player", "Scene", "Screen", "TestKit", "Threads",
            ], swiftSettings: unoptimised),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "CSystemd", "Expectations", "Base", "Commands", "Desktop", "Protocols", "Socket", "TestKit", "Threads",
            ],
            swiftSettings: unoptimised),
        .testTarget(
            name: "SpeakerTests", dependencies: ["Base", "Expectations", "Heard", "Media", "Speaker", "TestKit"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["Expectations", "Base", "Commands", "Console", "Layout", "Tools", "quadrille"],
            swiftSettings: unoptimised),
        .testTarget(
            name: "WallTests",
            dependencies: ["Base", "Expectations", "Layout", "Lyrics", "Player", "TestKit"],
            swiftSettings: unoptimised),
        .testTarget(name: "RenderTests", dependencies: ["Expectations", "TestKit"], swiftSettings: unoptimised),
        .testTarget(
            name: "HeadlessTests",
            dependencies: [
                "Base", "Commands", "Expectations", "Feeds", "Layout", "Media", "Player", "Scene", "Screen", "TestKit",
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
                "Analysis", "Base", "Commands", "Control", "Files", "Layout", "Lyrics", "Measurement", "Media",
                "Player", "Protocols", "SimulatedWall", "Socket", "Threads",
            ],
            path: "Tests/FuzzParsers"))
}
