import Foundation

/// A film decoded by FFmpeg, in the decoder's own planes, and its colours by the standards' formulas in full precision.
///
/// A chroma sample shared by four pixels applies to all four. One shared by two pixels of a row is centred between
/// them, and each pixel lies a quarter of the way to the next sample.
public struct TrueColours {
    public enum Matrix: String, Sendable { case bt601 = "smpte170m", bt709, bt2020 = "bt2020nc" }
    public enum Range: String, Sendable { case limited = "tv", full = "pc" }
    private enum Sharing { case four, two, none }

    public let count: Int
    private let samples: [Int]
    private let width: Int
    private let height: Int
    private let bits: Int
    private let sharing: Sharing
    private let toColours: (_ y: Double, _ u: Double, _ v: Double) -> [Int]

    public init(
        _ file: String, _ format: String, _ width: Int, _ height: Int, _ matrix: Matrix, _ range: Range
    ) throws {
        let bytes = try decoded(file, format)
        bits = format.hasSuffix("10le") ? 10 : format.hasSuffix("12le") ? 12 : 8
        sharing = format.contains("420") ? .four : format.contains("422") ? .two : .none
        (self.width, self.height) = (width, height)
        samples =
            bits == 8
            ? bytes.map { Int($0) }
            : stride(from: 0, to: bytes.count - 1, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        count = samples.count / (width * height + 2 * TrueColours.chroma(sharing, width, height).count)
        toColours = TrueColours.formula(matrix, range, bits)
    }

    /// Red, green and blue of a pixel, 0 to 255.
    private func colour(_ x: Int, _ y: Int, _ number: Int) -> [Int] {
        let chroma = TrueColours.chroma(sharing, width, height)
        let luma = number * (width * height + 2 * chroma.count)
        func sample(_ plane: Int) -> Double {
            let row = luma + width * height + plane * chroma.count + (sharing == .four ? y / 2 : y) * chroma.width
            switch sharing {
            case .none: return Double(samples[row + x])
            case .four: return Double(samples[row + x / 2])
            case .two:
                let other = min(max(x / 2 + (x % 2 == 0 ? -1 : 1), 0), chroma.width - 1)
                return (3 * Double(samples[row + x / 2]) + Double(samples[row + other])) / 4
            }
        }
        return toColours(Double(samples[luma + y * width + x]), sample(0), sample(1))
    }

    /// The largest difference of a channel from frames of `shown` (red, green, blue). `shift` pairs each frame with a
    /// later one.
    public func largestDifference(from shown: [UInt8], shift: Int) -> Int {
        var largest = 0
        for number in 0..<count - shift {
            for y in 0..<height {
                for x in 0..<width {
                    let place = ((number * height + y) * width + x) * 3
                    for (channel, theirs) in colour(x, y, number + shift).enumerated() {
                        largest = max(largest, abs(Int(shown[place + channel]) - theirs))
                    }
                }
            }
        }
        return largest
    }

    private static func chroma(_ sharing: Sharing, _ width: Int, _ height: Int) -> (width: Int, count: Int) {
        let across = sharing == .none ? width : (width + 1) / 2
        return (across, across * (sharing == .four ? (height + 1) / 2 : height))
    }

    private static func formula(
        _ matrix: Matrix, _ range: Range, _ bits: Int
    ) -> (_ y: Double, _ u: Double, _ v: Double) -> [Int] {
        let (red, blue) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let green = 1 - red - blue
        let unit = Double(1 << (bits - 8))
        let whole = range == .full ? 256 * unit - 1 : 219 * unit
        let wholeColour = range == .full ? 256 * unit - 1 : 224 * unit
        let black = range == .full ? 0 : 16 * unit
        return { y, u, v in
            let (luma, u, v) = ((y - black) / whole, (u - 128 * unit) / wholeColour, (v - 128 * unit) / wholeColour)
            let r = luma + 2 * (1 - red) * v, b = luma + 2 * (1 - blue) * u
            let g = (luma - red * r - blue * b) / green
            return [r, g, b].map { Int((min(max($0, 0), 1) * 255).rounded()) }
        }
    }
}

/// All frames of a file as raw bytes in a pixel format, decoded by `ffmpeg`.
public func decoded(_ file: String, _ format: String) throws -> [UInt8] {
    let raw = Scratch.path("decoded.raw")
    defer { unlink(raw) }
    try run([
        "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-fps_mode", "passthrough", "-sws_flags",
        "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp", "-f", "rawvideo", "-pix_fmt", format, raw,
    ])
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
}
