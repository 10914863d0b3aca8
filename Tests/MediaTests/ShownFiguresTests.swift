import Expectations
import Foundation
import Testing
import Threads

@testable import Base
@testable import Decoded
@testable import Engine
@testable import Feeds
@testable import Measurement
@testable import Media
@testable import Player

/// The original frames that shown frames keep, and the values read and measured from them.
@Suite struct ShownFrames {
    private func codecFrames(_ path: String, _ count: Int = 1) throws -> [CodecFrame] {
        let source = try Source.open(path, deadline: Deadline())
        defer { source.close() }
        let decoder = try Decoder(for: source, threads: 1)
        let reader = FrameReader(source: source, decoder: decoder, from: .zero, until: nil)
        return try (0..<count).map { _ in
            guard case .frame(let frame) = try reader.next() else { throw SourceTrouble(.damaged, "too short") }
            return frame.codecFrame
        }
    }

    private func frame(
        of codecFrame: CodecFrame, keeping: FrameKeeping, size: Size? = nil, turn: Turn = .none, flip: Flip = .none
    ) throws -> Frame {
        try Scaler().frame(
            from: codecFrame, size: size ?? codecFrame.natural.turned(turn),
            settings: DecodeSettings(turn: turn, flip: flip), formats: .all,
            keeping: keeping, pool: FrameBufferPool())
    }

    /// A clip whose luma is 64 plus the column's number, and 100 more in the lower half.
    private func columns(_ folder: Folder, _ name: String, _ format: String, _ codec: [String]) throws -> String {
        try folder.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "nullsrc=s=64x36:r=25,format=\(format),geq=lum='64+X+100*gte(Y,H/2)':cb='100+X':cr=90", "-frames:v",
                "2",
            ] + codec + [name])
        return folder.file(name)
    }

    @Test func framesKeepTheFramesThatAreAskedFor() throws {
        let folder = try Folder()
        let eight = try codecFrames(columns(folder, "8.mkv", "yuv420p", ["-c:v", "ffv1"]))[0]
        let ten = try codecFrames(columns(folder, "10.mkv", "yuv420p10le", ["-c:v", "ffv1"]))[0]
        for (codecFrame, keeping, isKept) in [
            (eight, FrameKeeping.none, false), (eight, .reduced, false), (eight, .all, true), (ten, .none, false),
            (ten, .reduced, true), (ten, .all, true),
        ] {
            let made = try frame(of: codecFrame, keeping: keeping, size: Size(32, 18))
            expect((made.original != nil) == isKept && made.keeps(keeping))
            let plain = try frame(of: codecFrame, keeping: .none, size: Size(32, 18))
            expect(made.bytes - plain.bytes, equals: (isKept ? codecFrame.bytes : 0))
        }
        // The shown pixels of HDR are no code values.
        let hdr = try codecFrames(columns(folder, "8.mkv", "yuv420p", ["-c:v", "ffv1", "-color_trc", "smpte2084"]))[0]
        let shown = try frame(of: hdr, keeping: .reduced), whole = Rect(0, 0, 64, 36)
        let planes = try #require(DeepColours().planes(of: shown, part: whole, size: whole.size))
        let code = Double(planes.green[10]), pixel = Double(shown.planes[0].base[4 * 10 + 1]) * 256
        expect(shown.isReduced && abs(code - pixel) > 2000, "\(code), \(pixel)")
        try expect(!frame(of: ten, keeping: .none).keeps(.reduced) && frame(of: eight, keeping: .none).keeps(.reduced))
        // The frame shares the planes of its original, so keeping them takes no more memory.
        try expect(frame(of: eight, keeping: .all).bytes, equals: frame(of: eight, keeping: .none).bytes)
    }

    @Test func valuesOfAPaletteAreItsColours() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "color=0xC86432:s=32x32:d=0.04,format=rgb24", "-vf",
            "split[a][b];[a]palettegen=max_colors=8:reserve_transparent=0[p];[b][p]paletteuse", "-frames:v", "1",
            "p.png",
        ])
        let codecFrame = try codecFrames(folder.file("p.png"))[0]
        let values = try #require(try frame(of: codecFrame, keeping: .all).values(atX: 0.5, y: 0.5))
        expect(values.samples.map(\.value), equals: [200, 100, 50, 255], "\(values.text)")
    }

    @Test(arguments: [("yuv420p", 8, 2), ("yuv420p10le", 10, 2), ("yuv444p12le", 12, 1)])
    func valuesAreThoseThatWereDecoded(_ format: String, _ bits: Int, _ step: Int) throws {
        let folder = try Folder()
        let codecFrame = try codecFrames(columns(folder, "a.mkv", format, ["-c:v", "ffv1"]))[0]
        let made = try frame(of: codecFrame, keeping: .all)
        for (x, y) in [(0, 0), (17, 3), (40, 20), (63, 35)] {
            let values = try #require(
                made.values(atX: (Double(x) + 0.5) / 64, y: (Double(y) + 0.5) / 36))
            let chroma = step == 2 ? 100 + x / 2 : 100 + x
            expect(values.x == x && values.y == y && values.bits == bits)
            expect(
                values.samples,
                equals: [
                    .init("Y", 64 + x + (y >= 18 ? 100 : 0)), .init("U", chroma), .init("V", 90),
                ])
        }
    }

    @Test func valuesOfTurnedFramesAreThoseUnderThePointer() throws {
        let folder = try Folder()
        let codecFrame = try codecFrames(columns(folder, "a.mkv", "yuv420p10le", ["-c:v", "ffv1"]))[0]
        for (turn, flip, x, y) in [
            (Turn.quarter, Flip.none, 3, 35), (.half, .none, 63, 35), (.threeQuarters, .none, 60, 0),
            (.none, .horizontal, 63, 0), (.quarter, .horizontal, 3, 0),
        ] {
            let made = try frame(of: codecFrame, keeping: .all, turn: turn, flip: flip)
            // The fourth pixel of the first column if the frame lies on its side, else the first of the first row.
            let isSideways = made.size.width == 36
            let values = made.values(
                atX: 0.5 / Double(made.size.width), y: (isSideways ? 3.5 : 0.5) / Double(made.size.height))
            expect(values.map { [$0.x, $0.y] }, equals: [x, y], "\(turn) \(flip)")
            let shown = made.planes[0].base[isSideways ? 3 * made.planes[0].stride : 0]
            expect(values.map { $0.samples[0].value / 4 }, equals: Int(shown))
        }
    }

    @Test func valuesOfColoursAreRedGreenAndBlue() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=s=8x8,format=gbrp,geq=r=64:g=128:b=192", "-frames:v", "1", "a.png",
        ])
        let made = try frame(of: codecFrames(folder.file("a.png"))[0], keeping: .all)
        expect(made.values(atX: 0.5, y: 0.5)?.text, equals: "4,4: R 64 G 128 B 192 of 8 bits, RGB 64 128 192")
    }

    @Test func figuresAreThoseOfFFmpegsFilter() throws {
        let folder = try Folder()
        let noise = "testsrc2=s=320x180:r=25,noise=alls=20:allf=t"
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", noise, "-frames:v", "2", "-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "a.mkv"])
        try folder.ffmpeg(["-i", "a.mkv", "-vf", "scale=160:90", "-c:v", "libx264", "-crf", "30", "b.mp4"])
        let (a, b) = (try codecFrames(folder.file("a.mkv"))[0], try codecFrames(folder.file("b.mp4"))[0])
        let pair = FiguresOrder.Pair(
            reference: .init(try frame(of: a, keeping: .all, size: Size(64, 36))),
            other: .init(try frame(of: b, keeping: .all)))
        let bare = FiguresOrder.Pair(
            reference: .init(try frame(of: a, keeping: .none)), other: .init(try frame(of: b, keeping: .all)))
        let figures = ShownFigures()
        let answers = Answers()
        figures.measure(FiguresOrder(pairs: [pair, bare])) { answers.take($0) }
        expect(figures.stop(within: 5_000_000_000), equals: [])
        let answer = try #require(answers.taken?[0])
        expect(answers.taken?[1] == nil)
        expect(answer.conversion, equals: "160x90 yuv420p10le as 320x180 yuv420p10le")
        try folder.ffmpeg([
            "-i", "b.mp4", "-i", "a.mkv", "-frames:v", "1", "-lavfi",
            "[0:v]scale=320:180:flags=bicubic,format=yuv420p10le[x];[x][1:v]psnr=stats_file=p.txt", "-f", "null", "-",
        ])
        let reported = try String(contentsOfFile: folder.file("p.txt"), encoding: .utf8)
        let average = try #require(reported.split(separator: " ").first { $0.hasPrefix("psnr_avg:") })
        let wanted = try #require(Double(average.dropFirst("psnr_avg:".count)))
        expect(abs(answer.figures[.psnrAverage]! - wanted), below: 0.05, "\(answer.figures[.psnrAverage]!), \(wanted)")
    }

    /// A tile that is cropped, turned and flipped is measured as it is shown.
    @Test func figuresOfCroppedFramesAreThoseOfFFmpegsFilters() throws {
        let folder = try Folder()
        try folder.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-frames:v", "1", "-pix_fmt", "yuv420p", "-c:v", "ffv1",
                "a.mkv",
            ])
        try folder.ffmpeg(["-i", "a.mkv", "-vf", "pad=400:260:40:50,noise=alls=9", "-c:v", "ffv1", "b.mkv"])
        let (a, b) = (try codecFrames(folder.file("a.mkv"))[0], try codecFrames(folder.file("b.mkv"))[0])
        let crop = Crop.pixels(Rect(40, 50, 320, 180)).part(of: Size(400, 260))
        let figures = ShownFigures()
        let answers = Answers()
        let settings: [(Turn, Flip)] = [
            (.none, .none), (.quarter, .none), (.half, .vertical), (.threeQuarters, .horizontal),
        ]
        let pairs = try settings.map { turn, flip in
            FiguresOrder.Pair(
                reference: .init(try frame(of: a, keeping: .all, turn: turn, flip: flip)),
                other: .init(
                    try frame(of: b, keeping: .all, turn: turn, flip: flip), crop: crop.turned(turn).flipped(flip)))
        }
        figures.measure(FiguresOrder(pairs: pairs)) { answers.take($0) }
        expect(figures.stop(within: 5_000_000_000), equals: [])
        try folder.ffmpeg([
            "-i", "b.mkv", "-i", "a.mkv", "-frames:v", "1", "-lavfi",
            "[0:v]crop=320:180:40:50[x];[x][1:v]psnr=stats_file=p.txt", "-f", "null", "-",
        ])
        let reported = try String(contentsOfFile: folder.file("p.txt"), encoding: .utf8)
        let average = try #require(reported.split(separator: " ").first { $0.hasPrefix("psnr_avg:") })
        let wanted = try #require(Double(average.dropFirst("psnr_avg:".count)))
        for answer in try #require(answers.taken) {
            let answer = try #require(answer)
            expect(answer.referencePart == nil && answer.otherPart == Rect(40, 50, 320, 180))
            expect(answer.conversion == nil)
            expect(abs(answer.figures[.psnrAverage]! - wanted), below: 0.01)
        }
    }

    private final class Answers: @unchecked Sendable {
        private(set) var taken: [FiguresOrder.Answer?]?
        func take(_ answers: [FiguresOrder.Answer?]) { taken = answers }
    }

    /// Checks a part, in another size, turned: each colour has 16 bits.
    @Test func deepColoursKeepTenBits() throws {
        let folder = try Folder()
        try folder.ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=s=64x36:r=25,format=yuv420p10le,geq=lum='400+X':cb=512:cr=512", "-frames:v",
            "1", "-c:v", "ffv1", "a.mkv",
        ])
        let codecFrame = try codecFrames(folder.file("a.mkv"))[0]
        /// Value for a luma sample of limited range: white is 255 times 256.
        func wanted(_ luma: Double) -> Double { (luma - 64) / 876 * 65280 }
        let upright = try frame(of: codecFrame, keeping: .reduced), colours = DeepColours()
        let planes = try #require(colours.planes(of: upright, part: Rect(8, 4, 32, 16), size: Size(32, 16)))
        for plane in [planes.red, planes.green, planes.blue] {
            for x in 0..<32 {
                expect(abs(Double(plane[5 * planes.stride + x]) - wanted(Double(408 + x))), below: 8, "\(x)")
            }
        }
        let turned = try frame(of: codecFrame, keeping: .reduced, turn: .quarter)
        let rows = try #require(colours.planes(of: turned, part: Rect(0, 8, 36, 32), size: Size(36, 32)))
        for y in 0..<32 {
            expect(abs(Double(rows.green[y * rows.stride + 7]) - wanted(Double(408 + y))), below: 8, "\(y)")
        }
        // For an original of 8 bits, the planes have the shown values.
        let shallow = try frame(of: codecFrame, keeping: .none)
        let eight = try #require(colours.planes(of: shallow, part: Rect(0, 0, 64, 36), size: Size(64, 36)))
        expect(abs(Double(eight.green[9]) - wanted(408)) < 80 && !shallow.isReduced && upright.isReduced)
    }
}
