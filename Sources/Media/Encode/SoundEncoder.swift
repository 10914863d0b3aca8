import Base
import CFFmpeg

/// Encodes stereo samples at the grid's rate for a muxer. Owned by one thread at a time.
final class SoundEncoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packets: PacketMover
    private let frameSize: Int
    /// Interleaved samples of less than a frame.
    private var waiting: [Float] = []
    private var count: Int64 = 0

    private static let bitRate: Int64 = 192_000

    init(_ spec: FilmSpec, into muxer: Muxer) throws(FilmTrouble) {
        let codec = try encoder(spec.format.soundEncoders, kind: "sound", of: spec.format)
        var made = avcodec_alloc_context3(codec)
        guard let context = made else { throw FilmTrouble(qd_ENOMEM, "making an encoder") }
        context.pointee.sample_rate = Int32(SoundGrid.rate)
        context.pointee.time_base = AVRational(num: 1, den: Int32(SoundGrid.rate))
        context.pointee.bit_rate = SoundEncoder.bitRate
        context.pointee.sample_fmt = SoundEncoder.sampleFormat(of: codec)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        if muxer.wantsGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        av_channel_layout_default(&context.pointee.ch_layout, 2)
        do throws(FilmTrouble) {
            let status = avcodec_open2(context, codec, nil)
            if status < 0 { throw FilmTrouble(status, "opening the encoder \(String(cString: codec.pointee.name))") }
            packets = PacketMover(context, try muxer.add(context), muxer)
        } catch {
            avcodec_free_context(&made)
            throw error
        }
        self.context = context
        frameSize = context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) : 1024
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Encodes interleaved stereo.
    func encode(_ samples: [Float]) throws(FilmTrouble) {
        waiting += samples
        var place = 0
        while waiting.count - place >= frameSize * 2 {
            try send(waiting[place..<place + frameSize * 2])
            place += frameSize * 2
        }
        waiting.removeFirst(place)
    }

    func finish() throws(FilmTrouble) {
        if !waiting.isEmpty { try send(waiting[...]) }
        waiting = []
        try packets.send(nil, lasting: 0)
    }

    private func send(_ samples: ArraySlice<Float>) throws(FilmTrouble) {
        var made = av_frame_alloc()
        defer { av_frame_free(&made) }
        guard let codecFrame = made else { throw FilmTrouble(qd_ENOMEM, "encoding") }
        codecFrame.pointee.nb_samples = Int32(samples.count / 2)
        codecFrame.pointee.format = context.pointee.sample_fmt.rawValue
        codecFrame.pointee.sample_rate = Int32(SoundGrid.rate)
        av_channel_layout_copy(&codecFrame.pointee.ch_layout, &context.pointee.ch_layout)
        let status = av_frame_get_buffer(codecFrame, 0)
        guard status >= 0 else { throw FilmTrouble(status, "encoding") }
        fill(codecFrame, samples)
        codecFrame.pointee.pts = count
        count += Int64(samples.count / 2)
        try packets.send(codecFrame, lasting: Int64(samples.count / 2))
    }

    private func fill(_ codecFrame: UnsafeMutablePointer<AVFrame>, _ samples: ArraySlice<Float>) {
        samples.withUnsafeBufferPointer { samples in
            switch context.pointee.sample_fmt {
            case AV_SAMPLE_FMT_FLTP:
                for channel in 0..<2 {
                    let plane = UnsafeMutableRawPointer(qd_plane(codecFrame, Int32(channel))!)
                        .assumingMemoryBound(to: Float.self)
                    for index in 0..<samples.count / 2 { plane[index] = samples[index * 2 + channel] }
                }
            case AV_SAMPLE_FMT_FLT:
                UnsafeMutableRawPointer(qd_plane(codecFrame, 0)!).copyMemory(
                    from: samples.baseAddress!, byteCount: samples.count * 4)
            default:
                let plane = UnsafeMutableRawPointer(qd_plane(codecFrame, 0)!).assumingMemoryBound(to: Int16.self)
                for index in samples.indices {
                    plane[index] = Int16((max(-1, min(1, samples[index])) * 32767).rounded())
                }
            }
        }
    }

    /// Returns one of the three formats that `fill` supports; each encoder in use takes one of them.
    private static func sampleFormat(of codec: UnsafePointer<AVCodec>) -> AVSampleFormat {
        [AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT].first { qd_takes_samples(codec, $0) != 0 } ?? AV_SAMPLE_FMT_S16
    }
}
