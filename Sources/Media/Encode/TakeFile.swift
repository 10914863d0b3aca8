import Base
import CFFmpeg
import Glibc

/// A growing FLAC file: stereo at the grid's rate, 24 bits. The written part can be played at any time, even if the
/// process is killed. Owned by one thread at a time.
///
/// The FLAC is written frame by frame and flushed. The JSON beside it is there before the first sample.
public final class TakeFile {
    private let path: String
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let encoder: UnsafeMutablePointer<AVCodecContext>
    private let frameSize: Int
    /// Interleaved samples of less than a frame.
    private var waiting: [Float] = []
    private var encoded: Int64 = 0
    private var isOpen = true
    /// Size of the file up to its last whole frame.
    private var whole: (bytes: Int64, samples: Int64)

    /// Makes a new file; throws if one exists.
    public init(_ path: String) throws(FilmTrouble) {
        _ = silencedLog
        self.path = path
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw TakeFile.trouble(-errno, path) }
        close(file)
        var context: UnsafeMutablePointer<AVFormatContext>?
        var encoder = avcodec_find_encoder(AV_CODEC_ID_FLAC).flatMap { avcodec_alloc_context3($0) }
        do throws(FilmTrouble) {
            guard let made = encoder, avformat_alloc_output_context2(&context, nil, "flac", nil) >= 0,
                let made2 = context
            else { throw FilmTrouble("FFmpeg's libraries here can't write FLAC") }
            try TakeFile.prepare(made, made2, path)
        } catch {
            if let context { avio_closep(&context.pointee.pb) }
            avformat_free_context(context)
            avcodec_free_context(&encoder)
            unlink(path)
            throw error
        }
        (self.context, self.encoder) = (context!, encoder!)
        frameSize = encoder!.pointee.frame_size > 0 ? Int(encoder!.pointee.frame_size) : 4096
        whole = (avio_seek(context!.pointee.pb, 0, SEEK_CUR), 0)
    }

    private static func prepare(
        _ encoder: UnsafeMutablePointer<AVCodecContext>, _ context: UnsafeMutablePointer<AVFormatContext>,
        _ path: String
    ) throws(FilmTrouble) {
        encoder.pointee.sample_rate = Int32(SoundGrid.rate)
        encoder.pointee.time_base = AVRational(num: 1, den: Int32(SoundGrid.rate))
        encoder.pointee.sample_fmt = AV_SAMPLE_FMT_S32
        encoder.pointee.bits_per_raw_sample = 24
        av_channel_layout_default(&encoder.pointee.ch_layout, 2)
        try check(avcodec_open2(encoder, nil, nil), path)
        guard let stream = avformat_new_stream(context, nil) else { throw FilmTrouble(qd_ENOMEM, path) }
        stream.pointee.time_base = encoder.pointee.time_base
        try check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder), path)
        try check(avio_open(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE), path)
        let status = avformat_write_header(context, nil)
        if status >= 0 { avio_flush(context.pointee.pb) }
        try check(min(status, context.pointee.pb.pointee.error), path)
    }

    deinit {
        if isOpen { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
        var encoder: UnsafeMutablePointer<AVCodecContext>? = encoder
        avcodec_free_context(&encoder)
    }

    /// Length of the recording.
    public var length: Time { SoundGrid.time(of: encoded + Int64(waiting.count / 2)) }

    /// Length that is in the file.
    public var wholeLength: Time { SoundGrid.time(of: whole.samples) }

    /// Writes interleaved stereo. Each whole frame is in the file when it returns.
    public func write(_ samples: ArraySlice<Float>) throws(FilmTrouble) {
        waiting += samples
        var place = 0
        while waiting.count - place >= frameSize * 2 {
            try encode(waiting[place..<place + frameSize * 2])
            place += frameSize * 2
        }
        waiting.removeFirst(place)
    }

    /// Writes the rest, and the length into the file's header.
    public func finish() throws(FilmTrouble) {
        if !waiting.isEmpty { try encode(waiting[...]) }
        waiting = []
        try send(nil)
        try TakeFile.check(av_write_trailer(context), path)
        avio_flush(context.pointee.pb)
        let status = context.pointee.pb.pointee.error
        isOpen = false
        let closed = avio_closep(&context.pointee.pb)
        try TakeFile.check(min(status, closed), path)
    }

    private func encode(_ samples: ArraySlice<Float>) throws(FilmTrouble) {
        var made = av_frame_alloc()
        defer { av_frame_free(&made) }
        guard let codecFrame = made else { throw FilmTrouble(qd_ENOMEM, path) }
        let count = samples.count / 2
        codecFrame.pointee.nb_samples = Int32(count)
        codecFrame.pointee.format = AV_SAMPLE_FMT_S32.rawValue
        codecFrame.pointee.sample_rate = Int32(SoundGrid.rate)
        av_channel_layout_copy(&codecFrame.pointee.ch_layout, &encoder.pointee.ch_layout)
        try TakeFile.check(av_frame_get_buffer(codecFrame, 0), path)
        let plane = UnsafeMutableRawPointer(qd_plane(codecFrame, 0)!).assumingMemoryBound(to: Int32.self)
        for (place, sample) in samples.enumerated() {
            plane[place] = Int32((max(-1, min(1, Double(sample))) * TakeFile.fullScale).rounded()) << 8
        }
        codecFrame.pointee.pts = encoded
        encoded += Int64(count)
        try send(codecFrame)
    }

    /// Largest sample of 24 bits.
    private static let fullScale = 8_388_607.0

    /// `frame`: nil at the end.
    private func send(_ codecFrame: UnsafeMutablePointer<AVFrame>?) throws(FilmTrouble) {
        try TakeFile.check(avcodec_send_frame(encoder, codecFrame), path)
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw FilmTrouble(qd_ENOMEM, path) }
        while true {
            let status = avcodec_receive_packet(encoder, packet)
            if status == qd_EAGAIN || status == qd_EOF { return }
            try TakeFile.check(status, path)
            packet.pointee.stream_index = 0
            let written = av_write_frame(context, packet)
            avio_flush(context.pointee.pb)
            let outcome = min(written, context.pointee.pb.pointee.error)
            if outcome < 0 { abandon() }
            try TakeFile.check(outcome, path)
            whole = (avio_seek(context.pointee.pb, 0, SEEK_CUR), whole.samples + packet.pointee.duration)
        }
    }

    /// Removes a partial frame after a failed write, such as on a full disk, and writes the length. The length in the
    /// header needs no additional space.
    private func abandon() {
        isOpen = false
        avio_closep(&context.pointee.pb)
        guard whole.bytes > 0, truncate(path, off_t(whole.bytes)) == 0 else { return }
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        // Field of the sample count in FLAC's STREAMINFO: the lower half of its first byte, and the four bytes after
        // it.
        let place: off_t = 21
        var field = [UInt8](repeating: 0, count: 5)
        guard pread(file, &field, field.count, place) == field.count else { return }
        field[0] = field[0] & 0xF0 | UInt8(truncatingIfNeeded: whole.samples >> 32) & 0x0F
        for index in 1..<5 { field[index] = UInt8(truncatingIfNeeded: whole.samples >> (8 * (4 - index))) }
        pwrite(file, field, field.count, place)
    }

    private static func check(_ status: Int32, _ path: String) throws(FilmTrouble) {
        if status < 0 { throw trouble(status, path) }
    }

    private static func trouble(_ status: Int32, _ path: String) -> FilmTrouble {
        var trouble = FilmTrouble(status, path)
        trouble.kind = .unwritten
        return trouble
    }
}
