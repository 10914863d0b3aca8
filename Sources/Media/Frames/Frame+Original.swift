import Base
import CFFmpeg
import CYUV
import Decoded

extension Frame.Original {
    /// `isShared`: true if the frame has the codec frame's own planes.
    init(_ codecFrame: CodecFrame, oriented orientation: Orientation, isShared: Bool) {
        self.init(
            codecFrame, codecFrame.colorimetry, bits: codecFrame.bits, orientation,
            bytes: isShared ? 0 : codecFrame.bytes, read: { $0.pixelValues(atX: $1, y: $2) })
    }

    /// The decoded frame; nil for a frame that was not decoded here.
    var codecFrame: CodecFrame? { decoded as? CodecFrame }
}

extension Frame {
    /// Returns the pixel at these shares of width and height, from 0 to 1; nil if the frame has kept no original.
    fileprivate func pixelValues(atX x: Double, y: Double) -> PixelValues? {
        guard let original, let codecFrame = original.codecFrame else { return nil }
        let size = codecFrame.storage, place = original.orientation.stored(x, y)
        let (column, row) = (pixel(place.x, size.width), pixel(place.y, size.height))
        guard let samples = codecFrame.samples(column, row) else { return nil }
        let shown = colour(pixel(x, self.size.width), pixel(y, self.size.height))
        return PixelValues(x: column, y: row, samples: samples, bits: codecFrame.bits, shown)
    }

    /// Returns a pixel's colour as presented.
    private func colour(_ x: Int, _ y: Int) -> Color {
        var pixel = (blue: UInt8(0), green: UInt8(0), red: UInt8(0), alpha: UInt8(0))
        withUnsafeMutableBytes(of: &pixel) { pixel in
            let target = pixel.baseAddress!.assumingMemoryBound(to: UInt8.self)
            func place(_ plane: Int, _ x: Int, _ y: Int) -> UnsafePointer<UInt8> {
                planes[plane].base + y * planes[plane].stride + x
            }
            switch format {
            case .i420(let colorimetry):
                I420ToARGBMatrix(
                    place(0, x, y), 1, place(1, x / 2, y / 2), 1, place(2, x / 2, y / 2), 1, target, 4,
                    yuvConstants(colorimetry), 1, 1)
            case .i444(let colorimetry):
                I444ToARGBMatrix(
                    place(0, x, y), 1, place(1, x, y), 1, place(2, x, y), 1, target, 4, yuvConstants(colorimetry), 1, 1)
            case .bgra: target.update(from: place(0, x * 4, y), count: 4)
            }
        }
        return Color(red: pixel.red, green: pixel.green, blue: pixel.blue)
    }
}

private func pixel(_ share: Double, _ count: Int) -> Int { max(0, min(count - 1, Int(share * Double(count)))) }

extension CodecFrame {
    /// Returns the samples of one pixel; nil if FFmpeg can't read the format.
    fileprivate func samples(_ x: Int, _ y: Int) -> [PixelValues.Sample]? {
        guard let described = av_pix_fmt_desc_get(AVPixelFormat(av.pointee.format)) else { return nil }
        let description = described.pointee, flags = description.flags
        guard flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0 else { return nil }
        func sample(_ component: Int, _ column: Int, _ row: Int) -> Int {
            var value: UInt16 = 0
            qd_read_sample(av, described, Int32(column), Int32(row), Int32(component), &value)
            return Int(value)
        }
        if flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 {
            guard let palette = qd_plane(av, 1) else { return nil }
            // Words of 0xAARRGGBB, in this machine's order.
            let colour = palette + 4 * sample(0, x, y)
            return [("R", 2), ("G", 1), ("B", 0), ("A", 3)].map { PixelValues.Sample($0, Int(colour[$1])) }
        }
        let isColour = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        let count = Int(description.nb_components)
        let names = isColour ? ["R", "G", "B", "A"] : count < 3 ? ["Y", "A"] : ["Y", "U", "V", "A"]
        return (0..<count).map { component in
            let isChroma = !isColour && names[component] != "Y" && names[component] != "A"
            let column = isChroma ? x >> Int(description.log2_chroma_w) : x
            let row = isChroma ? y >> Int(description.log2_chroma_h) : y
            return PixelValues.Sample(names[component], sample(component, column, row))
        }
    }
}
