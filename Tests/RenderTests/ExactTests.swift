import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Compares `exact` with FFmpeg's own decoding of the same file: every pixel of every frame.
    @Suite(.serialized) struct Exact {
        static let size = (width: 64, height: 48)
        static let frames = 8

        /// A film of one codec and pixel format, and the largest allowed difference of a channel from FFmpeg's, of 255.
        struct Kind: Sendable, CustomStringConvertible {
            enum Way: Sendable {
                /// YUV of 8 bits, or of more, of which 8 are kept: compared with the standards' formulas.
                case yuv(TrueColours.Matrix, TrueColours.Range)
                /// Formats that are converted: compared with FFmpeg's own conversion.
                case converted
            }
            let codec: String
            let format: String
            let container: String
            let way: Way
            let tolerance: Int
            let options: [String]
            var description: String { "\(codec) \(format) \(container)" }
            var file: String { "\(codec)-\(format).\(container)" }
        }

        private static func yuv(
            _ codec: String, _ format: String, _ container: String, _ matrix: TrueColours.Matrix = .bt601,
            _ range: TrueColours.Range = .limited, _ options: [String] = []
        ) -> Kind {
            let isDeep = format.hasSuffix("le")
            let tags =
                matrix == .bt601 && range == .limited
                ? [] : ["-colorspace", matrix.rawValue, "-color_range", range.rawValue]
            return Kind(
                codec: codec, format: format, container: container, way: .yuv(matrix, range),
                // The tolerance that doc/manual/performance.md states.
                tolerance: isDeep ? 4 : 2, options: tags + options)
        }

        private static func converted(_ codec: String, _ format: String, _ container: String) -> Kind {
            Kind(codec: codec, format: format, container: container, way: .converted, tolerance: 1, options: [])
        }

        private static let deblocked = ["-bf", "3", "-g", "8"]
        static let kinds = [
            yuv("libx264", "yuv420p", "mp4", .bt601, .limited, deblocked),
            yuv("libx264", "yuv422p", "mkv", .bt709), yuv("libx264", "yuv444p", "mkv", .bt709),
            yuv("libx264", "yuv420p10le", "mp4", .bt709, .limited, deblocked),
            yuv("libx265", "yuv420p", "mp4", .bt709, .limited, ["-x265-params", "log-level=none:bframes=3"]),
            yuv("libx265", "yuv420p12le", "mkv", .bt2020, .limited, ["-x265-params", "log-level=none"]),
            yuv("libx265", "yuv422p10le", "mkv", .bt709, .limited, ["-x265-params", "log-level=none"]),
            yuv("libvpx", "yuv420p", "webm"), yuv("libvpx-vp9", "yuv420p", "webm", .bt709),
            yuv("libvpx-vp9", "yuv444p10le", "webm", .bt709),
            yuv("libaom-av1", "yuv420p", "mp4", .bt709, .limited, ["-cpu-used", "8"]),
            yuv("libaom-av1", "yuv420p10le", "mkv", .bt2020, .full, ["-cpu-used", "8"]),
            yuv("mpeg4", "yuv420p", "mkv", .bt601, .limited, ["-bf", "2"]), yuv("mpeg2video", "yuv422p", "ts"),
            yuv("mjpeg", "yuvj420p", "avi", .bt601, .full), yuv("mjpeg", "yuvj422p", "mov", .bt601, .full),
            yuv("libtheora", "yuv420p", "ogg"), yuv("prores_ks", "yuv422p10le", "mov"),
            yuv("huffyuv", "yuv422p", "avi"),
            yuv("ffv1", "yuv420p", "mkv", .bt2020, .full), yuv("ffv1", "yuv444p12le", "mkv", .bt709, .full),
            converted("ffv1", "yuv411p", "mkv"), converted("ffv1", "gray", "mkv"), converted("ffv1", "gbrp10le", "mkv"),
            converted("ffv1", "bgr0", "mkv"), converted("libx264rgb", "bgr24", "mkv"),
            converted("utvideo", "gbrp", "avi"),
            converted("png", "rgb24", "mov"), converted("qtrle", "rgb24", "mov"),
        ]

        /// Makes all files in one run of `ffmpeg`.
        private static func make() throws -> String {
            let folder = try Scratch.newFolder("exact")
            var command = [
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "testsrc2=size=\(size.width)x\(size.height):rate=25,noise=alls=6:allf=t",
            ]
            for kind in kinds {
                command += ["-map", "0:v", "-frames:v", "\(frames)", "-c:v", kind.codec, "-pix_fmt", kind.format]
                command += ["-b:v", "800k", "-strict", "-2"] + kind.options + ["\(folder)/\(kind.file)"]
            }
            try run(command)
            return folder
        }

        /// The largest difference of a channel, and the number of frames. `shift` pairs each frame with a later one, to
        /// prove that differences are found.
        private static func worst(_ kind: Kind, _ folder: String, shift: Int = 0) throws -> (Int, count: Int) {
            let shown = try decoded("\(folder)/\(kind.file).png/%05d.png", "rgb24")
            let count = shown.count / (size.width * size.height * 3)
            var worst = 0
            switch kind.way {
            case .converted:
                let due = try decoded("\(folder)/\(kind.file)", "rgb24")
                guard due.count == shown.count else { return (255, count) }
                let from = shift * size.width * size.height * 3
                worst = PixelBytes.largestDifference(shown[...], due[from...])
            case .yuv(let matrix, let range):
                let due = try TrueColours("\(folder)/\(kind.file)", kind.format, size.width, size.height, matrix, range)
                guard due.count == count else { return (255, count) }
                worst = due.largestDifference(from: shown, shift: shift)
            }
            return (worst, count)
        }

        @Test func everyPixelIsWhatFFmpegDecodesInEachCodecAndFormat() throws {
            expect(Set(Self.kinds.map(\.codec)).count >= 8 && Set(Self.kinds.map(\.format)).count >= 10)
            let folder = try Self.make()
            let rendering = try Self.kinds.map { kind in
                let frames = "\(folder)/\(kind.file).png"
                try FileManager.default.createDirectory(atPath: frames, withIntermediateDirectories: true)
                return (
                    kind,
                    try Program([
                        "render", "\(folder)/\(kind.file)", "--size", "\(Self.size.width)x\(Self.size.height)", "--fps",
                        "25", "--tone-mapping", "off", "--for", "0.32", "-o", "\(frames)/%05d.png",
                    ])
                )
            }
            for (kind, program) in rendering {
                expect(program.child.wait(atMost: 60), equals: 0, "\(kind): \(program.child.errors)")
                let (worst, count) = try Self.worst(kind, folder)
                print("exact \(kind): off by \(worst) of 255 at most, \(count) frames")
                expect(count, equals: Self.frames, "\(kind)")
                expect(worst, atMost: kind.tolerance, "\(kind): off by \(worst)")
            }
            try expect(Self.worst(Self.kinds[0], folder, shift: 1).0, above: 60)
        }

        /// Another film begins in the same stream where the timestamps jump back.
        @Test(arguments: [[50, 25, 25], [25, 25, 25]]) func everySegmentOfAJoinedStreamIsWhole(_ segments: [Int]) throws
        {
            let file = Scratch.path("joined.ts")
            var whole = Data()
            for frames in segments {
                let segment = try clip(frames == 50 ? 1 : 2, frames) { $0.container = .ts }.file()
                whole += try Data(contentsOf: URL(fileURLWithPath: segment))
            }
            try whole.write(to: URL(fileURLWithPath: file))
            let film = Scratch.path("joined.mkv")
            let length = Double(segments.reduce(0, +)) / 30
            try RenderTests.render([file, "--fps", "30", "--for", "\(length)", "--size", "640x360", "-o", film])
            let footage = try Footage(film, width: 640, height: 360)
            let due = segments.flatMap { frames in
                (0..<frames).map { Reading.frame(Mark(clip: frames == 50 ? 1 : 2, number: $0)) }
            }
            try #require(footage.count == due.count)
            expect((0..<due.count).map { footage.read(Tile(Area(0, 0, 640, 360)), $0) }, equals: due)
        }

        /// AVI packets have decoding timestamps only, and those of B-frames can be mistaken for presentation
        /// timestamps.
        @Test func aLoopOfAnAVIWithBidirectionalFramesShowsNoneTwice() throws {
            let file = Scratch.path("bidirectional.avi")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-frames:v",
                "8",
                "-c:v", "mpeg4", "-bf", "2", file,
            ])
            let result = try Program.run(["render", file, "--size", "96x64", "--fps", "25", "--for", "0.64", "-o", "-"])
            let sums = RenderTests.sums(result.output)
            expect(sums.count, equals: 16)
            expect(Set(sums.prefix(8)).count == 8 && Array(sums.prefix(8)) == Array(sums.suffix(8)))
        }
    }
}
