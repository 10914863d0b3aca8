import Base
import Threads

/// Decodes a film ahead of the comparison, on a thread of its own, without dropping frames.
///
/// `next` belongs to one thread; any thread may call `wake`.
final class FilmReader: Sendable {
    /// Name of the film, for troubles.
    private let name: String
    private let source: Source
    private let queue = Locked(Queue())
    private let worker: Worker

    private struct Queue {
        var frames: [TimedCodecFrame] = []
        /// nil until reading has ended; its reason if that is no end of the film.
        var end: FilmComparison.Stop??
        var findings = Findings()
        var isStopping = false
    }

    /// Findings about the frames so far, including those read ahead.
    struct Findings {
        /// Coding of the first frame; nil until it is read.
        var traits: CodedTraits?
        /// Number of frames that were not decoded whole.
        var damaged = 0
        /// Damage found at the end of the film; nil if there is none or the end was not read.
        var lack: FilmDamage?
    }

    /// Longest wait without a packet, in nanoseconds. A source's own deadlines are not longer.
    private static let patience: Int64 = 12_000_000_000
    private static let look: Int64 = 1_000_000_000

    /// Reads the frames of [from, until). The first is the one on screen at `from`.
    init(
        _ name: String, _ source: Source, threads: Int, from: Time, until: Time?, crop: Crop = .all,
        deinterlacing: Deinterlacing = .off, in space: ComparisonSpace = .coded
    ) throws(NoThread) {
        (self.name, self.source) = (name, source)
        worker = try Worker("reader") { [queue] in
            do throws(SourceTrouble) {
                let decoder = try Decoder(for: source, threads: threads), space = SpaceConverter(space)
                try decoder.deinterlace(deinterlacing)
                let reader = FrameReader(source: source, decoder: decoder, from: from, until: until)
                while case .frame(var frame) = try reader.next() {
                    let decoded = frame.codecFrame, traits = decoded.codedTraits
                    let cropped = try decoded.cropped(to: crop.part(of: decoded.upright), after: decoded.orientation)
                    frame.codecFrame = try space.codecFrame(of: cropped)
                    let most = FilmReader.mostWaiting(of: frame.codecFrame.storage)
                    let isStopping = queue.wait { queue -> Wait<Bool> in
                        if queue.isStopping { return .done(true) }
                        guard queue.frames.count < most else { return .again(deadline: nil) }
                        queue.frames.append(frame)
                        queue.findings.traits = queue.findings.traits ?? traits
                        queue.findings.damaged = decoder.errors
                        return .done(false)
                    }
                    if isStopping { break }
                    queue.wake()
                }
                queue.change { queue in
                    (queue.findings.damaged, queue.findings.lack) = (decoder.errors, source.takeLack())
                    queue.end = .some(queue.isStopping ? .interrupted : nil)
                }
            } catch {
                queue.change { $0.end = FilmComparison.Stop.failed(name: name, error) }
            }
        }
    }

    /// Frames queued for comparison take up to 32 MiB, but two are always allowed.
    private static func mostWaiting(of size: Size) -> Int {
        min(8, max(2, (32 << 20) / max(1, size.width * size.height * 3)))
    }

    /// Waits for the next frame. Returns nil at the end. Calls `isEndRequested` after each `wake`.
    func next(_ isEndRequested: () -> Bool) throws(FilmComparison.Stop) -> TimedCodecFrame? {
        var heard = source.deadline.packets
        var silentSince = monotonicNanoseconds()
        let next = queue.wait { queue -> Wait<Result<TimedCodecFrame?, FilmComparison.Stop>> in
            if isEndRequested() { return .done(.failure(.interrupted)) }
            if !queue.frames.isEmpty { return .done(.success(queue.frames.removeFirst())) }
            if let end = queue.end { return .done(end.map { .failure($0) } ?? .success(nil)) }
            let now = monotonicNanoseconds(), packets = source.deadline.packets
            if packets != heard { (heard, silentSince) = (packets, now) }
            if now - silentSince > Self.patience {
                return .done(.failure(.failed(name: name, SourceTrouble(.timeout, "no answer in time"))))
            }
            return .again(deadline: now + Self.look)
        }
        queue.wake()
        return try next.get()
    }

    var findings: Findings { queue.locked(\.findings) }

    func wake() { queue.wake() }

    /// Interrupts reading and joins the thread. Returns false if the thread did not end in time.
    func stop(within limit: Int64) -> Bool {
        queue.change { $0.isStopping = true }
        source.deadline.cancel()
        return worker.join(within: limit).isEmpty
    }
}
