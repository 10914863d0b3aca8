import Base
import CFFmpeg

/// Makes frames for an encoder of interleaved stereo at the grid's rate. Owned by one thread at a time.
struct SoundFrames {
    private let context: CodecContext
    private let size: Int
    /// Interleaved samples of less than a frame.
    private var waiting: [Float] = []
    /// Number of samples in the frames so far.
    private var made: Int64 = 0

    /// Largest sample of 24 bits.
    private static let fullScale = 8_388_607.0

    /// `context`: an open encoder. `usual`: size of a frame, if the encoder takes any size.
    init(for context: CodecContext, usual: Int) {
        self.context = context
        size = context.av.pointee.frame_size > 0 ? Int(context.av.pointee.frame_size) : usual
    }

    /// Returns one of the formats of `fill`; each encoder in use takes one of them.
    static func format(for codec: UnsafePointer<AVCodec>) -> AVSampleFormat {
        [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT].first { qd_takes_samples(codec, $0) != 0 } ?? AV_SAMPLE_FMT_S16
    }

    /// Sets what an encoder must know of the samples before it is opened.
    static func prepare(_ context: UnsafeMutablePointer<AVCodecContext>, _ format: AVSampleFormat) {
        context.pointee.sample_rate = Int32(SoundGrid.rate)
        context.pointee.time_base = AVRational(num: 1, den: Int32(SoundGrid.rate))
        context.pointee.sample_fmt = format
        if format == AV_SAMPLE_FMT_S32 { context.pointee.bits_per_raw_sample = 24 }
        av_channel_layout_default(&context.pointee.ch_layout, 2)
    }

    /// Number of samples that were added.
    var count: Int64 { made + Int64(waiting.count / 2) }

    /// Sends the frames that the samples complete.
    mutating func add(
        _ samples: some Sequence<Float>, _ send: (CodecFrame) throws(FilmTrouble) -> Void
    ) throws(FilmTrouble) {
        waiting += samples
        var place = 0
        while waiting.count - place >= size * 2 {
            try send(frame(of: waiting[place..<place + size * 2]))
            place += size * 2
        }
        waiting.removeFirst(place)
    }

    /// Sends the samples that are left as a shorter frame.
    mutating func finish(_ send: (CodecFrame) throws(FilmTrouble) -> Void) throws(FilmTrouble) {
        if !waiting.isEmpty { try send(frame(of: waiting[...])) }
        waiting = []
    }

    private mutating func frame(of samples: ArraySlice<Float>) throws(FilmTrouble) -> CodecFrame {
        let frame = CodecFrame(), count = samples.count / 2
        frame.av.pointee.nb_samples = Int32(count)
        frame.av.pointee.format = context.av.pointee.sample_fmt.rawValue
        frame.av.pointee.sample_rate = Int32(SoundGrid.rate)
        av_channel_layout_copy(&frame.av.pointee.ch_layout, &context.av.pointee.ch_layout)
        try FilmTrouble.check(av_frame_get_buffer(frame.av, 0), "encoding")
        fill(frame.av, samples)
        frame.av.pointee.pts = made
        made += Int64(count)
        return frame
    }

    private func fill(_ codecFrame: UnsafeMutablePointer<AVFrame>, _ samples: ArraySlice<Float>) {
        func plane<Sample>(_ index: Int32) -> UnsafeMutablePointer<Sample> {
            UnsafeMutableRawPointer(qd_plane(codecFrame, index)!).assumingMemoryBound(to: Sample.self)
        }
        samples.withUnsafeBufferPointer { samples in
            switch context.av.pointee.sample_fmt {
            case AV_SAMPLE_FMT_FLTP:
                for channel in 0..<2 {
                    let plane: UnsafeMutablePointer<Float> = plane(Int32(channel))
                    for index in 0..<samples.count / 2 { plane[index] = samples[index * 2 + channel] }
                }
            case AV_SAMPLE_FMT_FLT: plane(0).update(from: samples.baseAddress!, count: samples.count)
            case AV_SAMPLE_FMT_S32:
                let plane: UnsafeMutablePointer<Int32> = plane(0)
                for index in samples.indices {
                    plane[index] = Int32((max(-1, min(1, Double(samples[index]))) * Self.fullScale).rounded()) << 8
                }
            default:
                let plane: UnsafeMutablePointer<Int16> = plane(0)
                for index in samples.indices {
                    plane[index] = Int16((max(-1, min(1, samples[index])) * 32767).rounded())
                }
            }
        }
    }
}
