import Base
import Decoded
import Feeds
import Media
import Opened
import Player
import Threads

/// Decodes the frames of one lease and delivers them to the wall. Used by its pipeline's thread alone.
final class LeaseWork {
    /// `ended`: end in media time, nil if the run was cut short. `damages`: damage that was found, nil if the run did
    /// not start at the beginning. `givenBack`: the lease was over in the middle of the run.
    enum Outcome { case ended(Time?, damages: Set<FilmDamage>?), givenBack }

    typealias Scale = (CodecFrame, Size, FrameKeeping) throws(SourceTrouble) -> Frame

    private let runner: LockedWall
    private let job: Job
    private let source: Source
    private let decoder: Decoder
    private let reader: FrameReader
    private let permit: DecodePermit
    private let scale: Scale
    private var meter: DecodeCostMeter
    private var soundLag = Time.zero
    /// Compares the frames of a live source; nil while the wall does not ask for that.
    private var stillness: StillnessWatch?
    /// Decision on the coming frame, made with the delivery of the frame before.
    private var decided: FrameDecision?
    /// Decision by which a live frame was delivered, if the coming frame is to be scaled by it, too. That frame's delivery
    /// is refused if the wall decides otherwise.
    private var expected: FrameDecision?

    init(
        _ runner: LockedWall, _ job: Job, _ source: Source, _ decoder: Decoder, _ permit: DecodePermit,
        scale: @escaping Scale
    ) {
        (self.runner, self.job, self.source, self.decoder) = (runner, job, source, decoder)
        (self.permit, self.scale) = (permit, scale)
        meter = DecodeCostMeter(source)
        reader = FrameReader(
            source: source, decoder: decoder, from: job.from, until: job.until,
            isWanted: {
                let (isWanted, deadline) = runner.isWanted(job.lease)
                permit.renew(due: deadline)
                return isWanted
            })
        // The lease before may have left out frames. The wall decides anew.
        reader.setSkips(.none)
    }

    /// Ends the work; the decoder can be used by another lease.
    func leave() { reader.leave() }

    func run() throws(SourceTrouble) -> Outcome {
        let errors = decoder.errors
        while true {
            switch try reader.next() {
            case .end(let end): return .ended(end, damages: damages(end, isBroken: decoder.errors > errors))
            case .abandoned: return .givenBack
            case .frame(let frame):
                report(frame.start)
                if let outcome = try handle(frame) { return outcome }
            }
        }
    }

    /// nil if the run did not start at the beginning.
    private func damages(_ end: Time?, isBroken: Bool) -> Set<FilmDamage>? {
        // If parts are missing, they explain the broken frames.
        let lack = source.takeLack(at: job.until == nil ? end : nil)
        guard job.from == .zero else { return nil }
        var damages: Set<FilmDamage> = reader.hasJumped ? [.jumpingTimestamps] : []
        if let lack {
            damages.insert(lack)
        } else if isBroken {
            damages.insert(.brokenFrames)
        }
        return damages
    }

    private func report(_ time: Time) {
        if let decodeCost = meter.reading(at: time) { runner.note(.lease(.cost(decodeCost), of: job.lease)) }
        if let lag = source.soundLag, lag > soundLag {
            soundLag = lag
            runner.note(.lease(.soundLag(lag), of: job.lease))
        }
    }

    /// Delivers or drops a frame as the wall decides. Returns how the lease ends; nil if it goes on.
    private func handle(_ frame: TimedCodecFrame) throws(SourceTrouble) -> Outcome? {
        var (decision, deadline) = decision(of: frame, ahead: expected ?? decided)
        decided = nil
        var judgement: Stillness?
        while case .deliver(let size, let skips, let keeping) = decision {
            let scaled = try scale(frame.codecFrame, size, keeping)
            let judged = judgement ?? stillness?.judge(scaled) ?? .unknown
            judgement = judged
            let next = runner.deliver(
                scaled, of: frame, job.lease, judged, expecting: expected, before: reader.coming)
            expected = nil
            guard let refusal = next.refusal else {
                reader.setSkips(skips)
                if next.expectsDelivery { expected = decision }
                return goOn(after: next)
            }
            (decision, deadline) = (refusal, next.deadline)
            if case .wait = refusal { (decision, deadline) = self.decision(of: frame, ahead: refusal) }
        }
        switch decision {
        case .skip(let over): if let over { reader.skip(to: over) }
        case .end: return .ended(nil, damages: nil)
        case .returnSource, .wait: return .givenBack
        case .deliver: break
        }
        permit.renew(due: deadline)
        return nil
    }

    /// Prepares for the coming frame, and waits if there is no room for it.
    private func goOn(after step: NextStep) -> Outcome? {
        if step.watchesStillness != (stillness != nil) { stillness = step.watchesStillness ? StillnessWatch() : nil }
        decided = step.decision
        var deadline = step.deadline
        if step.lease == .rests {
            let rest = outside { runner.rest(job.lease) }
            guard rest.answer else { return .givenBack }
            deadline = rest.deadline
        }
        permit.renew(due: deadline)
        return nil
    }

    /// `ahead`: decision that was made before the frame came; nil if there is none. A frame that is to be
    /// delivered gets its deadline from its own delivery.
    private func decision(of frame: TimedCodecFrame, ahead: FrameDecision?) -> LockedWall.Timed<FrameDecision> {
        if let ahead, case .deliver = ahead { return (ahead, nil) }
        if ahead == nil {
            let asked = runner.askDecision(job.lease, frame)
            guard case .wait = asked.answer else { return asked }
        }
        return outside { runner.decide(job.lease, frame) }
    }

    /// Runs `body`, which may wait, without the decode permit.
    private func outside<Answer>(_ body: () -> LockedWall.Timed<Answer>) -> LockedWall.Timed<Answer> {
        meter.resting {
            permit.release()
            let result = body()
            permit.acquire(due: result.deadline)
            return result
        }
    }
}

/// The use of the scheduler by one job. Only reads from files are scheduled, since a read from a network may block at
/// any time. `due`: time at which the lease's decoded frames run out; nil while the clock is paused. No frame is due
/// then, and nothing is rationed.
struct DecodePermit {
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
