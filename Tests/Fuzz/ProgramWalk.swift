import Foundation
import TestKit

@testable import Base
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// The random walk on the built program: layouts saved over each other, commands, keys and a pointer, several a second.
/// The program must end when it is asked to, with status 0. Anything else is a failure, and the walk is shrunk.
enum ProgramWalk {
    static let actionsPerWalk = 120
    private static let size = (width: 480, height: 270)
    private static let latestEnd = 20.0
    private static let mostMemory = 1500 << 20
    /// Limits shrinking, which plays a walk again and again.
    private static let mostReplays = 40

    /// Media of a second or two, under the names that the actions use. "gone" does not exist, "broken" is no film,
    /// "never" is a FIFO.
    final class Media {
        let folder: String
        let sources: [String]

        init() throws {
            folder = try Scratch.newFolder("walk")
            let frame = ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=25:d=2"], sound = ["-f", "lavfi", "-i", "sine=d=2"]
            let fast = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-pix_fmt", "yuv420p"]
            let recipes: [(String, [String])] = [
                ("film.mp4", frame + sound + fast + ["-c:a", "aac"]), ("long.mkv", frame + fast),
                ("short.mp4", frame + fast + ["-t", "0.3"]), ("one.mp4", frame + fast + ["-frames:v", "1"]),
                ("still.png", frame + ["-frames:v", "1"]), ("dot.png", frame + ["-frames:v", "1", "-s", "2x2"]),
                ("sound.ogg", sound + ["-c:a", "libvorbis"]), ("unknown.ts", frame + fast),
            ]
            for (name, options) in recipes {
                try TestKit.run(["ffmpeg", "-nostdin", "-v", "error", "-y"] + options + ["\(folder)/\(name)"])
            }
            let film = FileManager.default.contents(atPath: "\(folder)/film.mp4") ?? Data()
            try film.prefix(film.count * 2 / 3).write(to: URL(fileURLWithPath: "\(folder)/cut.mp4"))
            try Data("no film".utf8).write(to: URL(fileURLWithPath: "\(folder)/broken.mp4"))
            sources =
                recipes.map(\.0) + [
                    "cut.mp4", "broken.mp4", "gone.mp4", "udp://127.0.0.1:\(try FreePort.udp())",
                    "http://127.0.0.1:9/never.mp4",
                ]
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    struct Totals {
        var walks = 0
        var layouts = 0
        var requests = 0
        var seconds = 0.0
    }

    static func run(from first: UInt64, minutes: Double) throws -> Totals {
        let media = try Media(), display = try Display(width: 640, height: 360)
        let programProperties = try propertiesOfProgram(media, display)
        let end = RealTime.now + minutes * 60
        var (seed, totals) = (first, Totals())
        while RealTime.now < end {
            let actions = Walk.actions(
                actionsPerWalk, schema: Walk.schema, sources: media.sources, programProperties: programProperties,
                seed: seed)
            if let reason = try play(actions, media, display, &totals) {
                throw try failure(of: actions, seed, reason, media, display)
            }
            totals.walks += 1
            seed += 1
        }
        return totals
    }

    /// Returns the names of the properties that a program has and a wall alone does not have.
    private static func propertiesOfProgram(_ media: Media, _ display: Display) throws -> [String] {
        let socket = Scratch.path("walk.socket")
        let program = try Program(["--quiet", "--ipc", socket, "\(media.folder)/film.mp4"], on: display)
        guard let client = ControlClient(socket),
            let names = client.answer(["get_property", "property-list"])["data"] as? [String]
        else { throw Fuzz.Failure(what: "no property-list: \(program.child.errors.suffix(2000))") }
        client.answer(["quit"])
        _ = program.child.wait(atMost: latestEnd)
        return names.filter { !Wall.properties.names.contains($0) }
    }

    private static func failure(
        of actions: [WalkAction], _ seed: UInt64, _ reason: String, _ media: Media, _ display: Display
    ) throws -> Fuzz.Failure {
        var replays = 0
        let short = try WalkShrinking.shortened(actions) { actions in
            replays += 1
            var totals = Totals()
            return try replays <= mostReplays && play(actions, media, display, &totals) != nil
        }
        let path = Scratch.path("walk-of-program-\(seed).txt")
        try Data(Walk.text(of: actions).utf8).write(to: URL(fileURLWithPath: path))
        return Fuzz.Failure(
            what:
                "walk \(seed) of the program: \(reason)\nshortened to \(short.count) actions:\n\(Walk.text(of: short))",
            files: [path])
    }

    /// Describes the failure; nil if the program ended well.
    private static func play(
        _ actions: [WalkAction], _ media: Media, _ display: Display, _ totals: inout Totals
    ) throws -> String? {
        let path = "\(media.folder)/wall.json", socket = Scratch.path("walk.socket")
        var actions = actions[...]
        // The first layout that a program accepts is the one that it starts with.
        while let action = actions.first {
            guard case .layout(let layout) = action else { return nil }
            try write(layout, path)
            guard case .mistakes = LayoutReader.read(JSONWriter.bytes(of: layout), path: path) else { break }
            actions = actions.dropFirst()
            guard let next = actions.firstIndex(where: { if case .layout = $0 { true } else { false } }) else {
                return nil
            }
            actions = actions[next...]
        }
        let began = RealTime.now
        // Layouts and frames that the program saves under relative names go into a folder of their own.
        let program = try Program(
            ["--size", "\(size.width)x\(size.height)", "--quiet", "--wait", "--ipc", socket, path], on: display,
            folder: try Scratch.newFolder("saved"))
        guard let client = ControlClient(socket) else { return "no socket: \(program.child.errors.suffix(2000))" }
        let fingers = try Fingers(display)
        for action in actions.dropFirst() where program.child.exitStatus == nil {
            switch action {
            case .layout(let layout):
                try write(layout, path)
                totals.layouts += 1
            case .command(let words):
                client.answer(words.map(\.asJSONObject))
                totals.requests += 1
            case .key(let name): client.answer(["keypress", name])
            case .pointer(let kind, let x, let y): point(kind, x, y, fingers)
            case .elapse(let milliseconds): RealTime.pass(Double(min(milliseconds, 400)) / 1000)
            case .shell: RealTime.pass(0.02)
            }
            if program.memory > mostMemory { return "it took \(program.memory >> 20) MiB" }
        }
        client.answer(["quit"])
        guard let status = program.child.wait(atMost: latestEnd) else { return "it does not end" }
        totals.seconds += RealTime.now - began
        return status == 0 ? nil : "it ended with \(status): \(program.child.errors.suffix(4000))"
    }

    private static func write(_ layout: PropertyValue, _ path: String) throws {
        try Data(JSONWriter.bytes(of: layout)).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private static func point(_ kind: WalkAction.Pointer, _ x: Int, _ y: Int, _ fingers: Fingers) {
        _ = fingers.move(to: max(0, x), max(0, y))
        switch kind {
        case .click, .tap: for state in [Fingers.Button.down, .up] { _ = fingers.button(state) }
        case .doubleClick, .doubleTap:
            for state in [Fingers.Button.down, .up, .down, .up] { _ = fingers.button(state) }
        case .began, .upright: _ = fingers.button(.down)
        case .ended: _ = fingers.button(.up)
        case .moved, .wheel: break
        }
    }
}

extension PropertyValue {
    /// The value in types that JSONSerialization accepts.
    fileprivate var asJSONObject: Any {
        switch self {
        case .null: NSNull()
        case .flag(let flag): flag
        case .integer(let integer): integer
        case .number(let number): number.isFinite ? number : 0
        case .text(let text): text
        case .list(let values): values.map(\.asJSONObject)
        case .object(let fields):
            Dictionary(fields.map { ($0.name, $0.value.asJSONObject) }, uniquingKeysWith: { first, _ in first })
        }
    }
}
