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
            pixelFormat: av_get_pix_fmt_name(AVPixelFormat(av.pointee.format)).map { String(cString: $0) },
            size: storage)
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
    var bytes: Int {
        max(0, Int(av_image_get_buffer_size(AVPixelFormat(av.pointee.format), av.pointee.width, av.pointee.height, 1)))
    }
    /// Bits of a sample.
    var bits: Int { av_pix_fmt_desc_get(AVPixelFormat(av.pointee.format)).map { Int($0.pointee.comp.0.depth) } ?? 8 }

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

/// A frame from a reader. Times count from the source's first frame.
public struct TimedCodecFrame: Sendable {
    public var codecFrame: CodecFrame
    public var start: Time
    /// Time to the start of the next frame; an estimate for the last one.
    public var length: Time
}
