import Base
import CFFmpeg

/// Converts any sample format, rate and layout to interleaved stereo floats at the grid's rate.
///
/// Belongs to one thread. Follows changes of the format in mid-stream. Never blocks. Mends samples (`SampleGuard`)
/// before it converts them.
final class SoundConverter {
    private var context: OpaquePointer?
    /// Format for which `context` was made.
    private var format: (sample: Int32, rate: Int32, channels: Int32, mask: UInt64) = (-1, 0, 0, 0)
    private let channel: ItemAudio.Channel
    private var sampleGuard = SampleGuard()
    /// True once samples were no numbers or absurd.
    private(set) var hasMended = false

    init(channel: ItemAudio.Channel) { self.channel = channel }

    deinit { swr_free(&context) }

    /// Forgets the previous input. Called before unrelated input.
    func restart() { swr_free(&context) }

    /// Appends the converted samples to `samples`. If the frame has another format than the last one, the samples that
    /// the converter has held back are lost. nil drains the converter.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>?, into samples: inout [Float]) {
        if let frame {
            mend(frame)
            prepare(for: frame)
        }
        guard let context else { return }
        let capacity = Int(swr_get_out_samples(context, frame?.pointee.nb_samples ?? 0)) + 32
        let before = samples.count
        samples.append(contentsOf: repeatElement(0, count: capacity * 2))
        let count = samples.withUnsafeMutableBytes { bytes in
            let target = (bytes.baseAddress! + before * 4).assumingMemoryBound(to: UInt8.self)
            return max(0, Int(qd_resample(context, frame, target, Int32(capacity))))
        }
        samples.removeLast((capacity - count) * 2)
        guard channel != .both else { return }
        let chosen = channel == .left ? 0 : 1
        for index in stride(from: before, to: samples.count, by: 2) {
            samples[index + 1 - chosen] = samples[index + chosen]
        }
    }

    private func mend(_ frame: UnsafeMutablePointer<AVFrame>) {
        switch AVSampleFormat(frame.pointee.format) {
        case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP:
            let samples = planes(of: frame, Float.self)
            if sampleGuard.accepts(samples) || av_frame_make_writable(frame) < 0 { return }
            if sampleGuard.mend(planes(of: frame, Float.self)) { hasMended = true }
        case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP:
            let samples = planes(of: frame, Double.self)
            if sampleGuard.accepts(samples) || av_frame_make_writable(frame) < 0 { return }
            if sampleGuard.mend(planes(of: frame, Double.self)) { hasMended = true }
        default: break
        }
    }

    private func planes<Sample>(
        of frame: UnsafeMutablePointer<AVFrame>, _: Sample.Type
    ) -> [UnsafeMutableBufferPointer<Sample>] {
        let channels = Int(frame.pointee.ch_layout.nb_channels), count = Int(frame.pointee.nb_samples)
        let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(frame.pointee.format)) != 0
        return (0..<(isPlanar ? channels : 1)).compactMap { plane in
            guard let samples = frame.pointee.extended_data[plane] else { return nil }
            return UnsafeMutableBufferPointer(
                start: UnsafeMutableRawPointer(samples).assumingMemoryBound(to: Sample.self),
                count: isPlanar ? count : count * channels)
        }
    }

    private func prepare(for frame: UnsafeMutablePointer<AVFrame>) {
        let layout = frame.pointee.ch_layout
        let own = (
            sample: frame.pointee.format, rate: frame.pointee.sample_rate, channels: layout.nb_channels,
            mask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0
        )
        if own == format, context != nil { return }
        swr_free(&context)
        format = own
        // The converter copies both layouts. A default one holds no memory, and the frame owns that of its own.
        var (from, to) = (layout, AVChannelLayout())
        if layout.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&from, layout.nb_channels) }
        av_channel_layout_default(&to, 2)
        swr_alloc_set_opts2(
            &context, &to, AV_SAMPLE_FMT_FLT, Int32(SoundGrid.rate), &from, AVSampleFormat(own.sample), own.rate, 0, nil
        )
        if let context {
            // A downmix never exceeds full scale. A mono channel is as loud in both channels as it was alone.
            av_opt_set_double(UnsafeMutableRawPointer(context), "rematrix_maxval", 1, 0)
            if own.channels == 1 { swr_set_matrix(context, [1, 1], 1) }
        }
        if swr_init(context) < 0 { swr_free(&context) }
    }
}
