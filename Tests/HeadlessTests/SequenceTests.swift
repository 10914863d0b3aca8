import Expectations
import TestKit
import Testing

import struct TestKit.Tile

/// The order of the frames of sequences and loops.
@Suite struct Sequences {
    /// Plays one tile for `seconds`, and expects exactly `items` to follow each other.
    private func expectOrder(
        _ items: [(clip: Int, numbers: Range<Int>)], from play: Any, pipelines: Int = 4, seconds: Double,
        frame: Double = 1.0 / 30, seams: Int
    ) throws {
        let wall = try HeadlessWall(320, 180, [["play": play]], pipelines: pipelines)
        let seen = Succession(try wall.play(seconds).runs(of: 0), playing: items)
        expectWhole(seen, frame: frame, seams: seams)
        wall.stop()
    }

    @Test func inAndOutAreTrueToTheFrame() throws {
        // From 0.5 s to 1.5 s: the frames 15 to 44, though key frames stand at 0 and 30.
        try expectOrder(
            [(1, 15..<45)], from: ["src": try clip(1).file(), "in": 0.5, "out": "0:01.5"] as [String: Any],
            seconds: 4, seams: 3)
    }

    @Test func anItemIsRepeatedAsOftenAsSaid() throws {
        let one: [String: Any] = ["src": try clip(1, frames: 20).file(), "repeat": 3]
        let two = try clip(2, frames: 20).file()
        try expectOrder(
            [(1, 0..<20), (1, 0..<20), (1, 0..<20), (2, 0..<20)], from: [one, two], seconds: 6, seams: 2)
    }

    @Test func aStillStandsForItsTimeBetweenTwoClips() throws {
        let still: [String: Any] = ["src": try clip(3).still(7), "duration": 0.8]
        let wall = try HeadlessWall(
            320, 180, [["play": [try clip(1, frames: 20).file(), still, try clip(2, frames: 20).file()]]])
        let runs = try wall.play(6).runs(of: 0)
        wall.stop()
        let holds = runs.filter { $0.mark == Mark(clip: 3, number: 7) }.dropLast()
        expect(holds.count, atLeast: 2)
        for hold in holds { expect(abs(hold.duration - 0.8), below: 1.001 / 60, "\(hold.duration)") }
        expectWhole(
            Succession(runs, playing: [(1, 0..<20), (3, 7..<8), (2, 0..<20)]), seams: 2, waiting: 0.8)
    }

    @Test(arguments: [1, 2]) func aNumberOfIterationsEndsWithTheLastFrame(_ passes: Int) throws {
        let loop: Any = passes == 1 ? false : passes
        let wall = try HeadlessWall(320, 180, [["play": try clip(1, frames: 30).file(), "loop": loop]])
        let runs = try wall.play(5).runs(of: 0)
        wall.stop()
        expect(runs.count { $0.mark?.number == 29 }, equals: passes)
        expect(runs.last?.mark, equals: Mark(clip: 1, number: 29))
        try expect(#require(runs.last).duration, above: 4.9 - Double(passes))
    }

    @Test func anOffsetIsKept() throws {
        let file = try clip(1, frames: 90).file()
        let wall = try HeadlessWall(
            640, 180, [["play": file], ["play": file, "offset": 0.5]], ["groups": ["main": ["loop": "each"]]])
        let film = try wall.play(6, watching: Tile.halves)
        wall.stop()
        let apart = film.shots.map { shot -> Int? in
            guard case .frame(let one) = shot.readings[0], case .frame(let two) = shot.readings[1] else { return nil }
            return (two.number - one.number + 90) % 90
        }
        expect(apart.count == 360 && apart.allSatisfy { $0 == 15 })
    }

    @Test(arguments: ["longest", "shortest"]) func aGroupBeginsEachIterationAtOneInstant(_ until: String) throws {
        let lengths = [60, 69, 33]
        let wall = try HeadlessWall(
            960, 180, try lengths.enumerated().map { ["play": try clip($0 + 1, frames: $1).file()] },
            ["groups": ["main": ["loop": "together", "until": until]], "grid": ["columns": 3, "rows": 1]])
        let film = try wall.play(
            until == "longest" ? 10 : 6, watching: (0..<3).map { Tile(Area(320 * $0, 0, 320, 180)) })
        wall.stop()
        let played = until == "longest" ? lengths : lengths.map { min($0, 33) }
        let seen = (0..<3).map { Succession(film.runs(of: $0), looping: $0 + 1, played[$0]) }
        for (tile, seen) in seen.enumerated() {
            // If the longest tile ends the iteration, the others wait with their last frame.
            let waits = until == "longest" ? Double(69 - lengths[tile]) / 30 : 0
            expectWhole(seen, "tile \(tile)", seams: 4, waiting: waits)
            expect(seen.longestHold, above: waits)
        }
        expect(seen[0].seams == seen[1].seams && seen[0].seams == seen[2].seams)
    }

    @Test func allCodecsSizesAndRatesFollowEachOtherOnOnePipeline() throws {
        let clips = [
            clip(1, frames: 30) { ($0.width, $0.height, $0.bFrames) = (1280, 720, 2) },
            clip(2, frames: 25) { ($0.codec, $0.container, $0.rate) = (.vp9, .webm, Rate(25)) },
            clip(3, frames: 24) {
                ($0.codec, $0.container, $0.rate, $0.width, $0.height) = (.hevc, .mkv, Rate(24), 960, 540)
            },
            clip(4, frames: 30) { ($0.codec, $0.container) = (.mpeg4, .avi) },
            clip(5, frames: 30) { ($0.codec, $0.container, $0.rate) = (.av1, .mkv, Rate(30000, 1001)) },
        ]
        let still: [String: Any] = ["src": try clip(6).still(3), "duration": 0.04]
        try expectOrder(
            clips.map { ($0.clip, 0..<$0.frames) } + [(6, 3..<4)],
            from: try clips.map { try $0.file() } + [still], pipelines: 1, seconds: 11, frame: 1.0 / 24, seams: 1)
    }

    @Test func fiftyShortItemsInMixedCodecs() throws {
        let clips = (0..<10).map { id in
            clip(id, frames: 6) { ($0.codec, $0.container) = ([.h264, .vp9, .mpeg4, .hevc][id % 4], .mkv) }
        }
        let order = (0..<50).map { ($0 * 3) % 10 }
        try expectOrder(
            order.map { ($0, 0..<6) }, from: try order.map { try clips[$0].file() }, pipelines: 1, seconds: 13,
            seams: 1)
    }

    /// The only key frame is the first: 180 frames are decoded that are not shown.
    @Test func longGroupsOfFramesAreEnteredToTheFrame() throws {
        let long = clip(1, frames: 250) { ($0.gop, $0.bFrames, $0.width, $0.height) = (250, 2, 1280, 720) }
        let other = clip(2, frames: 30) { ($0.codec, $0.container) = (.vp9, .webm) }
        try expectOrder(
            [(1, 180..<240), (2, 0..<30)],
            from: [["src": try long.file(), "in": 6, "out": 8] as [String: Any], try other.file()], pipelines: 1,
            seconds: 8, seams: 2)
    }

    /// Each tile plays two films of other codecs in turns, with as many decoders as tiles.
    @Test(arguments: [[30], [30, 30], [30, 30, 30], [60, 60, 60, 60], [6, 15, 45, 1]])
    func asManyTilesAsPipelinesLoseNoFrame(_ lengths: [Int]) throws {
        let clips = lengths.enumerated().map { tile, frames in
            [
                clip(2 * tile, frames: frames) { ($0.gop, $0.bFrames) = (60, 2) },
                clip(2 * tile + 1, frames: frames) { ($0.codec, $0.container) = (.vp9, .webm) },
            ]
        }
        let wall = try HeadlessWall(
            640, 360, try clips.map { ["play": try $0.map { try $0.file() }] }, ["grid": ["columns": 2, "rows": 2]],
            pipelines: lengths.count)
        let film = try wall.play(6, watching: Array(Tile.quadrants.prefix(lengths.count)))
        wall.stop()
        for (tile, clips) in clips.enumerated() {
            let numbers = 0..<lengths[tile]
            expectWhole(
                Succession(film.runs(of: tile), playing: clips.map { ($0.clip, numbers) }), "tile \(tile)", seams: 1)
        }
    }

    @Test func nineTilesOfOneSourceAreOneDecoder() throws {
        let file = try clip(5, frames: 45).file()
        let wall = try HeadlessWall(960, 540, (0..<9).map { _ in ["play": file] })
        let film = try wall.play(
            4, watching: (0..<9).map { Tile(Area(0, 0, 960, 540).cell($0 % 3, $0 / 3, of: 3, by: 3)) })
        for tile in 0..<9 {
            expectWhole(Succession(film.runs(of: tile), looping: 5, 45), "tile \(tile)", seams: 2)
        }
        for tile in 1..<9 { expect(film.differing(0, tile), equals: 0) }
        wall.stop()
        expect(wall.mostDecoders, equals: 1)
    }

    /// A segment at half speed between two others: its frames last twice as long.
    @Test func eachFrameOfASegmentIsShownForItsStretchedTime() throws {
        let wall = try HeadlessWall(640, 180, try Self.inSegments())
        let film = try wall.play(7, watching: Tile.halves)
        wall.stop()
        expect(film.differing(0, 1), equals: 0)
        let runs = film.runs(of: 0)
        expectWhole(Succession(runs, playing: [(1, 0..<45)]), frame: 1.0 / 15, seams: 3)
        for run in runs.dropFirst().dropLast() {
            let refreshes = (15..<30).contains(try #require(run.mark).number) ? 4.0 : 2
            expect(abs(run.duration * 60 - refreshes), below: 0.01, "\(run)")
        }
    }

    /// Two tiles with an item of three segments: half a second, the next half at half speed, and another half.
    static func inSegments() throws -> [[String: Any]] {
        let file = try clip(1) { ($0.gop, $0.bFrames) = (30, 2) }.file()
        let segments: [[String: Any]] = [
            ["src": file, "in": 0, "out": 0.5], ["src": file, "in": 0.5, "out": 1, "rate": 0.5],
            ["src": file, "in": 1, "out": 1.5],
        ]
        return [["play": ["segments": segments]], ["play": ["segments": segments]]]
    }
}

extension Tile {
    /// The two halves of a wall of 640x180.
    static let halves = [Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180))]
    /// The four quarters of a wall of 640x360.
    static let quadrants = (0..<4).map { Tile(Area(0, 0, 640, 360).cell($0 % 2, $0 / 2, of: 2, by: 2)) }
}
