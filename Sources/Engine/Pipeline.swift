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
    /// Compares the frames of a live source; nil while the wall does not ask for that.
    private var stillness: StillnessWatch?

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

    /// `ended`: end in media time, nil if the run was cut short. `damages`: damage that was found, nil if the run did
    /// not start at the beginning. `givenBack`: the lease was over in the middle of the run.
    private enum Outcome { case ended(Time?, damages: Set<FilmDamage>?), givenBack }

    private func decode(_ job: Job, _ source: Source) throws(SourceTrouble) -> Outcome {
        let permit = DecodePermit(in: scheduler, for: job.lease, of: source)
        permit.acquire(due: runner.deadline(of: job.lease))
        defer { permit.release() }
        var meter = DecodeCostMeter(source)
        let decoder = try decoder(for: job, source)
        let errors = decoder.errors
        let reader = FrameReader(
            source: source, decoder: decoder, from: job.from, until: job.until,
            isWanted: { [runner] in
                let (isWanted, deadline) = runner.isWanted(job.lease)
                permit.renew(due: deadline)
                return isWanted
            })
        defer { reader.leave() }
        // The lease before may have left out frames. The wall decides anew.
        reader.setSkips(.none)
        var soundLag = Time.zero
        stillness = nil
        // Made with the delivery of the frame before.
        var decided: FrameDecision?
        // By which a live frame was delivered. The next one is scaled by the same decision, which its delivery confirms.
        var delivered: FrameDecision?
        while true {
            let frame: TimedCodecFrame
            switch try reader.next() {
            case .end(let end):
                var damages: Set<FilmDamage> = reader.hasJumped ? [.jumpingTimestamps] : []
                // If parts are missing, they explain the broken frames.
                if let lack = source.takeLack(at: job.until == nil ? end : nil) {
                    damages.insert(lack)
                } else if decoder.errors > errors {
                    damages.insert(.brokenFrames)
                }
                return .ended(end, damages: job.from == .zero ? damages : nil)
            case .abandoned: return .givenBack
            case .frame(let next): frame = next
            }
            if let decodeCost = meter.reading(at: frame.start) { runner.note(.lease(.cost(decodeCost), of: job.lease)) }
            if let lag = source.soundLag, lag > soundLag {
                soundLag = lag
                runner.note(.lease(.soundLag(lag), of: job.lease))
            }
            var answer = decision(of: frame, job, ahead: delivered ?? decided, permit, &meter)
            var judgement: Stillness?
            decided = nil
            while true {
                guard case .deliver(let size, let skips, let keeping) = answer.answer else { break }
                let scaled = try scaler.frame(
                    from: frame.codecFrame, size: size, settings: job.decoding, formats: formats, keeping: keeping,
                    pool: pool)
                judgement = judgement ?? stillness?.judge(scaled) ?? .unknown
                let next = runner.deliver(
                    scaled, of: frame, job.lease, judgement!, expecting: delivered, before: reader.coming)
                delivered = nil
                if let refusal = next.refusal {
                    answer = (refusal, next.deadline)
                    if case .wait = refusal { answer = decision(of: frame, job, ahead: refusal, permit, &meter) }
                    continue
                }
                reader.setSkips(skips)
                if next.watchesStillness != (stillness != nil) {
                    stillness = next.watchesStillness ? StillnessWatch() : nil
                }
                if source.facts.live != nil { delivered = answer.answer }
                (decided, answer.deadline) = (next.decision, next.deadline)
                if next.lease == .rests {
                    let rest = outside(permit, &meter) { runner.rest(job.lease) }
                    if !rest.answer { return .givenBack }
                    answer.deadline = rest.deadline
                }
                break
            }
            switch answer.answer {
            case .skip(let over): if let over { reader.skip(to: over) }
            case .end: return .ended(nil, damages: nil)
            case .returnSource, .wait: return .givenBack
            case .deliver: break
            }
            permit.renew(due: answer.deadline)
        }
    }

    /// `ahead`: decision that was made before the frame came; nil if there is none. A frame that is to be
    /// delivered gets its deadline from its own delivery.
    private func decision(
        of frame: TimedCodecFrame, _ job: Job, ahead: FrameDecision?, _ permit: DecodePermit,
        _ meter: inout DecodeCostMeter
    ) -> LockedWall.Timed<FrameDecision> {
        if let ahead, case .deliver = ahead { return (ahead, nil) }
        if ahead == nil {
            let asked = runner.askDecision(job.lease, frame)
            guard case .wait = asked.answer else { return asked }
        }
        return outside(permit, &meter) { runner.decide(job.lease, frame) }
    }

    /// Runs `body`, which may wait, without the decode permit.
    private func outside<Answer>(
        _ permit: DecodePermit, _ meter: inout DecodeCostMeter, _ body: () -> LockedWall.Timed<Answer>
    ) -> LockedWall.Timed<Answer> {
        meter.resting {
            permit.release()
            let result = body()
            permit.acquire(due: result.deadline)
            return result
        }
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

/// The use of the scheduler by one job. Only reads from files are scheduled, since a read from a network may block at
/// any time. `due`: time at which the lease's decoded frames run out; nil while the clock is paused. No frame is due
/// then, and nothing is rationed.
private struct DecodePermit {
    private let scheduler: DecodeScheduler?
    private let pipeline: Int

    init(in scheduler: DecodeScheduler, for lease: Lease, of source: Source) {
        self.scheduler = source.facts.place == .file ? scheduler : nil
        pipeline = lease.pipeline
    }

    /// Waits until the pipeline may decode.
    func acquire(due: Time?) { if let due { scheduler?.enter(pipeline, due: due) } }
    func renew(due: Time?) { if let due { scheduler?.goOn(pipeline, due: due) } else { release() } }
    func release() { scheduler?.leave(pipeline) }
}

/// Measures the time that this thread spends on one run's frames.
private struct DecodeCostMeter {
    private let source: Source
    /// The last reading. `idle`: time spent waiting for room and for the source, in nanoseconds.
    private var began: (media: Time, spent: Int64, wall: Int64, idle: Int64)?
    /// Time spent waiting for room, in nanoseconds.
    private var rested: Int64 = 0
    /// Distance between two readings, in media time or in nanoseconds of work, whichever comes first.
    private static let media = Time.milliseconds(500)
    private static let work: Int64 = 300_000_000

    init(_ source: Source) { self.source = source }

    mutating func resting<Result>(_ body: () -> Result) -> Result {
        let start = monotonicNanoseconds()
        defer { rested += monotonicNanoseconds() - start }
        return body()
    }

    /// Cost since the last reading; nil until enough was measured.
    mutating func reading(at media: Time) -> DecodeCost? {
        let now = (
            media: media, spent: threadNanoseconds(), wall: monotonicNanoseconds(),
            idle: rested + source.readingNanoseconds
        )
        guard let began else {
            self.began = now
            return nil
        }
        let worked = now.wall - began.wall - (now.idle - began.idle)
        guard media - began.media >= Self.media || worked >= Self.work else { return nil }
        self.began = now
        return DecodeCost(
            media: media - began.media, spent: Time(nanoseconds: now.spent - began.spent),
            worked: Time(nanoseconds: max(0, worked)))
    }
}
