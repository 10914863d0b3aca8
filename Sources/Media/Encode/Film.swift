import Threads

/// A film that is being written: frames go in, a file comes out. A separate thread encodes and writes.
///
/// Used by one thread. `finish` or `abandon` ends it and joins the writing thread.
public final class Film {
    private let state = Locked(State())
    private let worker: Worker
    private let converter: RasterConverter
    private var count: Int64 = 0
    /// Most frames and pieces of sound between the drawing and the encoding thread.
    private static let most = 8

    private enum Element {
        case frame(CodecFrame, number: Int64)
        case sound([Float])
        case end
        /// Ends the film without its remaining frames.
        case abandon
    }

    private struct State {
        var elements: [Element] = []
        var trouble: FilmTrouble?
    }

    /// Opens the encoder and starts the file; may block as long as the file system does.
    public init(_ spec: FilmSpec, file: String) throws(FilmTrouble) {
        let writer = Locked<FilmWriter?>(try FilmWriter(spec, file: file))
        converter = try RasterConverter(spec)
        do throws(NoThread) {
            worker = try Worker("film") { [state] in
                // The encoders and the file are closed before the thread ends.
                guard let writer = writer.locked({ exchange(&$0, with: nil) }) else { return }
                do throws(FilmTrouble) {
                    while true {
                        switch Film.next(state) {
                        case .frame(let codecFrame, let number): try writer.encode(codecFrame, number: number)
                        case .sound(let samples): try writer.encode(samples)
                        case .end: return try writer.finish()
                        case .abandon: return
                        }
                    }
                } catch {
                    state.change { $0.trouble = error }
                }
            }
        } catch {
            throw FilmTrouble("\(error)")
        }
    }

    private static func next(_ state: Locked<State>) -> Element {
        defer { state.wake() }
        return state.wait { state in
            state.elements.isEmpty ? .again(deadline: nil) : .done(state.elements.removeFirst())
        }
    }

    /// Adds the next frame: pixels of the spec's size. Copies them; waits while the encoder is behind.
    public func add(_ base: UnsafePointer<UInt8>, stride: Int) throws(FilmTrouble) {
        let codecFrame = try converter.codecFrame(of: base, stride: stride)
        try hand(.frame(codecFrame, number: count))
        count += 1
    }

    /// Adds the next sound: interleaved stereo at 48,000 samples a second. Waits while the encoder is behind.
    public func add(_ samples: [Float]) throws(FilmTrouble) {
        if !samples.isEmpty { try hand(.sound(samples)) }
    }

    /// Encodes the remaining frames, and gives the file its name.
    public func finish() throws(FilmTrouble) {
        // A trouble stays in the state.
        try? hand(.end)
        _ = worker.join()
        if let trouble = state.locked({ $0.trouble }) { throw trouble }
    }

    /// Stops encoding and removes the file.
    public func abandon() {
        state.change { $0.elements = [.abandon] }
        _ = worker.join()
    }

    private func hand(_ element: Element) throws(FilmTrouble) {
        let trouble = state.wait { state -> Wait<FilmTrouble?> in
            if let trouble = state.trouble { return .done(trouble) }
            guard state.elements.count < Film.most else { return .again(deadline: nil) }
            state.elements.append(element)
            return .done(nil)
        }
        if let trouble { throw trouble }
        state.wake()
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
