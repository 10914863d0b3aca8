import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Colours of films on the display. SDL converts planes by a setting of the whole process, so films of different
    /// matrices and ranges are shown beside each other.
    @Suite struct CanvasColours {
        /// Meaning of a film's samples.
        struct Kind: Sendable {
            let matrix: String
            let range: String
            var format = "yuv420p"

            /// Returns the RGB colour of a sample by the standards' formulas.
            func colour(_ y: Double, _ u: Double, _ v: Double) -> Colour {
                let (red, blue) =
                    switch matrix {
                    case "bt709": (0.2126, 0.0722)
                    case "bt2020nc": (0.2627, 0.0593)
                    default: (0.299, 0.114)
                    }
                let isFull = range == "pc"
                let luma = isFull ? y / 255 : (y - 16) / 219
                let (u, v) = ((u - 128) / (isFull ? 255 : 224), (v - 128) / (isFull ? 255 : 224))
                let r = luma + 2 * (1 - red) * v, b = luma + 2 * (1 - blue) * u
                let g = (luma - red * r - blue * b) / (1 - red - blue)
                let parts = [r, g, b].map { Int((min(max($0, 0), 1) * 255).rounded()) }
                return Colour(parts[0], parts[1], parts[2])
            }

            /// Makes a film of one second. Its left and right halves have one sample value each. The tags are written
            /// into the stream behind the encoder: some versions of the `ffmpeg` tool ignore a filter's tags, others
            /// convert samples to those of the encoder.
            func film() throws -> String {
                let file = Scratch.path("\(matrix)-\(range)-\(format).mkv")
                func halves(_ part: KeyPath<(y: Double, u: Double, v: Double), Double>) -> String {
                    "if(lt(X\\,W/2)\\,\(samples[0][keyPath: part])\\,\(samples[1][keyPath: part]))"
                }
                let drawn = "geq=lum='\(halves(\.y))':cb='\(halves(\.u))':cr='\(halves(\.v))'"
                let number = ["bt709": 1, "smpte170m": 6, "bt2020nc": 9][matrix]!
                let tags = "matrix_coefficients=\(number):video_full_range_flag=\(range == "pc" ? 1 : 0)"
                try run([
                    "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "nullsrc=s=320x180:r=25:d=1,format=\(format),\(drawn)", "-c:v", "libx264", "-preset",
                    "veryfast", "-qp", "4", "-bsf:v", "h264_metadata=\(tags)", file,
                ])
                return file
            }
        }

        private static let kinds = [
            Kind(matrix: "smpte170m", range: "tv"), Kind(matrix: "bt709", range: "tv"),
            Kind(matrix: "smpte170m", range: "pc"), Kind(matrix: "bt709", range: "pc"),
            Kind(matrix: "bt2020nc", range: "tv"), Kind(matrix: "smpte170m", range: "tv", format: "yuv444p"),
        ]

        /// Shows six tiles on a canvas. Returns a photo of them, and each one's area.
        private func photo(of tiles: [[String: Any]], _ canvas: String) throws -> (photo: Photo, cells: [Area]) {
            let stage = try Stage(960, 360), (columns, rows) = (3, 2)
            let program = try stage.play(
                tiles: tiles, ["grid": ["columns": columns, "rows": rows]],
                options: [
                    "--canvas", canvas, "--pipelines", "6", "--paused", "--no-audio", "--trace-events", "start,picture",
                ])
            let shown = RealTime.wait(atMost: 20) { program.trace.events("picture").count >= tiles.count }
            expect(shown, "\(program.child.errors)")
            expect(program.trace.events("start").first?.text("canvas"), equals: canvas)
            RealTime.pass(0.2)
            let photo = try Photo(stage.display)
            withExtendedLifetime(program) {}
            return (photo, tiles.indices.map { stage.whole.cell($0 % columns, $0 / columns, of: columns, by: rows) })
        }

        @Test(arguments: ["cpu", "gpu"]) func coloursAreThoseOfTheStandards(_ canvas: String) throws {
            let films = try Self.kinds.map { try $0.film() }
            let shown = try photo(of: films.map { ["play": $0, "tone-mapping": ["curve": "off"]] }, canvas)
            for (cell, kind) in zip(shown.cells, Self.kinds) {
                for (half, sample) in samples.enumerated() {
                    let middle = Area(cell.x + cell.width * (1 + 2 * half) / 4 - 20, cell.y + 60, 40, 40)
                    let (seen, wanted) = (shown.photo.mean(middle), kind.colour(sample.y, sample.u, sample.v))
                    expect(seen.distance(to: wanted), atMost: 3, "\(kind), half \(half): \(seen), not \(wanted)")
                }
            }
        }

        /// HDR of one colour in BT.2020, as the film's samples state it.
        struct HDR: Sendable {
            let curve: ColourFormulas.Curve
            /// Y, U and V of 8 bits in limited range.
            let sample: (y: Double, u: Double, v: Double)

            /// Colour on a display whose white has 203 nits, by the standards' formulas.
            var colour: Colour {
                let luma = (sample.y - 16) / 219, u = (sample.u - 128) / 224, v = (sample.v - 128) / 224
                let red = luma + 1.4746 * v, blue = luma + 1.8814 * u
                let signal = [red, (luma - 0.2627 * red - 0.0593 * blue) / 0.6780, blue]
                let shown = ColourFormulas.shown(signal, curve, 1000, 203)
                let parts = shown.map { Int((255 * pow(min(1, max(0, $0)), 1 / 2.4)).rounded()) }
                return Colour(parts[0], parts[1], parts[2])
            }

            func film(_ name: String) throws -> String {
                let file = Scratch.path("\(name).mkv")
                try run([
                    "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    "nullsrc=s=320x180:r=25:d=1,format=yuv420p,"
                        + "geq=lum=\(sample.y):cb=\(sample.u):cr=\(sample.v)",
                    "-c:v", "libx264", "-preset", "veryfast", "-qp", "1", "-bsf:v",
                    "h264_metadata=colour_primaries=9:matrix_coefficients=9:video_full_range_flag=0:"
                        + "transfer_characteristics=\(curve == .pq ? 16 : 18)", file,
                ])
                return file
            }
        }

        private static let hdr = [
            HDR(curve: .pq, sample: (100, 128, 128)), HDR(curve: .pq, sample: (120, 120, 135)),
            HDR(curve: .pq, sample: (160, 126, 131)), HDR(curve: .hlg, sample: (100, 128, 128)),
            HDR(curve: .hlg, sample: (130, 120, 136)), HDR(curve: .hlg, sample: (190, 128, 128)),
        ]

        @Test(arguments: ["cpu", "gpu"]) func hdrIsShownByTheFormulas(_ canvas: String) throws {
            let films = try Self.hdr.enumerated().map { try $1.film("hdr\($0)") }
            let shown = try photo(of: films.map { ["play": $0] }, canvas)
            for (cell, hdr) in zip(shown.cells, Self.hdr) {
                let seen = shown.photo.mean(Area(cell.x + 140, cell.y + 70, 40, 40))
                expect(seen.distance(to: hdr.colour), atMost: 3, "\(hdr.sample): \(seen), not \(hdr.colour)")
            }
        }
    }
}

private let samples: [(y: Double, u: Double, v: Double)] = [(110, 100, 170), (150, 170, 90)]
