import Foundation
import TestKit

/// The display, the sound server, the wall, and one function for each kind of disturbance.
///
/// The undisturbed tile has a group of its own and is in every layout. No disturbance names it.
final class SoakStage {
    private var numbers: SeededNumbers
    private let display: Display
    private let films: Films
    private let layouts: SoakLayouts
    private let program: Program
    private let heap: HeapInUse
    private let socket = "/tmp/quadrille-soak-\(getpid())"
    private let window: String
    private var sound: SoundServer?
    private let soundFolder: String
    private var client: ControlClient
    /// Number of disturbances by kind, for the line of a round.
    private var done: [String: Int] = [:]
    private var reasons = DropReasons(tile: SoakLayouts.untouched, rate: Double(Films.rate))
    private var droppedBefore = 0
    private var mark = Metronome.shared.mark()

    private static let size = (width: 640, height: 360)
    private static let restSeconds = 7.0
    private static let watchSeconds = 2.0
    /// In seconds. Longer than the wall keeps unneeded memory, which it checks twice.
    private static let aloneSeconds = 13.0

    struct Failure: Error { let what: String }

    init(seed: UInt64) throws {
        numbers = SeededNumbers(seed)
        display = try Display(width: 1280, height: 720)
        films = try Films()
        layouts = SoakLayouts(films)
        let sound = try SoundServer()
        (self.sound, soundFolder) = (sound, sound.home)
        let path = "\(films.folder)/alone.json", odd = "\(films.folder)/odd.json"
        try JSONSerialization.data(withJSONObject: layouts.alone()).write(to: URL(fileURLWithPath: path))
        try JSONSerialization.data(withJSONObject: layouts.rest(["c.mkv", "b.webm"]))
            .write(to: URL(fileURLWithPath: odd))
        heap = try HeapInUse()
        program = try Program(
            [
                "--size", "\(Self.size.width)x\(Self.size.height)", "--position", "0,0", "--borderless", "--quiet",
                "--ipc", socket, "--trace-max", "32", "--log", "\(films.folder)/log", path,
            ], on: display, sound: sound, heap: heap)
        guard let client = ControlClient(socket) else { throw Failure(what: "no socket: \(program.child.errors)") }
        self.client = client
        let keys = Keys(display)
        var windows: [String] = []
        RealTime.wait(atMost: 10) {
            windows = (try? keys.windows("rest.json")) ?? []
            return !windows.isEmpty
        }
        guard let window = windows.first else { throw Failure(what: "no window: \(program.child.errors)") }
        self.window = window
        try load(layouts.rest(), as: "rest.json")
        try reasons.begin(loadedAt: RealTime.now, in: program)
    }

    var isRunning: Bool { program.child.exitStatus == nil }

    // MARK: disturbances

    private enum Kind: String, CaseIterable {
        case vanish, replace, cut, comeBack, resize, sound, layout, command, crowd
    }

    /// Disturbs the wall for `seconds`. Returns a line with what was done.
    func disturb(for seconds: Double) throws -> String {
        done = [:]
        let end = RealTime.now + seconds
        while RealTime.now < end, isRunning {
            let kind = Kind.allCases.randomElement(using: &numbers)!
            done[kind.rawValue, default: 0] += 1
            reasons.note(kind.rawValue)
            try disturb(kind)
            RealTime.pass(.random(in: 0.02...0.6, using: &numbers))
        }
        return done.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", ")
    }

    private func disturb(_ kind: Kind) throws {
        let name = films.names.randomElement(using: &numbers)!
        switch kind {
        case .vanish: films.vanish(name)
        case .replace: try films.replace(name, &numbers)
        case .cut: films.cut(name, &numbers)
        case .comeBack: try films.restore(name)
        case .resize:
            let width = Int.random(in: 64...1280, using: &numbers)
            try Keys(display).resize(window, width, .random(in: 36...720, using: &numbers))
        case .sound:
            // A sound server takes long to start, so this is done one time in four.
            guard Int.random(in: 0..<4, using: &numbers) == 0 else { return }
            if let sound {
                try sound.die()
                self.sound = nil
            } else {
                sound = try SoundServer(in: soundFolder)
            }
        case .layout: try load(layouts.any(&numbers), as: "other.json")
        case .command: for _ in 0..<10 { command() }
        case .crowd: crowd()
        }
    }

    /// Writes a layout as an editor does, and loads it.
    private func load(_ layout: [String: Any], as name: String) throws {
        let path = "\(films.folder)/\(name)"
        try JSONSerialization.data(withJSONObject: layout).write(to: URL(fileURLWithPath: path), options: .atomic)
        guard client.error("layout-load", path) == "success" || !isRunning else {
            throw Failure(what: "the layout was not taken: \(program.child.errors)")
        }
    }

    /// Sends a command for any tile but the undisturbed one. The tile may not exist, and the answer is ignored.
    private func command() {
        let tile = "t\(Int.random(in: 1...7, using: &numbers))"
        let time = Double.random(in: -1...4, using: &numbers)
        let commands: [[Any]] = [
            ["tile", tile, "seek", time, "absolute"], ["tile", tile, "alone", "seek", time],
            ["tile", tile, "frame-step"],
            ["tile", tile, "frame-back-step"], ["tile", tile, "playlist-next"],
            ["tile", tile, "alone", "cycle", "pause"],
            ["set_property", "groups/main/speed", [0.25, 1, 4].randomElement(using: &numbers)!],
            ["set_property", "groups/main/pause", Bool.random(using: &numbers)], ["nudge", tile, time / 10],
            ["focus", tile], ["tile", tile, "cycle", "mute"], ["set_property", "volume", 50 + 10 * time],
            ["tile", tile, "loadfile", films.source(&numbers)], ["show-text", "soak", 300], ["get_property", "wall"],
            ["screenshot-to-file", "\(films.folder)/shot.png"],
            ["layout-save", "\(films.folder)/saved.json"], ["tile", tile, "keypress", "Home"],
        ]
        // The second press removes what the first one showed over the wall.
        let key = ["i", "h", "z"].randomElement(using: &numbers)!
        for _ in 0..<2 { client.ask("keypress", key) }
        let command = commands.randomElement(using: &numbers)!
        reasons.note("\(key), \(command.map { "\($0)" }.joined(separator: " "))")
        client.answer(command)
    }

    /// Fifty clients that connect, observe a property and disconnect: some at once, some without having read.
    private func crowd() {
        let clients = (0..<50).compactMap { _ in ControlClient(socket, within: 2) }
        for (place, client) in clients.enumerated() {
            client.error("observe_property", 1, ["time-pos", "wall", "tiles"][place % 3])
        }
        RealTime.pass(.random(in: 0...0.3, using: &numbers))
    }

    // MARK: rest

    /// Undoes all disturbances, waits, watches the undisturbed tile, and takes a sample. After some rounds also takes
    /// one of the wall with that tile alone.
    func rest(since began: Double, isAlone: Bool) throws -> SoakSample {
        if isRunning { try putBack() }
        RealTime.pass(Self.restSeconds)
        if let status = program.child.exitStatus {
            throw Failure(what: "the wall has ended with \(status): \(program.child.errors)")
        }
        let camera = try Camera(display, [Tile(Area(0, 0, Self.size.width / 2, Self.size.height / 2))], rate: 100)
        let memory = memoryWhileWatching()
        let film = camera.stop()
        let seen = Succession(film.runs(of: 0), looping: Films.clip, Films.frames, blink: Sight.blink)
        let wrong = wrong(in: seen, Metronome.shared.stall(since: mark))
        let dropped = (client.get("tiles/\(SoakLayouts.untouched)/missed") as? NSNumber)?.intValue
        guard let dropped else { throw Failure(what: "the wall does not answer") }
        var sample = SoakSample(
            second: RealTime.now - began, memory: memory, displayMemory: Program.memory(of: display.process),
            threads: Self.count("/proc/\(program.child.pid)/task"), files: Self.count("/proc/\(program.child.pid)/fd"),
            dropped: dropped - droppedBefore, excused: reasons.excused(of: dropped - droppedBefore, in: program),
            seen: wrong)
        droppedBefore = dropped
        if isAlone { sample.alone = try lookAlone() }
        mark = Metronome.shared.mark()
        return sample
    }

    /// Median of the readings over the watch: a single one depends on the decoders' buffers at that time.
    private func memoryWhileWatching() -> Int {
        let end = RealTime.now + Self.watchSeconds
        var readings: [Int] = []
        while RealTime.now < end {
            readings.append(program.memory)
            RealTime.pass(0.1)
        }
        return readings.sorted()[readings.count / 2]
    }

    /// Takes a sample without other tiles: their memory varies by more than a leak adds in an hour.
    private func lookAlone() throws -> SoakSample.Alone {
        try load(layouts.alone(), as: "alone.json")
        RealTime.pass(Self.aloneSeconds)
        let look = SoakSample.Alone(memory: memoryWhileWatching(), heap: heap.bytes)
        try load(layouts.rest(), as: "rest.json")
        return look
    }

    private func putBack() throws {
        for name in films.names { try films.restore(name) }
        if sound == nil { sound = try SoundServer(in: soundFolder) }
        try load(layouts.rest(), as: "rest.json")
        client = try ControlClient(socket) ?? { throw Failure(what: "the socket takes nobody") }()
        for (name, value) in [("groups/main/speed", 1.0), ("volume", 100)] { client.ask("set_property", name, value) }
        client.ask("set_property", "groups/main/pause", false)
        for tile in ["t1", "t2", "t3"] { client.ask("tile", tile, "keypress", "Home") }
        client.ask("focus", "t1")
        try Keys(display).resize(window, Self.size.width, Self.size.height)
    }

    private func wrong(in seen: Succession, _ stall: Metronome.Stall) -> [String] {
        var wrong: [String] = []
        if !seen.missing.isEmpty, !stall.isLong { wrong.append("left out \(seen.missing)") }
        if !seen.backward.isEmpty { wrong.append("went back to \(seen.backward)") }
        if seen.black + seen.unreadable > 0 { wrong.append("\(seen.black) times black, \(seen.unreadable) unreadable") }
        if seen.steps < Int(Self.watchSeconds * 15) { wrong.append("\(seen.steps) frames") }
        return wrong
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    // MARK: the end

    /// Keeps the end of the trace, to find the reason of a failure.
    func keepTrace(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try program.trace.text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Ends the wall. Returns what went wrong, or nil.
    func end() -> String? {
        client.ask("quit", 0)
        guard let status = program.child.wait(atMost: 5) else { return "the wall does not end" }
        let trace = program.trace
        let wrong = trace.events("trouble", tile: SoakLayouts.untouched).count
        if status != 0 { return "the wall ended with \(status): \(program.child.errors.suffix(2000))" }
        if wrong > 0 { return "\(wrong) troubles of the untouched tile" }
        return trace.events("end").count == 1 ? nil : "no end line"
    }
}
