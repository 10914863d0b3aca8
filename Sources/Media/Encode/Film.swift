import Threads

/// A film that is being written: frames go in, a file comes out. A separate thread encodes and writes.
///
/// Used by one thread. `finish` or `abandon` ends it and joins the writing thread.
public final class Film {
    private let state: Locked<State>
    /// Bounded, so that only some frames and pieces of sound lie between the drawing and the encoding thread.
    private let tasks = TaskQueue("film", .usual, most: 8)
    private let converter: RasterConverter
    private var count: Int64 = 0

    private struct State {
        /// nil once nothing more is to be written.
        var writer: FilmWriter?
        var trouble: FilmTrouble?
    }

    /// Opens the encoder and starts the file; may block as long as the file system does.
    public init(_ spec: FilmSpec, file: String) throws(FilmTrouble) {
        state = Locked(State(writer: try FilmWriter(spec, file: file)))
        converter = try RasterConverter(spec)
        do throws(NoThread) { try tasks.start() } catch { throw FilmTrouble("\(error)") }
    }

    /// Adds the next frame: pixels of the spec's size. Copies them; waits while the encoder is behind.
    public func add(_ base: UnsafePointer<UInt8>, stride: Int) throws(FilmTrouble) {
        let codecFrame = try converter.codecFrame(of: base, stride: stride), number = count
        try hand { writer throws(FilmTrouble) in try writer.encode(codecFrame, number: number) }
        count += 1
    }

    /// Adds the next sound: interleaved stereo at 48,000 samples a second. Waits while the encoder is behind.
    public func add(_ samples: [Float]) throws(FilmTrouble) {
        if !samples.isEmpty { try hand { writer throws(FilmTrouble) in try writer.encode(samples) } }
    }

    /// Encodes the remaining frames, and gives the file its name.
    public func finish() throws(FilmTrouble) {
        // A trouble stays in the state.
        try? hand { writer throws(FilmTrouble) in try writer.finish() }
        _ = tasks.stop(within: .max)
        let last = state.locked { exchange(&$0, with: State()) }
        if let trouble = last.trouble { throw trouble }
    }

    /// Stops encoding and removes the file.
    public func abandon() {
        _ = state.locked { exchange(&$0.writer, with: nil) }
        _ = tasks.stop(within: .max)
    }

    /// Has the thread write something. Throws if something before it could not be written.
    private func hand(_ write: @escaping @Sendable (FilmWriter) throws(FilmTrouble) -> Void) throws(FilmTrouble) {
        if let trouble = state.locked({ $0.trouble }) { throw trouble }
        tasks.add { [state] in
            guard let writer = state.locked({ $0.writer }) else { return }
            do throws(FilmTrouble) { try write(writer) } catch { state.locked { $0 = State(trouble: error) } }
        }
    }
}

/// The encoders of a film and its file, which is removed in deinit if it is neither finished nor growing. Owned by one
/// thread at a time.
final class FilmWriter {
    private let muxer: Muxer
    private let video: StreamEncoder
    private let sound: StreamEncoder?
    private var soundFrames: SoundFrames?

    init(_ spec: FilmSpec, file: String, _ appearance: Muxer.Appearance = .whenWhole) throws(FilmTrouble) {
        muxer = try Muxer(spec.format, file: file, appearance)
        video = try StreamEncoder(of: .video, spec, into: muxer)
        sound = try spec.sound == .stereo ? StreamEncoder(of: .sound, spec, into: muxer) : nil
        soundFrames = sound.map { SoundFrames(for: $0.codec, usual: 1024) }
        try muxer.open()
    }

    /// `number` counts from 0, by frames or milliseconds according to the timing. The frame must not change any more.
    func encode(_ frame: CodecFrame, number: Int64) throws(FilmTrouble) {
        frame.av.pointee.pts = number
        try video.send(frame)
    }

    /// Encodes interleaved stereo.
    func encode(_ samples: some Sequence<Float>) throws(FilmTrouble) {
        if let sound { try soundFrames?.add(samples, sound.send) }
    }

    /// Encodes what is left, and gives the file its name.
    func finish() throws(FilmTrouble) {
        try video.send(nil)
        if let sound { try soundFrames?.finish(sound.send) }
        try sound?.send(nil)
        try muxer.finish()
    }
}
