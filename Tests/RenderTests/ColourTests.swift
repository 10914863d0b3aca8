import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Files without colour tags, HDR, sizes and fields, as the program handles them from outside.
    @Suite struct Colours {
        private static let untagged =
            "setparams=colorspace=unknown:color_primaries=unknown:color_trc=unknown:range=unknown"

        /// One colour (48, 192, 64) in a matrix that the file does not name.
        private static func flat(_ size: String, _ matrix: String, _ name: String) throws -> String {
            try Measuring.ffmpeg(
                [
                    "-f", "lavfi", "-i", "color=0x30C040:s=\(size):r=25:d=0.2,format=gbrp", "-vf",
                    "scale=out_color_matrix=\(matrix):out_range=tv:flags=accurate_rnd,format=yuv420p,\(untagged)",
                    "-c:v", "libx264", "-preset", "veryfast", "-qp", "1",
                ], name)
        }

        private static func colour(_ frame: String, _ matrix: String = "auto") throws -> [Int] {
            let raw = Scratch.path("pixel.raw")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", frame, "-frames:v", "1", "-vf",
                "scale=in_color_matrix=\(matrix),format=rgb24,crop=1:1:40:40", "-f", "rawvideo", raw,
            ])
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw))).map { Int($0) }
        }

        private static func isGreen(_ colour: [Int]) -> Bool {
            colour.count == 3 && zip(colour, [48, 192, 64]).allSatisfy { abs($0 - $1) <= 3 }
        }

        @Test(arguments: [("1280x720", "bt709"), ("720x576", "bt601"), ("608x1080", "bt709")])
        func untaggedVideoIsShownByItsSize(_ size: String, _ matrix: String) throws {
            let film = try Self.flat(size, matrix, "flat.mp4"), folder = try Scratch.newFolder("colours")
            let snapshot = try Program.run(
                ["snapshot", "--at", "0", "--size", size, film, "-o", "s.png"], folder: folder)
            expect(snapshot.status, equals: 0, "\(snapshot.errors)")
            expect(Self.isGreen(try Self.colour("\(folder)/s.png")))
            let rendered = try Program.run(
                ["render", "--for", "0.08", "--size", size, film, "-o", "r.mkv"], folder: folder)
            expect(rendered.status, equals: 0, "\(rendered.errors)")
            expect(Self.isGreen(try Self.colour("\(folder)/r.mkv")))
            let check = try Program.run(["check", film])
            expect(check.output.contains("\(matrix == "bt709" ? "BT.709" : "BT.601") (assumed)"), "\(check.output)")
        }

        private static func hdr() throws -> String {
            try Measuring.ffmpeg(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.2", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
                    "-x265-params", "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
                ], "hdr.mp4")
        }

        @Test func hdrIsNotComparedSilently() throws {
            let film = try Measuring.pattern(frames: 5), hdr = try Self.hdr()
            let caution = "PQ, BT.2020: shown without tone mapping; figures compare code values"
            let refused = try Program.run(["measure", film, hdr, "-o", Scratch.path("m.json")])
            expect(refused.status == 1 && refused.output.isEmpty && refused.errors.contains("--as-coded"), "\(refused)")
            for (arguments, words) in [
                (["measure", "--as-coded", film, hdr], "PQ, BT.2020; the reference BT.601 (assumed)"),
                (["measure", hdr, hdr], "both PQ, BT.2020"), (["check", hdr], "PQ, BT.2020"),
            ] {
                let result = try Program.run(arguments)
                expect(result.status, equals: 0, "\(result.errors)")
                expect(result.output.contains(caution) && result.output.contains(words), "\(result.output)")
            }
        }

        @Test func matricesAreConvertedAndReportedUnlessCodeValuesAreWanted() throws {
            let large = try Self.flat("1280x720", "bt709", "large.mp4")
            let other = try Measuring.ffmpeg(
                [
                    "-i", try Self.flat("1280x720", "bt601", "a.mp4"), "-c", "copy", "-bsf:v",
                    "h264_metadata=matrix_coefficients=6",
                ],
                "tagged.mp4")
            let both = try Measuring.measured([large, other])
            expect(both.rows[0].allSatisfy { ($0?.psnr[3] ?? 0) > 45 })
            expect(both.errors.contains("yuv420p, BT.601; they are measured as 1280x720 yuv420p, BT.709"))
            let coded = try Measuring.measured([large, other, "--as-coded"])
            expect(coded.rows[0].allSatisfy { ($0?.psnr[3] ?? 99) < 30 } && coded.errors.isEmpty)
            // FFmpeg scales the file and keeps the code values.
            let small = try Measuring.changed(large, ["-vf", "scale=720:576,\(Self.untagged)", "-c:v", "ffv1"])
            let scaled = try Measuring.measured([large, small])
            expect(scaled.rows[0].allSatisfy { ($0?.psnr[3] ?? 0) > 45 })
            expect(scaled.output.contains("neither states its matrix: code values are compared"), "\(scaled.output)")
        }

        @Test func checkNamesStoredAndShownSizesAndFields() throws {
            let film = try Measuring.ffmpeg(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=720x576:r=25:d=0.4", "-c:v", "mpeg2video", "-aspect", "16:9",
                    "-flags", "+ilme+ildct", "-top", "1",
                ], "pal.ts")
            let text = try Program.run(["check", film]).output
            expect(text.contains("mpeg2video, 720x576 shown as 1024x576 (sample aspect 64:45)"), "\(text)")
            expect(text.contains("interlaced, top field first"), "\(text)")
            let json = try Program.run(["check", "--json", film]).output
            for field in [
                "\"width\":1024", "\"coded-width\":720", "\"coded-height\":576", "\"sample-aspect\":\"64:45\"",
                "\"field-order\":\"top-first\"", "\"matrix\":\"bt.601\"",
            ] { expect(json.contains(field), "\(field): \(json)") }
            let turned = try Measuring.ffmpeg(
                ["-i", try Self.flat("128x72", "bt601", "b.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90"], "t.mp4")
            let sizes = try Program.run(["check", turned]).output
            expect(sizes.contains("128x72 shown as 72x128 (turned by "), "\(sizes)")
        }

        @Test func markedFramesAreDeinterlacedWhereThatIsWanted() throws {
            let whole = "testsrc2=s=128x72:r=50,format=yuv420p"
            let film = try Measuring.ffmpeg(
                [
                    "-f", "lavfi", "-i", "\(whole),tinterlace=interleave_top,setparams=field_mode=tff", "-frames:v",
                    "20", "-c:v", "libx264", "-preset", "veryfast", "-qp", "4", "-flags", "+ilme+ildct",
                    "-x264-params", "tff=1",
                ], "i.mp4")
            let made = try Measuring.changed(film, ["-vf", "bwdif=mode=send_frame", "-c:v", "ffv1"])
            // Our deinterlacer against FFmpeg's: the reference is progressive already.
            let with = try Measuring.measured([made, film, "--deinterlace"])
            expect(with.rows[0].count == 20 && with.rows[0].allSatisfy { $0?.psnr[0] == .infinity })
            expect(with.output.contains("field first, deinterlaced"), "\(with.output)")
            let without = try Measuring.measured([made, film])
            expect(without.rows[0].contains { ($0?.psnr[0] ?? 99) < 50 })
            func frames(_ item: [String: Any], _ options: [String] = []) throws -> String {
                let layout = try layout(tiles: [["play": item]])
                let result = try Program.run(
                    ["render", layout, "--size", "128x72", "--for", "0.8", "-o", "-"] + options)
                expect(result.status, equals: 0, "\(result.errors)")
                return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
            }
            let plain = try frames(["src": film]), item = try frames(["src": film, "deinterlace": true])
            let expected = try frames(["src": made])
            expect(item == expected && item != plain)
            try expect(frames(["src": film], ["--deinterlace"]), equals: item)
            try expect(frames(["src": film, "deinterlace": false], ["--deinterlace"]), equals: plain)
        }
    }
}
