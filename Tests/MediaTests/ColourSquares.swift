import CFFmpeg
import Expectations
import Testing

@testable import Base
@testable import Media

/// Squares of 8x8 pixels, one for each colour, in a row.
struct ColourSquares {
    let codes: [[Int]]
    let format: AVPixelFormat
    let isRGB: Bool
    private static let side = 8

    init(_ codes: [[Int]], _ format: AVPixelFormat) {
        (self.codes, self.format) = (codes, format)
        isRGB = Self.isRGB(format)
    }

    private static func isRGB(_ format: AVPixelFormat) -> Bool {
        av_pix_fmt_desc_get(format)!.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    }

    private static func bits(_ format: AVPixelFormat) -> Int { Int(av_pix_fmt_desc_get(format)!.pointee.comp.0.depth) }

    /// Code values of red, green and blue, or of Y, U and V in limited range.
    static func codes(_ signal: [Double], _ format: AVPixelFormat, _ weights: (red: Double, blue: Double)) -> [Int] {
        let bits = bits(format)
        if isRGB(format) { return signal.map { Int(($0 * Double(1 << bits - 1)).rounded()) } }
        let scale = Double(1 << (bits - 8)), (red, blue) = weights
        let luma = red * signal[0] + (1 - red - blue) * signal[1] + blue * signal[2]
        return [
            Int(((16 + 219 * luma) * scale).rounded()),
            Int(((128 + 224 * (signal[2] - luma) / (2 * (1 - blue))) * scale).rounded()),
            Int(((128 + 224 * (signal[0] - luma) / (2 * (1 - red))) * scale).rounded()),
        ]
    }

    /// The signal that code values stand for.
    static func signal(_ codes: [Int], _ format: AVPixelFormat, _ weights: (red: Double, blue: Double)) -> [Double] {
        let bits = bits(format)
        if isRGB(format) { return codes.map { Double($0) / Double(1 << bits - 1) } }
        let scale = Double(1 << (bits - 8)), (kr, kb) = weights
        let luma = (Double(codes[0]) / scale - 16) / 219
        let u = (Double(codes[1]) / scale - 128) / 224, v = (Double(codes[2]) / scale - 128) / 224
        let red = luma + 2 * (1 - kr) * v, blue = luma + 2 * (1 - kb) * u
        return [red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue].map { min(1, max(0, $0)) }
    }

    func codecFrame() throws -> CodecFrame {
        let side = Self.side, result = CodecFrame()
        let described = av_pix_fmt_desc_get(format)!
        result.av.pointee.format = format.rawValue
        (result.av.pointee.width, result.av.pointee.height) = (Int32(side * codes.count), Int32(side))
        try #require(av_frame_get_buffer(result.av, 0) >= 0)
        let components = [described.pointee.comp.0, described.pointee.comp.1, described.pointee.comp.2]
        for (number, component) in components.enumerated() {
            let isChroma = !isRGB && number > 0
            let (across, down) = (
                isChroma ? Int(described.pointee.log2_chroma_w) : 0, isChroma ? Int(described.pointee.log2_chroma_h) : 0
            )
            let base = qd_plane(result.av, component.plane)!, stride = Int(qd_stride(result.av, component.plane))
            for y in 0..<side >> down {
                for x in 0..<(side * codes.count) >> across {
                    let value = codes[(x << across) / side][number] << Int(component.shift)
                    let place = UnsafeMutableRawPointer(
                        base + y * stride + x * Int(component.step) + Int(component.offset))
                    if component.depth > 8 {
                        place.storeBytes(of: UInt16(value), as: UInt16.self)
                    } else {
                        place.storeBytes(of: UInt8(value), as: UInt8.self)
                    }
                }
            }
        }
        return result
    }

    /// Red, green and blue of each square.
    func shown(_ codecFrame: CodecFrame, _ settings: DecodeSettings) throws -> [[Int]] {
        let frame = try Scaler().frame(
            from: codecFrame, size: codecFrame.storage, settings: settings, formats: .all, pool: FrameBufferPool())
        expect(frame.format, equals: .bgra(.opaque))
        return codes.indices.map { index in
            let row = frame.planes[0].base + Self.side / 2 * frame.planes[0].stride
            let pixel = row + 4 * (index * Self.side + Self.side / 2)
            return [Int(pixel[2]), Int(pixel[1]), Int(pixel[0])]
        }
    }
}
