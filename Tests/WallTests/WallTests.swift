import Foundation
import TestKit
import Testing

/// The program on a real X display, seen and heard from outside. Walls run side by side, each on a display of its own.
/// Walls that are tagged `large` run one at a time.
@Suite(.patient) struct WallTests {}

/// A private display of the wall's size, and a program on it that shows a layout.
struct Stage {
    let display: Display
    let size: (width: Int, height: Int)
    var whole: Area { Area(0, 0, size.width, size.height) }

    init(_ width: Int = 640, _ height: Int = 360) throws {
        size = (width, height)
        display = try Display(width: width, height: height)
    }

    /// Plays media or a layout's path in a borderless window over the whole display.
    func play(
        _ arguments: [String], sound: SoundServer? = nil, counting: Program.Counting = .nothing,
        slowed: SlowDecoder? = nil, clock: SystemClock? = nil, service: ServiceManager? = nil,
        stuck: StuckThread? = nil,
        cec: FakeCEC? = nil, dpms: FakeDPMS? = nil, heap: HeapInUse? = nil, bus: MessageBus? = nil,
        environment: [String: String?] = [:]
    ) throws -> Program {
        let window = ["--size", "\(size.width)x\(size.height)", "--position", "0,0", "--borderless"]
        return try Program(
            window + arguments, on: display, sound: sound, counting: counting, slowed: slowed, clock: clock,
            service: service, stuck: stuck, cec: cec, dpms: dpms, heap: heap, bus: bus, environment: environment)
    }

    /// Plays a layout. Each of `tiles` is an object of its JSON.
    func play(
        tiles: [[String: Any]], _ rest: [String: Any] = [:], options: [String] = [], sound: SoundServer? = nil,
        counting: Program.Counting = .nothing, service: ServiceManager? = nil, bus: MessageBus? = nil
    ) throws -> Program {
        try play(
            options + [try Stage.layout(tiles: tiles, rest)], sound: sound, counting: counting, service: service,
            bus: bus)
    }

    static func layout(tiles: [[String: Any]], _ rest: [String: Any] = [:]) throws -> String {
        let object = rest.merging(["tiles": tiles]) { $1 }
        let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        return try Scratch.file("layout.json", String(decoding: data, as: UTF8.self))
    }

    func camera(_ tiles: Tile...) throws -> Camera { try Camera(display, tiles) }

    /// The four cells of a two by two wall.
    var quadrants: [Tile] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { Tile(whole.cell($0.0, $0.1, of: 2, by: 2)) }
    }
}

/// Returns a small clip, for walls of many tiles.
func clip(_ id: Int, frames: Int = 60, _ change: (inout Witness) -> Void = { _ in }) -> Witness {
    var witness = Witness(id)
    (witness.width, witness.height, witness.frames) = (640, 360, frames)
    change(&witness)
    return witness
}

let blink = Sight.blink
