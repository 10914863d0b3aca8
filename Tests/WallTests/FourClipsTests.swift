import Expectations
import TestKit
import Testing

extension WallTests {
    @Suite(.tags(.timed)) struct FourClips {
        static let clips = [
            clip(1, frames: 60),
            clip(2, frames: 50) { ($0.codec, $0.container, $0.rate) = (.vp9, .webm, Rate(25)) },
            clip(3, frames: 48) { ($0.codec, $0.container, $0.rate) = (.mpeg4, .avi, Rate(24)) },
            clip(4, frames: 60) { ($0.codec, $0.container, $0.rate) = (.hevc, .mkv, Rate(30000, 1001)) },
        ]

        @Test(.tags(.large)) func allFourLoopWithoutASeam() throws {
            let stage = try Stage()
            let files = try Self.clips.map { try $0.file() }
            let program = try stage.play(files + ["--for", "10"], counting: .decoders)
            let camera = try Camera(stage.display, stage.quadrants)
            expect(camera.waitUntilReadable(atMost: 2 + program.child.began - RealTime.now))
            expect(program.child.wait(atMost: 20), equals: 0)
            let whole = camera.stop().show
            let first = try #require(whole.shots.first).time
            let film = whole.between(first, first + 8.5)
            for (tile, clip) in Self.clips.enumerated() {
                let seen = Succession(film.runs(of: tile), looping: clip.clip, clip.frames, blink: blink)
                expectUnbroken(seen, "tile \(tile)", frame: clip.secondsPerFrame, seams: 3)
            }
            try expect(#require(program.decoders).most, atMost: 4)
            try traceAgrees(program.trace, whole)
        }

        /// Expects the trace to report the frames that the camera saw.
        private func traceAgrees(_ trace: Trace, _ film: Film) throws {
            expect(trace.wrong.isEmpty)
            let start = try #require(trace.events("start").first)
            let names = try #require(start.fields["tiles"] as? [String])
            for seam in trace.events("seam") {
                expectInTime(
                    seam.number("late-ms") ?? .infinity, .milliseconds, atMost: Limit.late * 1000,
                    "a seam of \(seam.tile ?? "")")
            }
            let end = try #require(trace.events("end").first)
            try expect(#require(end.number("max-open")), atMost: 4)
            for (tile, clip) in Self.clips.enumerated() {
                let reported = trace.events("picture", tile: names[tile]).compactMap { event in
                    event.number("pts").map { Int(($0 / clip.secondsPerFrame).rounded()) % clip.frames }
                }
                let seen = film.runs(of: tile).compactMap(\.mark).map(\.number)
                // The first frames seen occur in the report once per iteration. The occurrence with the nearest length
                // is the right one.
                let lengths = reported.indices.filter { reported[$0...].starts(with: seen.prefix(20)) }
                    .map { reported.count - $0 }
                let length = try #require(
                    lengths.min { abs($0 - seen.count) < abs($1 - seen.count) },
                    "tile \(tile): what was seen first was not reported in this order")
                expect(
                    abs(length - seen.count), atMost: max(4, seen.count / 20),
                    "tile \(tile): \(length) told, \(seen.count) seen")
            }
        }
    }
}
