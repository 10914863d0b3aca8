import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Compares `quadrille measure` with FFmpeg's own filters.
    @Suite struct Measuring {
        // MARK: clips

        static func ffmpeg(_ arguments: [String], _ name: String) throws -> String {
            try MadeFile.named(name, arguments)
        }

        /// Moving shapes, stored without loss.
        static func pattern(
            _ size: String = "128x72", rate: Int = 25, frames: Int = 20, pixels: String = "yuv420p",
            _ filters: String = ""
        ) throws -> String {
            try ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate)", "-frames:v", "\(frames)"]
                    + ["-vf", (filters.isEmpty ? "" : filters + ",") + "format=\(pixels)", "-c:v", "ffv1"],
                "pattern.mkv")
        }

        /// The same film, changed.
        static func changed(_ film: String, _ options: [String], _ name: String = "changed.mkv") throws -> String {
            try ffmpeg(["-i", film] + options, name)
        }

        // MARK: figures

        struct Row: Equatable {
            var psnr: [Double]
            var ssim: Double
        }

        static let names = ["psnr-y", "psnr-u", "psnr-v", "psnr-average", "ssim"]

        /// Figures by FFmpeg's filters. `filter` converts the other film to the reference's form. `means`: PSNR average
        /// and SSIM.
        static func filtered(
            _ reference: String, _ other: String, _ filter: String = "null", _ options: [String] = []
        ) throws -> (rows: [Row], means: (psnr: Double, ssim: Double)) {
            let folder = try Scratch.newFolder("filters")
            let graph =
                "[1]\(filter)[o];[0]split[a][b];[o]split[c][d];[a][c]psnr=stats_file=\(folder)/p,nullsink;"
                + "[b][d]ssim=stats_file=\(folder)/s"
            let child = try Child(
                ["ffmpeg", "-nostdin", "-hide_banner"] + options + [
                    "-i", reference, "-i", other, "-lavfi", graph, "-f", "null", "-",
                ])
            try #require(child.wait(atMost: 60) == 0, "\(child.errors)")
            func values(_ name: String) throws -> [[String: Double]] {
                try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").map { line in
                    line.split(separator: " ").reduce(into: [:]) { fields, field in
                        let parts = field.split(separator: ":")
                        if parts.count == 2 { fields[String(parts[0])] = Double(parts[1]) }
                    }
                }
            }
            let rows = zip(try values("p"), try values("s")).map { p, s in
                Row(
                    psnr: ["psnr_y", "psnr_u", "psnr_v", "psnr_avg"].map { p[$0] ?? .nan }, ssim: s["All"] ?? .nan)
            }
            func mean(_ name: String) throws -> Double {
                let text = try #require(child.errors.split(separator: name).dropFirst().last)
                return try #require(Double(text.prefix { !" \n(".contains($0) }))
            }
            return (rows, (try mean("average:"), try mean(" All:")))
        }

        struct Film: Decodable {
            let source: String
            let offset: Double
            let mean: [String: Double?]
            let frames: [[String: Double?]]

            enum CodingKeys: String, CodingKey {
                case source, offset, mean
                case frames = "pictures"
            }
        }

        struct Report: Decodable {
            let reference: String
            let others: [Film]
        }

        struct Measured {
            let rows: [[Row?]]
            let report: Report
            let output: String
            let errors: String
        }

        /// Figures of the program; its CSV and JSON must agree.
        static func measured(_ arguments: [String]) throws -> Measured {
            let folder = try Scratch.newFolder("measure")
            let result = try Program.run(
                ["measure"] + arguments + ["-o", "\(folder)/m.csv", "-o", "\(folder)/m.json"], atMost: 120)
            try #require(result.status == 0, "\(result.errors)")
            let json = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/m.json"))
            let report = try JSONDecoder().decode(Report.self, from: json)
            let lines = try String(contentsOfFile: "\(folder)/m.csv", encoding: .utf8).split(separator: "\n")
            expect(lines[0], equals: "other,picture,time,psnr-y,psnr-u,psnr-v,psnr-average,ssim")
            var next = lines.dropFirst().makeIterator()
            let rows = try report.others.map { film in
                try film.frames.enumerated().map { number, frame -> Row? in
                    let line = next.next()
                    let cells = try #require(line).split(separator: ",", omittingEmptySubsequences: false)
                    expect(cells[0] == film.source && cells[1] == "\(number)" && frame["picture"] == Double(number))
                    expect(Double(cells[2]), equals: frame["time"]!)
                    let values = cells.dropFirst(3).map { Double($0) }
                    for (name, value) in zip(names, values) {
                        expect(frame[name]!, equals: (value?.isFinite == true ? value : nil), "\(name), \(number)")
                    }
                    if values[4] == nil { return nil }
                    return Row(psnr: values.prefix(4).map { $0 ?? .nan }, ssim: values[4]!)
                }
            }
            let rest = next.next()
            expect(rest, equals: nil)
            return Measured(rows: rows, report: report, output: result.output, errors: result.errors)
        }

        /// FFmpeg's file gives PSNR with two decimals.
        static func expectEqual(_ ours: [Row?], _ theirs: [Row], _ comment: String = "") {
            expect(ours.count, equals: theirs.count, "\(comment)")
            for (number, (own, other)) in zip(ours, theirs).enumerated() {
                guard let own else {
                    Issue.record("frame \(number) was not measured; \(comment)")
                    continue
                }
                for (a, b) in zip(own.psnr, other.psnr) {
                    expect(
                        a == b || a.isNaN && b.isNaN || abs(a - b) < 0.0101,
                        "frame \(number): \(own) \(other); \(comment)")
                }
                expect(abs(own.ssim - other.ssim), below: 0.0002, "frame \(number): \(own) \(other); \(comment)")
            }
        }

        // MARK: as FFmpeg counts it

        static let coded = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "36"]
        static let noise = "noise=alls=20:allf=t"

        static let pairs: [(String, String, [String])] = [
            ("128x72", "yuv420p", coded), ("128x72", "yuv422p", ["-vf", noise, "-c:v", "ffv1"]),
            ("128x72", "yuv444p", ["-vf", noise, "-c:v", "ffv1"]),
            ("128x72", "gray", ["-vf", noise, "-pix_fmt", "gray", "-c:v", "ffv1"]),
            ("128x72", "yuva420p", ["-vf", "boxblur=2,lutyuv=a=val-9", "-c:v", "ffv1"]),
            ("128x72", "yuv420p10le", ["-c:v", "libx264", "-preset", "veryfast", "-crf", "36"]),
            ("66x50", "yuv420p", ["-c:v", "mpeg4", "-q:v", "12"]),
            ("128x72", "yuv422p12le", ["-vf", "boxblur=1", "-pix_fmt", "yuv422p12le", "-c:v", "ffv1"]),
            ("128x72", "yuv420p16le", ["-vf", "boxblur=1", "-pix_fmt", "yuv420p16le", "-c:v", "ffv1"]),
        ]

        @Test(arguments: pairs) func eachFrameHasTheFiguresOfFFmpegsFilters(
            _ size: String, _ pixels: String, _ options: [String]
        ) throws {
            let film = try Self.pattern(size, pixels: pixels), other = try Self.changed(film, options)
            let (rows, means) = try Self.filtered(film, other)
            let ours = try Self.measured([film, other])
            try #require(rows.count == 20)
            Self.expectEqual(ours.rows[0], rows, pixels)
            expect(abs(try #require(ours.report.others[0].mean["psnr-average"]!) - means.psnr), below: 0.0001)
            expect(abs(try #require(ours.report.others[0].mean["ssim"]!) - means.ssim), below: 0.0002)
            expect(ours.errors.isEmpty, "\(ours.errors)")
        }

        @Test func imagesHaveTheFiguresOfFFmpegsFilters() throws {
            let film = try Self.pattern(frames: 1)
            let images = try ["2", "20"].map { quality in
                try Self.ffmpeg(["-i", film, "-pix_fmt", "yuvj444p", "-q:v", quality], "\(quality).jpg")
            }
            let (rows, _) = try Self.filtered(images[0], images[1])
            let ours = try Self.measured(images)
            try #require(rows.count == 1)
            Self.expectEqual(ours.rows[0], rows)
            expect(ours.output.contains(": 1 frame\n"), "\(ours.output)")
        }

        /// At widths like this one FFmpeg's assembly for this processor counts some windows wrongly; its C code does
        /// not.
        @Test func anOddWidthHasTheFiguresOfFFmpegsOwnDefinition() throws {
            let film = try Self.pattern("202x74"), other = try Self.changed(film, Self.coded)
            Self.expectEqual(
                try Self.measured([film, other]).rows[0],
                try Self.filtered(film, other, "null", ["-cpuflags", "0"]).rows)
        }

        @Test func flatFramesAreMeasured() throws {
            func flat(_ colour: String) throws -> String {
                try Self.ffmpeg(
                    ["-f", "lavfi", "-i", "color=\(colour):s=128x72:r=25:d=0.2,format=yuv420p", "-c:v", "ffv1"],
                    "flat.mkv")
            }
            let film = try flat("gray"), other = try flat("0x858585")
            let ours = try Self.measured([film, other])
            Self.expectEqual(ours.rows[0], try Self.filtered(film, other).rows)
            expect(ours.rows[0][0]?.psnr[1] == .infinity && ours.rows[0][0]?.psnr[0].isFinite == true)
        }

        @Test func whatIsEqualIsInfAndNull() throws {
            let film = try Self.pattern()
            let ours = try Self.measured([film, film])
            expect(
                ours.rows[0],
                equals: Array(repeating: Row(psnr: Array(repeating: .infinity, count: 4), ssim: 1), count: 20))
            expect(ours.report.others[0].mean["psnr-average"]! == nil && ours.report.others[0].mean["ssim"]! == 1)
            expect(ours.output.contains("psnr-average  inf      all equal\n"), "\(ours.output)")
        }

        @Test(arguments: [
            ("scale=200:118,format=yuv420p", "200x118 yuv420p", "scale=128:72:flags=bicubic"),
            ("format=yuv444p10le", "128x72 yuv444p10le", "scale=flags=bicubic,format=yuv420p"),
        ]) func anotherSizeOrFormatIsMadeAsTheReferenceIsAndThatIsReported(
            _ change: String, _ words: String, _ filter: String
        ) throws {
            let film = try Self.pattern()
            let other = try Self.changed(film, ["-vf", "boxblur=1,\(change)", "-c:v", "ffv1"])
            let ours = try Self.measured([film, other])
            Self.expectEqual(ours.rows[0], try Self.filtered(film, other, filter).rows)
            let reported = "quadrille: \(other): its frames are \(words); they are measured as 128x72 yuv420p\n"
            expect(ours.errors, equals: reported)
        }

        // MARK: in time

        @Test(arguments: [(10, 5), (10, 25), (24, 30)]) func unlikeRatesAreComparedAsTheyAreShown(
            _ rate: Int, _ otherRate: Int
        ) throws {
            let film = try Self.pattern(rate: rate),
                other = try Self.pattern(rate: otherRate, frames: 70, "boxblur=1")
            let ours = try Self.measured([film, other])
            let rows = try Self.filtered(film, other, "trim=end=\(20.0 / Double(rate))").rows.prefix(20)
            Self.expectEqual(ours.rows[0], Array(rows))
            expect(ours.errors.contains("\(otherRate).000 frames a second, the reference \(rate).000"))
        }

        @Test func anOffsetAheadAndOneBehindPairTheSameFrames() throws {
            let film = try Self.pattern(frames: 20)
            let later = try Self.changed(film, ["-vf", "trim=start_frame=5,setpts=PTS-STARTPTS", "-c:v", "ffv1"])
            let inf = Row(psnr: Array(repeating: .infinity, count: 4), ssim: 1)
            // The other lacks 5 frames: at 0 s of the reference it is at -0.2 s.
            let behind = try Self.measured([film, later, "--offset", "-0.2"])
            expect(behind.rows[0], equals: Array(repeating: nil, count: 5) + Array(repeating: inf, count: 15))
            expect(behind.report.others[0].offset, equals: -0.2)
            expect(behind.errors.contains("5 of 20 frames of the reference have no counterpart"))
            expect(behind.output.contains("0.200 s behind: 15 frames"), "\(behind.output)")
            let ahead = try Self.measured([later, film, "--offset=0.2"])
            expect(ahead.rows[0] == Array(repeating: inf, count: 15) && ahead.errors.isEmpty)
            try expect(Self.measured([film, later]).rows[0].compactMap { $0 }.contains { $0 == inf }, equals: false)
        }

        @Test func eachOtherHasItsOwnOffsetAndThereIsOneIteration() throws {
            let film = try Self.pattern()
            let later = try Self.changed(film, ["-vf", "trim=start_frame=5,setpts=PTS-STARTPTS", "-c:v", "ffv1"])
            let bad = try Self.changed(film, Self.coded)
            let folder = try Scratch.newFolder("several")
            let program = try Program(
                ["measure", film, bad, later, "--offset", "0", "--offset", "-0.2", "-o", "\(folder)/m.json"],
                counting: .decoders)
            try #require(program.child.wait(atMost: 60) == 0, "\(program.child.errors)")
            expect(program.decoders?.opened, equals: 3)
            let json = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/m.json"))
            let others = try JSONDecoder().decode(Report.self, from: json).others
            expect(others.map(\.source) == [bad, later] && others.map(\.offset) == [0, -0.2])
            let alone = try Self.measured([film, bad]).report.others[0]
            expect(others[0].mean == alone.mean && others[0].frames == alone.frames)
            expect(others[1].mean["psnr-y"]! == nil && others[1].mean["ssim"]! == 1)
        }

        @Test func aPartIsMeasured() throws {
            let film = try Self.pattern(), other = try Self.changed(film, Self.coded)
            let whole = try Self.measured([film, other])
            let part = try Self.measured([film, other, "--at", "0.2", "--for", "0.4"])
            expect(part.rows[0], equals: Array(whole.rows[0][5..<15]))
            expect(part.report.others[0].frames.map { $0["time"]! }, equals: (5..<15).map { Double($0) / 25 })
        }
    }
}
