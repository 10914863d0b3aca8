import Base
import CFFmpeg
import Glibc

/// A growing FLAC file: stereo at the grid's rate, 24 bits. The written part can be played at any time, even if the
/// process is killed. Owned by one thread at a time.
///
/// The FLAC is written frame by frame and flushed. The JSON beside it is there before the first sample.
public final class TakeFile {
    private let path: String
    private let muxer: Muxer
    private let encoder: StreamEncoder
    private var frames: SoundFrames
    /// Size of the file up to its last whole frame.
    private var whole: (bytes: Int64, samples: Int64)

    /// Makes a new file; throws if one exists.
    public init(_ path: String) throws(FilmTrouble) {
        self.path = path
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw FilmTrouble(-errno, path, .unwritten) }
        close(file)
        do throws(FilmTrouble) {
            let spec = FilmSpec(format: .flac, size: Size(0, 0), rate: FrameRate(1, 1))
            muxer = try Muxer(spec.format, file: path, .growing)
            encoder = try StreamEncoder(of: .sound, spec, into: muxer)
            try muxer.open()
            try muxer.begin()
        } catch {
            unlink(path)
            throw error
        }
        (frames, whole) = (SoundFrames(for: encoder.codec, usual: 4096), (muxer.position, 0))
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
        try muxer.finish()
    }

    /// `frame`: nil at the end.
    private func send(_ frame: CodecFrame?) throws(FilmTrouble) {
        do throws(FilmTrouble) { try encoder.send(frame) } catch {
            abandon()
            throw error
        }
        whole = (muxer.position, whole.samples + Int64(frame?.av.pointee.nb_samples ?? 0))
    }

    /// Removes a partial frame after a failed write, such as on a full disk, and writes the length. The length in the
    /// header needs no additional space.
    private func abandon() {
        avio_closep(&muxer.context.pointee.pb)
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
