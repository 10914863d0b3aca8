import CFFmpeg
import WallCore

/// A decoded frame as FFmpeg keeps it. Once it is handed out nobody changes it; any thread may let it go.
public final class CodecFrame: @unchecked Sendable {
    let av: UnsafeMutablePointer<AVFrame>
    private(set) var orientation = Orientation.upright
    /// A pixel's width over its height.
    private var aspect = AVRational(num: 1, den: 1)
    /// Colours as they were decided when it was decoded; nil for a frame of no stream.
    private var decided: SourceColorimetry?
    /// Field order at the decoder's output, if the frame went through bwdif; nil if the frame itself has it.
    private var fields: FieldOrder?
    private var isDeinterlaced = false

    init() throws(SourceTrouble) {
        guard let codecFrame = av_frame_alloc() else { throw SourceTrouble(.unreadable, words(for: qd_ENOMEM)) }
        av = codecFrame
    }

    deinit {
        var codecFrame: UnsafeMutablePointer<AVFrame>? = av
        av_frame_free(&codecFrame)
    }

    /// As it is stored.
    public var storage: Size { Size(Int(av.pointee.width), Int(av.pointee.height)) }

    /// Upright and in square pixels: the sample aspect and the rotation that it or its stream names.
    public var natural: Size { squarePixels(storage, aspect: aspect).turned(orientation.turn) }

    /// Has the colours of a frame of which it was made.
    func keepColours(of other: CodecFrame) { decided = other.decided }

    /// Colours of its samples: decided at decoding, or as the frame itself has them.
    var colorimetry: SourceColorimetry { decided ?? SourceColorimetry(of: av.pointee, kind: .video) }

    var codedTraits: CodedTraits {
        CodedTraits(colorimetry: colorimetry, fields: fields ?? FieldOrder(of: av), isDeinterlaced: isDeinterlaced)
    }

    /// What the stream says where the frame itself says nothing. `turned`: what the last frame said that said it, which
    /// goes until the next key frame; nil: none did.
    ///
    /// Decides the colours that neither of them says, and writes the matrix into the frame: nothing behind the decoder
    /// assumes anything by itself.
    func describe(
        by context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>,
        _ kind: SourceColorimetry.Kind, _ turned: inout Orientation?
    ) {
        let colorimetry = SourceColorimetry(of: av.pointee, kind: kind)
        if colorimetry.assumed.contains(.matrix), let number = colorimetry.matrix.number {
            av.pointee.colorspace = number
        }
        decided = colorimetry
        if qd_is_key_frame(av) != 0 { turned = nil }
        aspect = av_guess_sample_aspect_ratio(context, stream, av)
        if let side = av_frame_get_side_data(av, AV_FRAME_DATA_DISPLAYMATRIX), side.pointee.size >= 36 {
            turned = side.pointee.data.withMemoryRebound(to: Int32.self, capacity: 9) {
                Orientation(displayMatrix: $0)
            }
        }
        orientation = turned ?? Orientation(of: stream)
    }

    func noteFields(_ fields: FieldOrder, isDeinterlaced: Bool) {
        (self.fields, self.isDeinterlaced) = (fields, isDeinterlaced)
    }

    /// Of its samples.
    var bytes: Int {
        max(0, Int(av_image_get_buffer_size(AVPixelFormat(av.pointee.format), av.pointee.width, av.pointee.height, 1)))
    }
    /// Of a sample.
    var bits: Int { av_pix_fmt_desc_get(AVPixelFormat(av.pointee.format)).map { Int($0.pointee.comp.0.depth) } ?? 8 }

    func clear() {
        av_frame_unref(av)
        (decided, fields, isDeinterlaced) = (nil, nil, false)
    }

    /// The same samples, upright and in colours as those of another frame.
    func described(as codecFrame: CodecFrame) throws(SourceTrouble) -> CodecFrame {
        let result = try CodecFrame()
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

/// A frame of a reader, in time since the source's first frame.
public struct TimedFrame: Sendable {
    public var codecFrame: CodecFrame
    public var start: Time
    /// To the start of the next frame; an estimate for the last one.
    public var length: Time

    public init(codecFrame: CodecFrame, start: Time, length: Time) {
        (self.codecFrame, self.start, self.length) = (codecFrame, start, length)
    }
}
