import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// The options that `render` and `snapshot` share with `play`.
    @Suite struct Options {
        private func seen(_ options: [String], _ media: [String]) throws -> (marks: [Mark?], errors: String) {
            let file = Scratch.path("options.png")
            let width = 320 * media.count
            let result = try Program.run(
                ["snapshot"] + media + options + ["--size", "\(width)x180", "-o", file])
            try #require(result.status == 0, "\(result.errors)")
            let footage = try Footage(file, width: width, height: 180)
            let areas = media.indices.map { Area(320 * $0, 0, 320, 180) }
            return (
                areas.map { if case .frame(let mark) = footage.read(Tile($0), 0) { mark } else { nil } },
                result.errors
            )
        }

        /// Two films of 16:9, then two of 9:16.
        @Test(arguments: [([320, 180], [1280, 360]), ([180, 320], [810, 720])])
        func theSizeIsTheGridsWhereNobodySaysIt(_ film: [Int], _ expected: [Int]) throws {
            let films = try [1, 2].map { try clip($0, 15) { ($0.width, $0.height) = (film[0], film[1]) }.file() }
            let file = Scratch.path("shape.png")
            let result = try Program.run(["snapshot"] + films + ["-o", file])
            try #require(result.status == 0, "\(result.errors)")
            let head = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)).prefix(24))
            func number(_ place: Int) -> Int { head[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
            expect([number(16), number(20)], equals: expected)
            let rendered = try Program.run(
                ["render"] + films + ["--for", "0.1", "--preset", "ultrafast", "-o", Scratch.path("shape.mkv")])
            expect(rendered.status, equals: 0, "\(rendered.errors)")
        }

        @Test func timeOptionsTakeEffect() throws {
            let (long, short) = (try clip(1, 60).file(), try clip(2, 30).file())
            let begun = try seen(["--at", "2.5"], [long])
            expect(begun.marks, equals: [Mark(clip: 1, number: 15)])
            expect(
                begun.errors,
                equals: "quadrille: --at 2.500 s: tile1: it has begun again by then, and is at 0.500 s of \(long)\n")
            let ended = try seen(["--at", "2.5", "--no-loop"], [long])
            expect(ended.marks, equals: [Mark(clip: 1, number: 59)])
            expect(
                ended.errors, equals: "quadrille: --at 2.500 s: tile1: it has ended by then, and shows its last frame\n"
            )
            try expect(seen(["--at", "1.5"], [long]).errors.isEmpty)
            // The shorter film waits for the longer.
            let each = [Mark(clip: 1, number: 45), Mark(clip: 2, number: 15)]
            try expect(seen(["--at", "1.5"], [long, short]).marks, equals: each)
            let together = [Mark(clip: 1, number: 45), Mark(clip: 2, number: 29)]
            try expect(seen(["--at", "1.5", "--together"], [long, short]).marks, equals: together)
            let rendered = try Program.run(
                ["render", long, "--rate", "2", "--fps", "30", "--size", "320x180", "-o", "-"])
            expect(RenderTests.sums(rendered.output).count, equals: 30)
            let whole = try Program.run(["render", long, "--fps", "30", "--size", "320x180", "-o", "-"])
            let every = RenderTests.sums(whole.output)
            expect(RenderTests.sums(rendered.output), equals: stride(from: 0, to: every.count, by: 2).map { every[$0] })
        }

        /// Amplitudes of the tones of two films, in the film of both.
        private func amplitudes(_ options: [String]) throws -> [Double] {
            let films = try [1, 2].map { try FilmSound.sung($0).file() }
            let file = Scratch.path("options.mkv")
            try RenderTests.render(films + options + ["--size", "64x36", "--for", "1.5", "-o", file])
            let heard = try FilmSound.samples(file)
            return [1, 2].map { Samples.level(Witness.tone(of: $0), heard[12_000..<60_000]) }
        }

        @Test func soundOptionsTakeEffect() throws {
            for (options, isHeard) in [
                ([], [true, false]), (["--focus", "tile2"], [false, true]), (["--audio-mode", "mix"], [true, true]),
                (["--mute"], [false, false]), (["--volume", "0", "--audio-mode=mix"], [false, false]),
            ] as [([String], [Bool])] {
                let heard = try amplitudes(options)
                expect(heard.map { $0 > 500 }, equals: isHeard, "\(options): \(heard)")
            }
        }

        @Test func whatCannotBePlayedIsReportedByItsFile() throws {
            let file = Scratch.path("half.png")
            let result = try Program.run(
                ["snapshot", try clip(1, 30).file(), "/nowhere.mp4", "--size", "64x36", "-o", file])
            expect(
                result.status == 0
                    && result.errors == "quadrille: tile2, item 0: /nowhere.mp4: no such file (missing)\n")
        }

        @Test func aFolderThatIsMissingIsCalledThat() throws {
            for (subcommand, name) in [("snapshot", "a.png"), ("render", "a.mp4"), ("render", "%03d.png")] {
                let file = "/nowhere/\(name)"
                let result = try Program.run([subcommand, try clip(1, 30).file(), "-o", file])
                let reported = "quadrille: -o \(file): there is no folder /nowhere; an existing one would be right\n"
                expect(result.status == 1 && result.errors == reported, "\(result.errors)")
            }
        }
    }
}
