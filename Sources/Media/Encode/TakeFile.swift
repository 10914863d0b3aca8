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
    private let encoder: CodecContext
    private var frames: SoundFrames
    /// Size of the file up to its last whole frame.
    private var whole: (bytes: Int64, samples: Int64)

    /// Makes a new file; throws if one exists.
    public init(_ path: String) throws(FilmTrouble) {
        _ = silencedLog
        self.path = path
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw FilmTrouble(-errno, path, .unwritten) }
        close(file)
        var made: UnsafeMutablePointer<AVFormatContext>?
        guard let encoder = avcodec_find_encoder(AV_CODEC_ID_FLAC).flatMap({ CodecContext($0) }),
            avformat_alloc_output_context2(&made, nil, "flac", nil) >= 0, let context = made
        else {
            unlink(path)
            throw FilmTrouble("FFmpeg's libraries here can't write FLAC")
        }
        let status = TakeFile.begin(encoder.av, context, path)
        (self.context, self.encoder, frames) = (context, encoder, SoundFrames(for: encoder, usual: 4096))
        whole = (avio_seek(context.pointee.pb, 0, SEEK_CUR), 0)
        if status < 0 { unlink(path) }
        try FilmTrouble.check(status, path, .unwritten)
    }

    /// Opens the encoder and the file, and writes the file's head. Returns a status of FFmpeg's.
    private static func begin(
        _ encoder: UnsafeMutablePointer<AVCodecContext>, _ context: UnsafeMutablePointer<AVFormatContext>,
        _ path: String
    ) -> Int32 {
        SoundFrames.prepare(encoder, AV_SAMPLE_FMT_S32)
        encoder.pointee.bits_per_raw_sample = 24
        var status = avcodec_open2(encoder, nil, nil)
        if status < 0 { return status }
        guard let stream = avformat_new_stream(context, nil) else { return qd_ENOMEM }
        stream.pointee.time_base = encoder.pointee.time_base
        status = avcodec_parameters_from_context(stream.pointee.codecpar, encoder)
        if status >= 0 { status = avio_open(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE) }
        if status >= 0 { status = avformat_write_header(context, nil) }
        guard status >= 0 else { return status }
        avio_flush(context.pointee.pb)
        return context.pointee.pb.pointee.error
    }

    deinit {
        avio_closep(&context.pointee.pb)
        avformat_free_context(context)
    }

    /// Length of the recording.
    public var length: Time { SoundGrid.time(of: frames.count) }

    /// Length that is in the file.
    public var wholeLength: Time { SoundGrid.time(of: whole.samples) }

    /// Writes interleaved stereo. Each whole frame is in the file when it returns.
    public func write(_ samples: ArraySlice<Float>) throws(FilmTrouble) { try frames.add(samples, send) }

    /// Writes the rest, and the length into the file's header.
    public func finish() throws(FilmTrouble) {
        try frames.finish(send)
        try send(nil)
        try FilmTrouble.check(av_write_trailer(context), path, .unwritten)
        avio_flush(context.pointee.pb)
        let status = context.pointee.pb.pointee.error
        let closed = avio_closep(&context.pointee.pb)
        try FilmTrouble.check(min(status, closed), path, .unwritten)
    }

    /// `frame`: nil at the end.
    private func send(_ frame: CodecFrame?) throws(FilmTrouble) {
        try encoder.encode(frame) { (packet, status) throws(FilmTrouble) in
            try FilmTrouble.check(status, path, .unwritten)
            guard let packet else { return }
            let written = av_write_frame(context, packet)
            avio_flush(context.pointee.pb)
            let outcome = min(written, context.pointee.pb.pointee.error)
            if outcome < 0 { abandon() }
            try FilmTrouble.check(outcome, path, .unwritten)
            whole = (avio_seek(context.pointee.pb, 0, SEEK_CUR), whole.samples + packet.pointee.duration)
        }
    }

    /// Removes a partial frame after a failed write, such as on a full disk, and writes the length. The length in the
    /// header needs no additional space.
    private func abandon() {
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
}
