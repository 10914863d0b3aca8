import Threads

/// A film that is being written: frames go in, a file comes out. A separate thread encodes and writes.
///
/// Used by one thread. `finish` or `abandon` ends it and joins the writing thread.
public final class Film {
    private let queue: FilmQueue
    private let worker: Worker
    private let converter: RasterConverter
    private var count: Int64 = 0

    /// Opens the encoder and starts the file; may block as long as the file system does.
    public init(_ spec: FilmSpec, file: String) throws(FilmTrouble) {
        let writer = try FilmWriter(spec, file: file)
        converter = try RasterConverter(spec)
        let queue = FilmQueue()
        self.queue = queue
        do throws(NoThread) {
            worker = try Worker("film") { writer.run(queue) }
        } catch {
            throw FilmTrouble("\(error)")
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
        do throws(FilmTrouble) {
            try hand(.end)
        } catch {
            _ = worker.join()
            throw error
        }
        _ = worker.join()
        if let trouble = queue.state.locked({ $0.trouble }) { throw trouble }
    }

    /// Stops encoding and removes the file.
    public func abandon() {
        queue.state.locked { $0.isAbandoned = true }
        queue.wakeCondition.wake()
        _ = worker.join()
    }

    private func hand(_ element: FilmQueue.Element) throws(FilmTrouble) {
        let trouble = queue.state.wait(on: queue.wakeCondition) { state -> Wait<FilmTrouble?> in
            if let trouble = state.trouble { return .done(trouble) }
            guard state.elements.count < FilmQueue.most else { return .again(deadline: nil) }
            state.elements.append(element)
            return .done(nil)
        }
        if let trouble { throw trouble }
        queue.wakeCondition.wake()
    }
}

/// Frames and sound between the drawing and the encoding thread.
private final class FilmQueue: Sendable {
    let state = Locked(State())
    let wakeCondition = WakeCondition()
    static let most = 8

    enum Element {
        case frame(CodecFrame, number: Int64)
        case sound([Float])
        case end
    }

    struct State {
        var elements: [Element] = []
        var trouble: FilmTrouble?
        var isAbandoned = false
    }

    /// Returns nil once the film is abandoned.
    func next() -> Element? {
        defer { wakeCondition.wake() }
        return state.wait(on: wakeCondition) { state in
            if state.isAbandoned { return .done(nil) }
            return state.elements.isEmpty ? .again(deadline: nil) : .done(state.elements.removeFirst())
        }
    }
}

/// The film thread's encoders and muxer; made by another thread and handed over whole.
private final class FilmWriter: @unchecked Sendable {
    private var muxer: Muxer?
    private var frames: VideoEncoder?
    private var sound: SoundEncoder?

    init(_ spec: FilmSpec, file: String) throws(FilmTrouble) {
        let muxer = try Muxer(spec.format, file: file)
        frames = try VideoEncoder(spec, into: muxer)
        if spec.sound == .stereo { sound = try SoundEncoder(spec, into: muxer) }
        try muxer.open()
        self.muxer = muxer
    }

    func run(_ queue: FilmQueue) {
        // The encoders and the file are closed before the thread ends.
        defer { (frames, sound, muxer) = (nil, nil, nil) }
        do throws(FilmTrouble) {
            while let element = queue.next() {
                switch element {
                case .frame(let codecFrame, let number): try frames?.encode(codecFrame, number: number)
                case .sound(let samples): try sound?.encode(samples)
                case .end:
                    try frames?.finish()
                    try sound?.finish()
                    try muxer?.finish()
                    return
                }
            }
        } catch {
            queue.state.locked { $0.trouble = error }
            queue.wakeCondition.wake()
        }
    }
}
