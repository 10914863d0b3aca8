import Base
import Decoded
import Feeds
import Media
import Opened
import Player
import Threads

/// A thread with at most one video decoder, and a scaler. The wall leases it to slots.
///
/// The decoder stays open between leases. A run reuses it if its source is the same, or has equal codec parameters. For
/// any other run, the decoder is closed before another one is opened. A decoder without work is closed after a while.
final class Pipeline: Sendable {
    let worker: Worker
    private let reading: Locked<Deadline?>

    init(_ index: Int, runner: LockedWall, scheduler: DecodeScheduler, pool: FrameBufferPool, formats: FrameFormats)
        throws(NoThread)
    {
        let reading = Locked<Deadline?>(nil)
        self.reading = reading
        worker = try Worker("pipeline \(index)", .batch) {
            let work = PipelineWork(runner: runner, scheduler: scheduler, pool: pool, formats: formats)
            while let task = runner.nextTask(index, hasDecoder: work.hasDecoder) {
                switch task {
                case .decode(let job):
                    guard let source = runner.sources.locked({ $0[job.source] }) else {
                        let trouble = SourceTrouble(.unreadable, "the source was closed before it was decoded")
                        runner.note(.lease(.failed(trouble), of: job.lease))
                        continue
                    }
                    reading.locked { $0 = source.deadline }
                    work.work(job, source)
                    reading.locked { $0 = nil }
                case .closeDecoder:
                    work.closeDecoder()
                    runner.note(.decoderClosed(pipeline: index))
                }
            }
        }
    }

    /// Makes the current read return at once with an error.
    func interrupt() { reading.locked { $0?.cancel() } }

    /// Interrupts the current read only if the read has a time limit, as on a network.
    func interruptWait() { reading.locked { $0?.cancelWait() } }

    /// Number of packets read from the current source.
    var packets: Int { reading.locked { $0?.packets ?? 0 } }
}

/// State of a pipeline's thread. Never leaves that thread.
private final class PipelineWork {
    private let runner: LockedWall
    private let scheduler: DecodeScheduler
    private let pool: FrameBufferPool
    private let formats: FrameFormats
    private let scaler = Scaler()
    private var decoder: Decoder?
    var hasDecoder: Bool { decoder != nil }

    init(runner: LockedWall, scheduler: DecodeScheduler, pool: FrameBufferPool, formats: FrameFormats) {
        (self.runner, self.scheduler, self.pool, self.formats) = (runner, scheduler, pool, formats)
    }

    func work(_ job: Job, _ source: Source) {
        let isLive = source.facts.live != nil
        do throws(SourceTrouble) {
            // A live source that is not read on may be opened again at once, and its port must be free by then.
            switch try decode(job, source) {
            case .ended(let end, let damages):
                if isLive { source.close() }
                let (kept, closed): (OpenSourceID?, OpenSourceID?) =
                    source.facts.isSeekable ? (job.source, nil) : (nil, job.source)
                runner.note(.lease(.ended(at: end, damages: damages, keeping: kept, closing: closed), of: job.lease))
            case .givenBack:
                if isLive, !runner.isWanted(job.lease).answer { source.close() }
                runner.note(.lease(.givenBack(job.source), of: job.lease))
            }
        } catch {
            if isLive { source.close() }
            runner.note(.lease(.failed(error, closing: job.source), of: job.lease))
        }
    }

    private func decode(_ job: Job, _ source: Source) throws(SourceTrouble) -> LeaseWork.Outcome {
        let permit = DecodePermit(in: scheduler, for: job.lease, of: source)
        permit.acquire(due: runner.deadline(of: job.lease))
        defer { permit.release() }
        let work = LeaseWork(runner, job, source, try decoder(for: job, source), permit) {
            [scaler, formats, pool] frame, size, keeping throws(SourceTrouble) in
            try scaler.frame(
                from: frame, size: size, settings: job.decoding, formats: formats, keeping: keeping, pool: pool)
        }
        defer { work.leave() }
        return try work.run()
    }

    private func decoder(for job: Job, _ source: Source) throws(SourceTrouble) -> Decoder {
        if let decoder, decoder.continues(with: source) {
            runner.note(.lease(.decoder(.continued), of: job.lease))
            try decoder.deinterlace(job.decoding.deinterlacing ?? .off)
            return decoder
        }
        closeDecoder()
        let seats = runner.change { wall, now in
            wall.note(.lease(.decoder(.closed), of: job.lease), at: now)
            return wall.seatedFeeds
        }
        let threads = decoderThreads(for: source.facts.storage, beside: seats)
        let opened = try Decoder(for: source, threads: threads, in: pool)
        runner.note(.lease(.decoder(.opened), of: job.lease))
        decoder = opened
        try opened.deinterlace(job.decoding.deinterlacing ?? .off)
        return opened
    }

    func closeDecoder() {
        guard decoder != nil else { return }
        decoder = nil
        UnusedMemory.noteClosed()
    }
}

/// Number of threads of a decoder: one, since the tiles keep the cores busy. Frames larger than 2560x1440 get the number
/// of cores divided by the number of seated feeds, from 1 to 8.
public func decoderThreads(for frames: Size, beside seats: Int) -> Int {
    frames.width * frames.height > 2560 * 1440 ? min(8, max(1, coreCount / max(1, seats))) : 1
}
