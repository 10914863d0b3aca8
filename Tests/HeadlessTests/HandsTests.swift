import Expectations
import TestKit
import Testing

import struct TestKit.Tile

@testable import Base
@testable import Commands
@testable import Player

/// Commands to a wall: which frame stands afterwards.
@Suite struct Hands {
    /// Steps until the marks that a command draws over the tiles are gone. Returns the numbers of the frames that
    /// stand.
    private func standing(_ wall: HeadlessWall) throws -> [Int?] {
        _ = try wall.play(3, watching: Tile.halves)
        let film = try wall.play(0.5, watching: Tile.halves)
        return (0..<2).map { tile in
            let runs = film.runs(of: tile)
            expect(runs.count, equals: 1, "tile \(tile + 1) does not stand still")
            return runs.last?.mark?.number
        }
    }

    /// Two tiles that play in step.
    private func pair() throws -> HeadlessWall {
        let clips = try [1, 2].map { ["play": try clip($0, frames: 600) { ($0.gop, $0.bFrames) = (60, 2) }.file()] }
        let wall = try HeadlessWall(640, 180, clips)
        _ = try wall.play(2, watching: Tile.halves)
        return wall
    }

    @Test func pauseAndStepsAreTrueToTheFrameInAllTiles() throws {
        let wall = try pair()
        wall.carryOut(.pause(.on, .group))
        let at = try #require(try standing(wall)[0])
        expect((59...60).contains(at))
        func shown() -> Int { wall.events.count { if case .frame = $0.what { true } else { false } } }
        let before = shown()
        wall.carryOut(.step(by: -1, .group))
        try expect(standing(wall), equals: [at - 1, at - 1])
        // Frames before the target are decoded too, and not shown.
        expect(shown(), equals: before + 2)
        wall.carryOut(.step(by: 1, .group))
        try expect(standing(wall), equals: [at, at])
        wall.carryOut(.step(by: -1, .group))
        wall.carryOut(.step(by: -1, .group))
        try expect(standing(wall), equals: [at - 2, at - 2])
        wall.stop()
    }

    @Test func seeksAndHomeAreTrueToTheFrameInAllTiles() throws {
        let wall = try pair()
        wall.carryOut(.pause(.on, .group))
        let at = try #require(try standing(wall)[0])
        wall.carryOut(.seek(.by(.seconds(5)), .group))
        try expect(standing(wall), equals: [at + 150, at + 150])
        wall.carryOut(.seek(.by(-.seconds(1)), .group))
        try expect(standing(wall), equals: [at + 120, at + 120])
        wall.carryOut(.step(by: 1, .tileAlone))
        wall.carryOut(.step(by: 1, .tileAlone))
        try expect(standing(wall), equals: [at + 122, at + 120])
        wall.carryOut(.home(.group))
        try expect(standing(wall), equals: [0, 0])
        wall.carryOut(.pause(.off, .group))
        _ = try wall.play(3, watching: Tile.halves)
        let film = try wall.play(1, watching: Tile.halves)
        for tile in 0..<2 {
            expectWhole(Succession(film.runs(of: tile), looping: tile + 1, 600), "tile \(tile)", seams: 0)
        }
        wall.stop()
    }

    @Test func stepsAndSeeksCrossTheBordersOfSegments() throws {
        let wall = try HeadlessWall(640, 180, try Sequences.inSegments())
        _ = try wall.play(0.1, watching: Tile.halves)
        wall.carryOut(.pause(.on, .group))
        wall.carryOut(.seek(.to(.milliseconds(1000)), .group))
        let middle = try #require(try standing(wall)[0])
        // The slow segment's frames last twice as long: after one second, half of them have passed.
        expect(middle, equals: 22)
        for _ in middle..<30 { wall.carryOut(.step(by: 1, .group)) }
        try expect(standing(wall), equals: [30, 30])
        wall.carryOut(.step(by: -1, .group))
        try expect(standing(wall), equals: [29, 29])
        wall.carryOut(.step(by: 1, .group))
        // One second on from 1.5 of 2 seconds is half a second into the next iteration, where the slow segment begins.
        wall.carryOut(.seek(.by(.seconds(1)), .group))
        try expect(standing(wall), equals: [15, 15])
        wall.carryOut(.step(by: -1, .group))
        try expect(standing(wall), equals: [14, 14])
        wall.stop()
    }

    /// Expects the two tiles to have shown the A-B loop again and again, in step.
    private func expectABIterations(_ film: Film, _ numbers: Range<Int>, atLeast count: Int) {
        for tile in 0..<2 {
            // Two iterations, so that a frame that is left out is not taken for one that comes back.
            let seen = Succession(film.runs(of: tile), playing: [(tile + 1, numbers), (tile + 1, numbers)])
            expectWhole(seen, "tile \(tile + 1) in \(numbers)", seams: count / 2)
        }
        expect(film.differing(0, 1), equals: 0)
    }

    @Test func anABLoopPlaysWhatLiesBetweenInEveryTile() throws {
        let films = try [1, 2].map { ["play": try clip($0, frames: 150) { $0.gop = 60 }.file()] }
        let wall = try HeadlessWall(640, 180, films)
        _ = try wall.play(2, watching: Tile.halves)
        wall.carryOut(.abLoop(.next, .group))
        _ = try wall.play(0.5, watching: Tile.halves)
        wall.carryOut(.abLoop(.next, .group))
        _ = try wall.play(3.5, watching: Tile.halves)
        // From the frame that stood at the first command to the one that stood at the second.
        let loop = try #require(wall.read { wall in wall.player.clocks.lazy.compactMap(\.abLoop).first })
        let numbers = Int((loop.begin.seconds * 30).rounded())..<Int((loop.end.seconds * 30).rounded())
        expect((14...16).contains(numbers.count))
        expectABIterations(try wall.play(12, watching: Tile.halves), numbers, atLeast: 20)

        wall.carryOut(.abLoop(.next, .group))
        _ = try wall.play(3.5, watching: Tile.halves)
        expectABIterations(try wall.play(12, watching: Tile.halves), 0..<150, atLeast: 2)

        // An A-B loop of three frames.
        wall.carryOut(.abLoop(.a(.seconds(4)), .group))
        wall.carryOut(.abLoop(.b(.milliseconds(4100)), .group))
        _ = try wall.play(4, watching: Tile.halves)
        expectABIterations(try wall.play(3, watching: Tile.halves), 120..<123, atLeast: 20)
        wall.stop()
    }
}
