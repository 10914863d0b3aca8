import Base
import CFFmpeg
import Decoded

extension CodecFrame {
    /// Leaves out all pixels outside of `part`, which is in stored pixels. Does not copy the planes.
    func crop(to part: Rect) {
        av.pointee.crop_left = part.x
        av.pointee.crop_top = part.y
        av.pointee.crop_right = max(0, storage.width - part.maxX)
        av.pointee.crop_bottom = max(0, storage.height - part.maxY)
        _ = av_frame_apply_cropping(av, Int32(AV_FRAME_CROP_UNALIGNED))
    }

    /// Returns the part of the same frame, without copying samples. `part`: part of the frame as it is after
    /// `orientation`, in fractions. Throws if FFmpeg can't crop the format.
    func cropped(to part: Fractions, after orientation: Orientation) throws(SourceTrouble) -> CodecFrame {
        if part == .all { return self }
        let description = av_pix_fmt_desc_get(AVPixelFormat(av.pointee.format))?.pointee
        guard let description,
            description.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL) == 0
        else { throw SourceTrouble(.unsupported, "\(FrameShape(of: self).words) can't be cropped") }
        let result = try described(as: self)
        result.crop(to: storedPart(part, after: orientation))
        return result
    }

    /// Returns the part of a frame that is shown, and its place in stored pixels; nil if that is the whole frame.
    /// `crop`: the part of the frame as it is shown, in fractions.
    public static func part(_ crop: Fractions, of original: Frame.Original) throws(SourceTrouble) -> (
        CodecFrame, part: Rect?
    ) {
        guard let whole = original.codecFrame else { throw SourceTrouble(.unsupported, "a frame that was not decoded") }
        if crop == .all { return (whole, nil) }
        return (
            try whole.cropped(to: crop, after: original.orientation),
            whole.storedPart(crop, after: original.orientation)
        )
    }

    /// Returns a part in stored pixels, as FFmpeg's filter crop rounds it: to the nearest pixels, then down to whole
    /// samples of chroma.
    func storedPart(_ part: Fractions, after orientation: Orientation) -> Rect {
        let description = av_pix_fmt_desc_get(AVPixelFormat(av.pointee.format))?.pointee
        let one = orientation.stored(part.x, part.y)
        let other = orientation.stored(part.x + part.width, part.y + part.height)
        func side(_ a: Double, _ b: Double, _ length: Int, _ shift: UInt8) -> (first: Int, count: Int) {
            let step = 1 << Int(shift)
            func pixels(_ share: Double) -> Int { Int((share * Double(length)).rounded()) / step * step }
            let first = min(pixels(min(a, b)), max(0, length - step))
            return (first, max(min(step, length), min(pixels((a - b).magnitude), length - first)))
        }
        let across = side(one.x, other.x, storage.width, description?.log2_chroma_w ?? 0)
        let down = side(one.y, other.y, storage.height, description?.log2_chroma_h ?? 0)
        return Rect(across.first, down.first, across.count, down.count)
    }
}
