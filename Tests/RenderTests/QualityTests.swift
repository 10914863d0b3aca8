import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// `--quality auto` leaves out nothing that could be seen in tiles of half the size.
    @Suite struct Quality {
        /// A clip like a film: grain, slow and fast moves, groups of 250 frames, and references among the B-frames.
        private static func film(_ codec: [String], _ name: String) throws -> String {
            let path = Scratch.path(name)
            try run(
                [
                    "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "mandelbrot=size=640x360:rate=25:start_scale=0.4:end_scale=0.02,noise=alls=8:allf=t,rotate=0.2*t,format=yuv420p",
                    "-frames:v", "150",
                ] + codec + [path])
            return path
        }

        private static let h264 = [
            "-c:v", "libx264", "-preset", "fast", "-crf", "28", "-bf", "8", "-b-pyramid", "normal", "-g", "250",
            "-sc_threshold", "0",
        ]
        private static let hevc = [
            "-c:v", "libx265", "-preset", "ultrafast", "-crf", "30", "-x265-params",
            "log-level=none:keyint=250:bframes=4:scenecut=0",
        ]

        /// PSNR in dB of the frame that differs most, and the number of frames that differ.
        private func compare(_ film: String, size: String) throws -> (worst: Double, different: Int) {
            var files: [String] = []
            for quality in ["exact", "auto"] {
                files.append(Scratch.path("\(quality).mkv"))
                try render([
                    film, "--quality", quality, "--size", size, "--crf", "0", "--preset", "ultrafast", "--no-audio",
                    "-o", files.last!,
                ])
            }
            let report = Scratch.path("psnr.log")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-i", files[0], "-i", files[1], "-lavfi", "psnr=f=\(report)",
                "-f", "null", "-",
            ])
            let values = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").compactMap { line in
                line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }?.dropFirst(9)
            }
            expect(values.count, equals: 150)
            let finite = values.compactMap { Double($0) }.filter(\.isFinite)
            return (finite.min() ?? .infinity, finite.count)
        }

        @Test(arguments: ["h264", "hevc"]) func halfSizeLooksTheSame(_ codec: String) throws {
            let film = try Self.film(codec == "h264" ? Self.h264 : Self.hevc, "film-\(codec).mp4")
            let (worst, different) = try compare(film, size: "320x180")
            expect(worst, atLeast: 45, "\(worst) dB")
            expect(different, above: 0, "nothing was left out")
        }

        @Test func aLargerTileIsExact() throws {
            let film = try Self.film(Self.h264, "film.mp4")
            try expect(compare(film, size: "480x270").different, equals: 0)
        }
    }
}
