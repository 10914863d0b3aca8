import Expectations
import Foundation
import TestKit
import Testing

import class Media.FilmMix
import struct Media.FrameRate
import class Screen.TextMaker
import struct TestKit.Tile

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import Scene
@testable import Tools

/// A wall without a display, whose clock steps from one refresh of a display with 60 Hz to the next. Real decoders and
/// the real painter make each step's frame, which is read as a camera would read the screen.
///
/// Used by one thread. `stop` ends the wall. Its reports can still be read then.
final class HeadlessWall {
    private static let rate = FrameRate(60, 1)
    private let wall: SteppedWall
    private let texts = TextMaker {}
    private let target: RenderTarget
    private let recorder = Recorder()
    let whole: Area
    /// Number of steps so far.
    private var steps: Int64 = 0
    private var pipelines: Int

    /// Seconds of the wall's clock since its first frame.
    var now: Double { HeadlessWall.rate.start(of: steps).seconds }

    /// Begins to play. Each of `tiles` is an object of a layout's JSON, and `rest` are the layout's other keys.
    init(
        _ width: Int, _ height: Int, _ tiles: [[String: Any]], _ rest: [String: Any] = [:], pipelines: Int = 4
    ) throws {
        whole = Area(0, 0, width, height)
        self.pipelines = pipelines
        var layout = try HeadlessWall.layout(tiles, rest)
        layout.window.size = Size(width, height)
        target = try #require(RenderTarget(size: layout.window.size, texts: texts))
        wall = try SteppedWall(
            layout: layout, pipelines: pipelines, start: Clock.Start(), texts: texts,
            record: { [recorder] in recorder.add($0) },
            isEndRequested: { false })
        try wall.begin(on: target)
    }

    static func layout(_ tiles: [[String: Any]], _ rest: [String: Any] = [:]) throws -> Layout {
        let data = try JSONSerialization.data(withJSONObject: rest.merging(["tiles": tiles]) { $1 })
        switch LayoutReader.read([UInt8](data), path: "/wall.json") {
        case .layout(let layout): return layout
        case .mistakes(let mistakes): throw WrongLayout(mistakes: "\(mistakes)")
        }
    }

    struct WrongLayout: Error { let mistakes: String }

    /// Plays for `seconds`, at least one step. Returns a film with a shot of each step.
    func play(_ seconds: Double, watching tiles: [Tile]) throws -> TestKit.Film {
        var shots: [Camera.Shot] = []
        let end = now + seconds
        repeat {
            try wall.step(to: SteppedWall.beginning + HeadlessWall.rate.start(of: steps), on: target)
            let base = UnsafeRawPointer(target.raster.base), stride = target.raster.stride
            shots.append(Camera.Shot(time: now, readings: tiles.map { $0.read(base, stride: stride, whole) }))
            steps += 1
        } while now < end
        return Film(shots)
    }

    /// Plays for `seconds`. Returns the wall's sound.
    func hear(_ seconds: Double) throws -> Recording {
        let mix = FilmMix(beginning: SteppedWall.beginning + HeadlessWall.rate.start(of: steps))
        let began = now
        var samples: [Float] = []
        while now < began + seconds {
            _ = try play(0, watching: [])
            let soundScene = wall.change { wall, now in wall.player.snapshot(at: now).soundScene() }
            samples += mix.mix(soundScene, until: SteppedWall.beginning + HeadlessWall.rate.start(of: steps))
        }
        return Recording(interleaved: samples + mix.finish(), began: began)
    }

    /// Plays the whole wall's area as one tile.
    func play(_ seconds: Double) throws -> TestKit.Film { try play(seconds, watching: [Tile(whole)]) }

    func carryOut(_ command: Change) { wall.change { wall, now in wall.apply(command, at: now) } }

    @discardableResult
    func apply(_ tiles: [[String: Any]], _ rest: [String: Any] = [:], pipelines: Int? = nil) throws -> LayoutDiff {
        var layout = try HeadlessWall.layout(tiles, rest)
        layout.window.size = Size(whole.width, whole.height)
        self.pipelines = pipelines ?? self.pipelines
        return wall.apply(layout, pipelines: self.pipelines)
    }

    func id(_ tile: String) throws -> TileID { try #require(wall.change { wall, _ in wall.tile(named: tile) }) }

    /// Reads something of the wall.
    func read<Result>(_ body: (Wall) -> Result) -> Result { wall.change { wall, _ in body(wall) } }

    var events: [Event] { recorder.events }

    /// Largest number of decoders that were open at once.
    var mostDecoders: Int {
        events.lazy.compactMap { if case .lease(_, _, _, let open) = $0.what { open } else { nil } }.max() ?? 0
    }

    private var isStopped = false

    /// Expects every thread to end.
    func stop() {
        isStopped = true
        let missing = wall.stop()
        expect(missing.isEmpty)
        expect(texts.stop(), equals: [])
    }

    /// A test that ends with an error has not stopped its wall.
    deinit { if !isStopped { stop() } }

    /// The wall's events. Any thread may call any method.
    private final class Recorder: @unchecked Sendable {
        private let lock = NSLock()
        private var recorded: [Event] = []
        var events: [Event] { lock.withLock { recorded } }
        func add(_ events: [Event]) { lock.withLock { recorded += events } }
    }
}

/// A small clip.
func clip(_ id: Int, frames: Int = 60, _ change: (inout Witness) -> Void = { _ in }) -> Witness {
    var witness = Witness(id)
    (witness.width, witness.height, witness.frames) = (320, 180, frames)
    change(&witness)
    return witness
}

/// Expects the frames of a playing tile to follow each other without a gap, each shown for its duration, rounded to the
/// display's refreshes.
///
/// `frame`: the longest duration of a frame, in seconds. `waiting`: seconds for which the frame before a seam may stand
/// longer.
func expectWhole(
    _ seen: Succession, _ what: String = "", frame: Double = 1.0 / 30, seams: Int, waiting: Double = 0,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expect(seen.backward.isEmpty, "\(what) went back to \(seen.backward)", sourceLocation: sourceLocation)
    expect(seen.black == 0 && seen.unreadable == 0, "\(what) showed something else", sourceLocation: sourceLocation)
    expect(seen.missing.isEmpty, "\(what) left out \(seen.missing)", sourceLocation: sourceLocation)
    expect(seen.seams.count, atLeast: seams, "\(what): \(seen.seams.count) seams", sourceLocation: sourceLocation)
    expect(
        seen.longestHold, atMost: frame + waiting + 1.001 / 60,
        "\(what) held \(String(describing: seen.longestHeld)) for \(seen.longestHold) s", sourceLocation: sourceLocation
    )
}
