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
            let refused = try Program.run(["measure", film, hdr, "-o", Scratch.path("m.json")])
            expect(refused.status == 1 && refused.output.isEmpty && refused.errors.contains("--as-coded"), "\(refused)")
            expect(refused.errors.contains("--space sdr"))
            let coded = "figures compare code values", mapped = "tone-mapped by BT.2390: 1000 nits (assumed) to 203"
            for (arguments, words) in [
                (["measure", "--as-coded", film, hdr], ["PQ, BT.2020; the reference BT.601 (assumed)", coded]),
                (["measure", hdr, hdr], ["both PQ, BT.2020", coded]),
                (["measure", "--space", "sdr", film, hdr], ["on an SDR display", mapped, "psnr-average"]),
                (["measure", "--space", "linear", film, hdr], ["luminance in nits, encoded by PQ", "psnr-pq"]),
                (["check", hdr], ["PQ, BT.2020", mapped, "BT.2020 mapped to BT.709"]),
            ] {
                let result = try Program.run(arguments)
                expect(result.status, equals: 0, "\(result.errors)")
                for word in words { expect(result.output.contains(word), "\(word): \(result.output)") }
            }
            for options in [["--space", "sdr", "--as-coded"], ["--space", "linear", "--vmaf"], ["--space", "ictcp"]] {
                try expect(Program.run(["measure"] + options + [film, hdr]).status, equals: 2)
            }
            // The format between the film and the display is no concern of users.
            let sdr = try Program.run(["measure", "--space", "sdr", film, hdr])
            expect(!sdr.errors.contains("its frames are"), "\(sdr.errors)")
            let equal = try Program.run(["measure", "--space", "linear", hdr, hdr])
            expect(equal.status == 0 && equal.output.contains("psnr-pq  inf"), "\(equal.output)")
        }

        /// A matrix that swscale does not know is no reason to take the samples for equal.
        @Test func samplesOfAnotherKindAreNotComparedSilently() throws {
            func film(_ matrix: String, _ primaries: String = "bt2020") throws -> String {
                try Measuring.ffmpeg(
                    [
                        "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.12,format=yuv444p10le", "-c:v", "ffv1",
                        "-color_trc", "smpte2084", "-color_primaries", primaries, "-colorspace", matrix,
                    ], "\(matrix)-\(primaries).mkv")
            }
            let usual = try film("bt2020nc"), ictcp = try film("ictcp"), cinema = try film("bt2020nc", "smpte428")
            let refused = try Program.run(["measure", usual, ictcp])
            expect(refused.status == 1 && refused.errors.contains("PQ, BT.2020, matrix ICtCp"), "\(refused.errors)")
            let linear = try Program.run(["measure", "--space", "linear", usual, ictcp])
            expect(linear.status == 0 && !linear.output.contains("inf"), "\(linear.output)")
            let unknown = try Program.run(["measure", "--space", "sdr", usual, cinema])
            expect(unknown.status == 1 && unknown.errors.contains("the primaries smpte428"), "\(unknown.errors)")
        }

        /// Grey of 100 nits, in PQ and in SDR whose white has 203 nits.
        @Test func spacesMakeHDRAndSDRComparable() throws {
            func flat(_ name: String, _ luma: Int, _ tags: String, _ hdr: String) throws -> String {
                try Measuring.ffmpeg(
                    [
                        "-f", "lavfi", "-i",
                        "color=black:s=128x72:r=25:d=0.2,format=yuv420p10le,geq=lum=\(luma):cb=512:cr=512",
                        "-c:v", "libx265", "-x265-params", "log-level=none:lossless=1:range=limited:\(tags)\(hdr)",
                    ], name)
            }
            // PQ's signal of 100 nits is 0.508078; (100/203) to the power of 1/2.4 is 0.744517.
            let pq = try flat(
                "pq.mp4", 509, "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc", ":max-cll=203,100")
            let sdr = try flat("sdr.mp4", 716, "colorprim=bt709:transfer=bt709:colormatrix=bt709", "")
            // A difference of one code value in ten bits has about 60 dB.
            let text = try Program.run(["measure", "--space", "linear", sdr, pq]).output
            expect(text.contains("psnr-pq"), "\(text)")
            let level = text.split(separator: "\n").first { $0.contains("psnr-pq") }?.split(separator: " ")[1]
            expect(level.flatMap { Double($0) } ?? 0, above: 55, "\(text)")
            let shown = try Program.run(["measure", "--space", "sdr", sdr, pq]).output
            let average = shown.split(separator: "\n").first { $0.contains("psnr-average") }?.split(separator: " ")[1]
            expect(average.flatMap { $0 == "inf" ? 99 : Double($0) } ?? 0, above: 46, "\(shown)")
        }

        @Test func filmsAreTaggedAndNoHDRIsWritten() throws {
            let folder = try Scratch.newFolder("tagged"), hdr = try Self.hdr()
            let refused = try Program.run(["render", "--keep-hdr", hdr, "-o", "a.mp4"], folder: folder)
            expect(refused.status == 2 && refused.errors.contains("in SDR"), "\(refused.errors)")
            let rendered = try Program.run(
                ["render", "--for", "0.08", "--size", "128x72", hdr, "-o", "a.mp4"], folder: folder)
            expect(rendered.status, equals: 0, "\(rendered.errors)")
            let tags = try run([
                "ffprobe", "-v", "error", "-show_entries",
                "stream=color_range,color_space,color_transfer,color_primaries",
                "-of", "csv=p=0", "\(folder)/a.mp4",
            ])
            expect(tags.trimmingCharacters(in: .whitespacesAndNewlines), equals: "tv,bt709,bt709,bt709")
            _ = try Program.run(["snapshot", "--at", "0", "--size", "128x72", hdr, "-o", "a.png"], folder: folder)
            let png = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/a.png"))
            expect(png.range(of: Data("sRGB".utf8)) != nil)
        }

        /// The levels are in the film's frames. A film with its last second black is to be mended.
        @Test func theCommandThatMendsHDRKeepsItsLevels() throws {
            let film = try Measuring.ffmpeg(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=1,drawbox=t=fill:c=black:enable='gt(t,0.5)'",
                    "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
                    "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=800,200",
                ], "black.mkv")
            let text = try Program.run(["check", film]).output
            expect(text.contains("-c:v libx265") && text.contains("max-cll=800,200"), "\(text)")
        }

        /// A film in BT.2020 that was mastered on a display of P3.
        @Test func theCommandThatMendsHDRKeepsItsMasteringDisplay() throws {
            let display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
            let film = try Measuring.ffmpeg(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=1,drawbox=t=fill:c=black:enable='gt(t,0.5)'",
                    "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
                    "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=\(display)",
                ], "p3.mkv")
            let text = try Program.run(["check", film]).output
            expect(text.contains("master-display=\(display)"), "\(text)")
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
