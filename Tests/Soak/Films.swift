import Foundation
import TestKit

/// The films of the disturbed tiles, and the disturbances of their files.
struct Films {
    let folder: String
    let names: [String]
    /// Path of the film that always has the same length and is never changed.
    let untouched: String
    private let originals: [String: Data]
    private let server: WebServer

    static let clip = 1
    static let frames = 60
    static let rate = 30

    init() throws {
        folder = try Scratch.newFolder("soak")
        untouched = try Films.small(Films.clip).with { $0.frames = Films.frames }.file()
        let made = [
            "a.mp4": Films.small(2).with { $0.sound = .aac },
            "b.webm": Films.small(3).with { ($0.codec, $0.container, $0.sound) = (.vp9, .webm, .libopus) },
            "c.mkv": Films.small(4).with { ($0.codec, $0.container, $0.bFrames) = (.hevc, .mkv, 2) },
            "d.avi": Films.small(5).with { ($0.codec, $0.container, $0.rate) = (.mpeg4, .avi, Rate(25)) },
            "e.ts": Films.small(6).with { ($0.container, $0.sound) = (.ts, .libmp3lame) },
        ]
        var originals = try made.mapValues { try Data(contentsOf: URL(fileURLWithPath: $0.file())) }
        originals["f.png"] = try Data(contentsOf: URL(fileURLWithPath: Films.small(7).still()))
        self.originals = originals
        names = originals.keys.sorted()
        let film = try made["a.mp4"]!.file()
        server = try WebServer([
            "good": .init(film, .ranges), "drops": .init(film, .dropping(at: 20_000)),
            "stalls": .init(film, .stalling(at: 20_000)), "once": .init(film, .droppingOnce(at: 20_000)),
        ])
        for name in names { try restore(name) }
    }

    private static func small(_ clip: Int) -> Witness {
        Witness(clip).with { ($0.width, $0.height, $0.frames) = (320, 180, 45) }
    }

    /// A source that a tile may play.
    func source(_ numbers: inout SeededNumbers) -> String {
        let urls = ["good", "drops", "stalls", "once"].map { server.address(of: $0) }
        return (names + names + urls + ["missing.mp4"]).randomElement(using: &numbers)!
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Replaces a file by renaming a new one over it, as an editor does.
    private func put(_ bytes: Data, as name: String) throws {
        let new = "\(folder)/.new-\(name)"
        try bytes.write(to: URL(fileURLWithPath: new))
        guard rename(new, path(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func restore(_ name: String) throws { try put(originals[name]!, as: name) }

    func vanish(_ name: String) { unlink(path(name)) }

    /// Replaces a film by another, or by a damaged one.
    func replace(_ name: String, _ numbers: inout SeededNumbers) throws {
        var bytes = originals[names.randomElement(using: &numbers)!]!
        if Bool.random(using: &numbers) {
            for _ in 0..<20 { bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = .random(in: 0...255) }
        }
        try put(bytes, as: name)
    }

    /// Truncates a film in place, while it is read.
    func cut(_ name: String, _ numbers: inout SeededNumbers) {
        truncate(path(name), off_t(Int.random(in: 0..<originals[name]!.count, using: &numbers)))
    }
}
