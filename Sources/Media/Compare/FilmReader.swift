import Base
import Threads

/// Decodes a film ahead of the comparison, on a thread of its own, without dropping frames.
///
/// `next` belongs to one thread; any thread may call `wake`.
final class FilmReader: Sendable {
    private let source: Source
    private let queue: Locked<Queue>
    private let wakeCondition = WakeCondition()
    private let worker: Worker

    private struct Queue {
        var frames: [TimedCodecFrame] = []
        var end: Next?
        /// Coding of the first frame.
        var traits: CodedTraits?
        /// Number of frames so far that were not decoded whole.
        var damaged = 0
        /// Damage found at the end of the source.
        var lack: FilmDamage?
        var isStopping = false
    }

    enum Next {
        case frame(TimedCodecFrame)
        case end
        case failed(SourceTrouble)
        case interrupted
    }

    /// Longest wait without a packet, in nanoseconds. A source's own deadlines are not longer.
    private static let patience: Int64 = 12_000_000_000
    private static let look: Int64 = 1_000_000_000

    /// Reads the frames of [from, until). The first is the one on screen at `from`.
    init(
        _ source: Source, threads: Int, from: Time, until: Time?, crop: Crop = .all,
        deinterlacing: Deinterlacing = .off, in space: ComparisonSpace = .coded
    ) throws(NoThread) {
        let queue = Locked(Queue()), wakeCondition = wakeCondition
        (self.source, self.queue) = (source, queue)
        worker = try Worker("reader") {
            let end = FilmReader.read(
                source, threads, from, until, crop, deinterlacing, SpaceConverter(space), into: queue, wakeCondition)
            queue.locked { $0.end = end }
            wakeCondition.wake()
        }
    }

    private static func read(
        _ source: Source, _ threads: Int, _ from: Time, _ until: Time?, _ crop: Crop,
        _ deinterlacing: Deinterlacing, _ space: SpaceConverter, into queue: Locked<Queue>,
        _ wakeCondition: WakeCondition
    ) -> Next {
        do throws(SourceTrouble) {
            let decoder = try Decoder.open(for: source, threads: threads)
            try decoder.deinterlace(deinterlacing)
            let reader = FrameReader(source: source, decoder: decoder, from: from, until: until)
            while case .frame(var frame) = try reader.next() {
                let traits = frame.codecFrame.codedTraits
                frame.codecFrame = try space.codecFrame(of: frame.codecFrame.cropped(to: crop))
                let most = mostWaiting(of: frame.codecFrame.storage)
                let isStopping = queue.wait(on: wakeCondition) { queue -> Wait<Bool> in
                    if queue.isStopping { return .done(true) }
                    guard queue.frames.count < most else { return .again(deadline: nil) }
                    queue.frames.append(frame)
                    queue.traits = queue.traits ?? traits
                    queue.damaged = decoder.errors
                    return .done(false)
                }
                if isStopping { return .interrupted }
                wakeCondition.wake()
            }
            queue.locked { ($0.damaged, $0.lack) = (decoder.errors, source.takeLack()) }
            return .end
        } catch {
            return .failed(error)
        }
    }

    /// Frames queued for comparison take up to 32 MiB, but two are always allowed.
    private static func mostWaiting(of size: Size) -> Int {
        min(8, max(2, (32 << 20) / max(1, size.width * size.height * 3)))
    }

    /// Waits for the next frame. Calls `isEndRequested` after each `wake`.
    func next(_ isEndRequested: () -> Bool) -> Next {
        var heard = source.deadline.packets
        var silentSince = monotonicNanoseconds()
        let next = queue.wait(on: wakeCondition) { queue -> Wait<Next> in
            if isEndRequested() { return .done(.interrupted) }
            if !queue.frames.isEmpty { return .done(.frame(queue.frames.removeFirst())) }
            if let end = queue.end { return .done(end) }
            let now = monotonicNanoseconds(), packets = source.deadline.packets
            if packets != heard { (heard, silentSince) = (packets, now) }
            if now - silentSince > Self.patience { return .done(.failed(.noAnswer)) }
            return .again(deadline: now + Self.look)
        }
        wakeCondition.wake()
        return next
    }

    /// Coding of the first frame; nil until it is read.
    var traits: CodedTraits? { queue.locked { $0.traits } }

    /// Number of frames that were not decoded whole, including those read ahead.
    var damaged: Int { queue.locked { $0.damaged } }

    /// Damage found at the end of the film; nil if there is none or the end was not read.
    var lack: FilmDamage? { queue.locked { $0.lack } }

    func wake() { wakeCondition.wake() }

    /// Interrupts reading and joins the thread. Returns false if the thread did not end in time.
    func stop(within limit: Int64) -> Bool {
        queue.locked { $0.isStopping = true }
        wakeCondition.wake()
        source.deadline.cancel()
        return worker.join(within: limit) == .joined
    }
}

extension SourceTrouble {
    fileprivate static let noAnswer = SourceTrouble(.timeout, "no answer in time")
}
