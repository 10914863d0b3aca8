import Base
import CSDL2
import Commands
import Control
import Expectations
import Feeds
import Layout
import Opened
import Testing

@testable import Player
@testable import Screen

@Suite struct TouchTests {
    /// Touch events of SDL, through the reader and the controls to the wall.
    @Test func fingersMoveTheWall() throws {
        var hands = TouchedWall()
        hands.tap(0.75, at: 1000)
        expect(hands.wall.focus?.number, equals: 1)
        hands.tap(0.75, at: 2000)
        expect(hands.clocks, equals: [.paused])
        hands.tap(0.75, at: 3000)
        expect(hands.clocks, equals: [.playing])
        // The first of two taps pauses; the second undoes that and zooms.
        hands.tap(0.25, at: 4000)
        hands.tap(0.25, at: 4100)
        expect(hands.wall.focus?.number == 0 && hands.wall.snapshot(at: .zero).output.zoomed != nil)
        expect(hands.clocks.isEmpty || hands.clocks.last == .playing)
        hands.tap(0.25, at: 5000)
        hands.tap(0.25, at: 5100)
        expect(hands.wall.snapshot(at: .zero).output.zoomed, equals: nil)
        expect(hands.clocks.last, equals: .playing)
        // One finger moves by a quarter of the window: half of the tile, half of the item.
        hands.push(SDL_FINGERDOWN, 0.1, finger: 1, at: 6000)
        hands.push(SDL_FINGERMOTION, 0.15, finger: 1, at: 6050)
        let grabbed = try #require(hands.position) - 0.5
        hands.push(SDL_FINGERMOTION, 0.35, finger: 1, at: 6100)
        expect(hands.clocks.contains(.paused))
        let position = try #require(hands.position)
        expect((2.45...2.55).contains(position - grabbed))
        // A second finger ends the scrub.
        hands.push(SDL_FINGERDOWN, 0.9, finger: 2, at: 6200)
        hands.pass(.seconds(1))
        expect(hands.clocks.last, equals: .playing)
        hands.push(SDL_FINGERUP, 0.9, finger: 2, at: 6300)
        hands.push(SDL_FINGERUP, 0.35, finger: 1, at: 6400)
        expect(hands.commands.isEmpty)
        // Events of a window that is gone are ignored.
        hands.push(SDL_FINGERDOWN, 0.75, finger: 5, at: 7000, of: 99)
        hands.push(SDL_FINGERUP, 0.75, finger: 5, at: 7050, of: 99)
        expect(hands.commands.isEmpty)
    }
}

/// Two still images of five seconds, side by side, on a wall with simulated time.
private struct TouchedWall {
    var reader = EventReader(window: 7, pixelSize: Size(640, 360), wakeType: 40_000)
    var wall: Wall
    var controls = Controls(input: .all)
    var now = Time.seconds(10)
    /// Commands of the last push.
    var commands: [Change] = []
    var clocks: [Event.ClockState] = []
    var position: Double?

    init() {
        var layout = Layout(title: "touch", tiles: [])
        layout.grid.columns = 2
        layout.window.size = Size(640, 360)
        layout.tiles = (0..<2).map { index in
            TileLayout(
                id: "tile\(index)", place: .cell(column: index, row: 0, columns: 1, rows: 1),
                play: [Item(source: "\(index).png")])
        }
        wall = Wall(layout: layout, pipelines: 1)
        wall.update(at: now)
        wall.note(.began, at: now)
        show()
        pass(.milliseconds(600))
    }

    /// Advances the time.
    mutating func pass(_ time: Time) {
        now += time
        wall.update(at: now)
        show()
    }

    private mutating func show() {
        for _ in 0..<3 {
            let effects = wall.finishChange(at: now)
            for order in effects.open {
                let opened = OpenedSource(
                    OpenSourceID(number: order.ticket), OpenedFacts(kind: .still, length: nil),
                    frame: Drawn.i420(64, 36, .gradient))
                wall.note(.opening(.success(opened), ticket: order.ticket), at: now)
            }
            for event in effects.events {
                if case .clock(_, let state, let at, _, _) = event.what {
                    clocks.append(state)
                    position = at.seconds
                }
            }
            _ = wall.advance(at: now)
            wall.note(.presented, at: now)
        }
    }

    mutating func tap(_ x: Float, at milliseconds: UInt32) {
        push(SDL_FINGERDOWN, x, finger: 1, at: milliseconds)
        let (before, at) = (clocks, commands)
        push(SDL_FINGERUP, x, finger: 1, at: milliseconds + 50)
        (clocks, commands) = (before + clocks, at + commands)
    }

    mutating func push(_ type: SDL_EventType, _ x: Float, finger: Int64, at milliseconds: UInt32, of other: UInt32 = 0)
    {
        (commands, clocks) = ([], [])
        var event = SDL_Event()
        event.tfinger.type = type.rawValue
        event.tfinger.fingerId = finger
        event.tfinger.timestamp = milliseconds
        event.tfinger.windowID = other
        (event.tfinger.x, event.tfinger.y) = (x, 0.5)
        if let input = reader.read(event) {
            commands = controls.changes(for: input)
            for command in commands { wall.apply(command, at: now) }
        }
        now += .milliseconds(20)
        wall.update(at: now)
        show()
    }
}
