import Base
import CFFmpeg
import Decoded

/// A decoded frame as FFmpeg keeps it. Immutable once handed out; any thread may release it.
///
/// `describe` runs as a frame leaves its decoder. It decides the meaning of samples if neither frame nor stream states
/// it (`SourceColorimetry`), and writes the matrix into the frame. Code after the decoder assumes nothing.
public final class CodecFrame: @unchecked Sendable {
    let av = av_frame_alloc()!
    private(set) var orientation = Orientation.upright
    /// A pixel's width over its height.
    private var aspect = AVRational(num: 1, den: 1)
    /// Colours that were decided at decoding; nil for a frame without a stream.
    var decided: SourceColorimetry?
    /// Field order at the decoder's output, if the frame went through bwdif; nil if the frame itself has it.
    var fields: FieldOrder?
    var isDeinterlaced = false

    /// True if parts of the frame were missing when it was decoded.
    var isBroken: Bool { av.pointee.decode_error_flags != 0 || av.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }

    init() {}

    /// A frame of this size and pixel format, without memory for its samples.
    convenience init(_ size: Size, _ format: Int32) {
        self.init()
        (av.pointee.width, av.pointee.height, av.pointee.format) = (Int32(size.width), Int32(size.height), format)
    }

    deinit {
        var codecFrame: UnsafeMutablePointer<AVFrame>? = av
        av_frame_free(&codecFrame)
    }

    var format: AVPixelFormat { AVPixelFormat(av.pointee.format) }

    /// Size of the coded frame, in pixels.
    public var storage: Size { Size(Int(av.pointee.width), Int(av.pointee.height)) }

    /// Size upright and in square pixels, by the sample aspect and the rotation of the frame or of its stream.
    public var natural: Size { squarePixels(storage, aspect: aspect).turned(orientation.turn) }

    /// Size upright and in stored pixels.
    public var upright: Size { storage.turned(orientation.turn) }

    /// Colours of its samples: decided at decoding, or as stated in the frame itself.
    var colorimetry: SourceColorimetry { decided ?? SourceColorimetry(of: av.pointee, kind: .video) }

    var codedTraits: CodedTraits {
        CodedTraits(
            colorimetry: colorimetry, fields: fields ?? FieldOrder(of: av), isDeinterlaced: isDeinterlaced,
            pixelFormat: format.name, size: storage)
    }

    /// nil if the codec has no types of frames, or one that is none of these.
    var codedType: Frame.CodedType? {
        switch av.pointee.pict_type {
        case AV_PICTURE_TYPE_I: .intra
        case AV_PICTURE_TYPE_P: .predicted
        case AV_PICTURE_TYPE_B: .bidirectional
        default: nil
        }
    }

    /// Sets aspect and orientation, by the stream if the frame itself states none. `turned`: orientation that a frame
    /// stated last, valid until the next key frame; nil if none did.
    ///
    /// Decides colours that neither frame nor stream states, and writes the matrix into the frame, so that code after
    /// the decoder assumes nothing.
    func describe(
        by context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>,
        _ kind: SourceColorimetry.Kind, _ turned: inout Orientation?
    ) {
        var colorimetry = SourceColorimetry(of: av.pointee, kind: kind)
        colorimetry.add(LightLevels(of: av, in: stream), SourceColorimetry.DolbyVision(of: stream))
        if colorimetry.assumed.contains(.matrix), let number = colorimetry.matrix.number {
            av.pointee.colorspace = number
        }
        decided = colorimetry
        if qd_is_key_frame(av) != 0 { turned = nil }
        aspect = av_guess_sample_aspect_ratio(context, stream, av)
        if let side = av_frame_get_side_data(av, AV_FRAME_DATA_DISPLAYMATRIX)?.pointee {
            turned = Orientation(displayMatrix: side.data, bytes: Int(side.size)) ?? turned
        }
        orientation = turned ?? Orientation(of: stream)
    }

    /// Size of its samples, in bytes.
    var bytes: Int { max(0, Int(av_image_get_buffer_size(format, av.pointee.width, av.pointee.height, 1))) }
    /// Bits of a sample.
    var bits: Int { format.traits.map { Int($0.comp.0.depth) } ?? 8 }

    func clear() {
        av_frame_unref(av)
        (decided, fields, isDeinterlaced) = (nil, nil, false)
    }

    /// Returns the same samples with the orientation, aspect and colours of another frame.
    func described(as codecFrame: CodecFrame) throws(SourceTrouble) -> CodecFrame {
        let result = CodecFrame()
        let status = av_frame_ref(result.av, av)
        guard status >= 0 else { throw SourceTrouble(.unreadable, words(for: status)) }
        result.av.pointee.colorspace = codecFrame.av.pointee.colorspace
        result.av.pointee.color_range = codecFrame.av.pointee.color_range
        (result.orientation, result.aspect, result.decided) = (
            codecFrame.orientation, codecFrame.aspect, codecFrame.decided
        )
        return result
    }
}

extension AVPixelFormat {
    /// FFmpeg's name; nil for a number that FFmpeg does not know.
    var name: String? { av_get_pix_fmt_name(self).map { String(cString: $0) } }
    /// FFmpeg's description; nil for a number that FFmpeg does not know.
    var traits: AVPixFmtDescriptor? { av_pix_fmt_desc_get(self)?.pointee }

    /// Returns true if the description has one of these flags.
    func has(_ flags: Int32) -> Bool { (traits?.flags ?? 0) & UInt64(flags) != 0 }

    /// True for samples, or a palette, of red, green and blue.
    var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) }
}

/// A frame from a reader. Times count from the source's first frame.
public struct TimedCodecFrame: Sendable {
    public var codecFrame: CodecFrame
    public var start: Time
    /// Time to the start of the next frame; an estimate for the last one.
    public var length: Time
}

extension CodecFrame {
    /// Refers to the planes of a frame without retaining them.
    convenience init(planesOf frame: Frame) {
        self.init(frame.size, frame.format.pixels.rawValue)
        for (place, plane) in frame.planes.enumerated() {
            qd_set_plane(av, Int32(place), UnsafeMutablePointer(mutating: plane.base), Int32(plane.stride))
        }
        if let colours = frame.format.colours { tag(colours) }
    }

    /// Refers to the planes of a buffer without retaining them. `format`: one with planes of that layout.
    convenience init(planesOf buffer: PlaneBuffer, _ format: AVPixelFormat) {
        self.init(buffer.size, format.rawValue)
        for (place, plane) in buffer.planes.enumerated() { qd_set_plane(av, Int32(place), plane.base, plane.stride) }
    }

    /// States the meaning of its samples.
    func tag(_ colours: Colorimetry) {
        (av.pointee.colorspace, av.pointee.color_range) = (colours.matrix.number, colours.range.number)
    }
}

extension Frame.Format {
    /// nil if the format is not YUV.
    var colours: Colorimetry? {
        switch self {
        case .i420(let colours), .i444(let colours): colours
        case .bgra: nil
        }
    }

    fileprivate var pixels: AVPixelFormat {
        switch self {
        case .i420: AV_PIX_FMT_YUV420P
        case .i444: AV_PIX_FMT_YUV444P
        case .bgra: AV_PIX_FMT_BGRA
        }
    }
}

extension Colorimetry.Matrix {
    /// FFmpeg's number.
    var number: AVColorSpace {
        switch self {
        case .bt601: AVCOL_SPC_SMPTE170M
        case .bt709: AVCOL_SPC_BT709
        case .bt2020: AVCOL_SPC_BT2020_NCL
        }
    }
}

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
        guard format.traits != nil, !format.has(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL) else {
            throw SourceTrouble(.unsupported, "\(FrameShape(of: self).words) can't be cropped")
        }
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
        let traits = format.traits
        let one = orientation.stored(part.x, part.y)
        let other = orientation.stored(part.x + part.width, part.y + part.height)
        func side(_ a: Double, _ b: Double, _ length: Int, _ shift: UInt8) -> (first: Int, count: Int) {
            let step = 1 << Int(shift)
            func pixels(_ share: Double) -> Int { Int((share * Double(length)).rounded()) / step * step }
            let first = min(pixels(min(a, b)), max(0, length - step))
            return (first, max(min(step, length), min(pixels((a - b).magnitude), length - first)))
        }
        let across = side(one.x, other.x, storage.width, traits?.log2_chroma_w ?? 0)
        let down = side(one.y, other.y, storage.height, traits?.log2_chroma_h ?? 0)
        return Rect(across.first, down.first, across.count, down.count)
    }
}
