@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Opened
@testable import Player

/// Work of the pipelines when they wake.
extension Simulation {
    mutating func work(_ index: Int) {
        (pipelines[index].wakesAt, pipelines[index].waits) = (nil, false)
        guard let job = pipelines[index].job else {
            let task = wall.takeTask(index)
            if case .closeDecoder = task {
                pipelines[index].lastClip = nil
                pipelines[index].wakesAt = now
                return wall.player.note(.decoderClosed(pipeline: index), at: now)
            }
            guard case .decode(let job) = task else { return }
            let clip = clip(job.clip)
            pipelines[index].job = job
            (pipelines[index].skips, pipelines[index].decided, pipelines[index].delivered) = (.none, nil, nil)
            let before = pipelines[index].next
            let goal =
                job.from >= clip.length
                ? clip.frames : (0..<clip.frames).last { clip.start(of: $0) <= job.from + clip.dueTolerance } ?? 0
            pipelines[index].next = goal
            if clip.madeFrom != nil {
                let first = clip.keeps == nil ? nil : firstFrames[job.source]
                pipelines[index].next = first ?? clip.firstFrame(ofConnectionAt: now)
                pipelines[index].first = pipelines[index].next
            }
            let isSame = pipelines[index].lastClip == job.clip
            let decodesOn = isSame && goal + 1 >= before && goal / clip.gop == before / clip.gop
            wall.player.note(.lease(.decoder(isSame ? .continued : .opened), of: job.lease), at: now)
            pipelines[index].lastClip = job.clip
            let thrownAway = Int64(decodesOn ? max(0, goal - before) : goal % clip.gop)
            pipelines[index].wakesAt =
                now + clip.framesDecodeIn * (1 + thrownAway) + (isSame ? .zero : decoderOpensIn) + clip.answersIn
            mostLeases = max(mostLeases, pipelines.count { $0.job != nil })
            return
        }
        let clip = clip(job.clip)
        if let count = pipelines[index].rests { return goOn(index, job, clip, after: count) }
        let number = pipelines[index].next
        pipelines[index].isBusy = false
        if clip.isUndecodable {
            return breakOff(index, SourceTrouble(.damaged, "none of its frames could be decoded"))
        }
        if let begin = clip.madeFrom, number < clip.frames, now < begin + clip.start(of: number) {
            pipelines[index].wakesAt = begin + clip.start(of: number)
            return
        }
        let isMade = clip.keeps != nil && clip.madeFrom.map { $0 + clip.start(of: number) < now } ?? false
        if let silence = clip.isSilent, let begin = clip.madeFrom, silence.contains(now),
            !isMade || silence.contains(begin + clip.start(of: number))
        {
            pipelines[index].next =
                (number..<clip.frames).first { begin + clip.start(of: $0) >= silence.upperBound } ?? clip.frames
            pipelines[index].wakesAt = silence.upperBound
            return
        }
        let start = clip.start(of: number - (clip.madeFrom == nil ? 0 : pipelines[index].first))
        if number >= clip.frames { return end(index, at: clip.length) }
        if let until = job.until, start + clip.dueTolerance >= until { return end(index, at: until) }
        let count = pipelines[index].skips.frames == .referenced ? 2 : 1
        let length = clip.start(of: count)
        var decided = pipelines[index].decided
        if case .wait = decided { decided = nil }
        pipelines[index].decided = nil
        let decoded = DecodedFrame(pts: start, length: length, natural: clip.natural)
        var expected = decidesAhead ? pipelines[index].delivered : nil
        pipelines[index].delivered = nil
        func decide() -> FrameDecision {
            frameCalls += 1
            return wall.decide(job.lease, decoded, at: now)
        }
        var decision = expected ?? decided ?? decide()
        while case .deliver(let size, let skips, let keeping) = decision {
            let frame = FakeFrame(
                clip: job.clip, number: number, natural: clip.natural, size: size, isBlack: number < clip.blackUntil,
                keeping: keeping, coded: clip.coded)
            let isStill = clip.isFrozen?.contains(now) ?? false
            let isWatched = wall.player.playout(at: now).watchesStillness(job.lease)
            let stillness: Stillness = !isWatched ? .unknown : isStill ? .same : .moved
            frameCalls += 1
            let step = wall.deliver(
                job.lease, frame.frame, of: decoded, expecting: expected, stillness: stillness,
                before: decidesAhead ? frameAfter(number, job, clip) : nil, at: now)
            expected = nil
            if let refusal = step.refusal {
                refused += 1
                decision = refusal
                continue
            }
            delivered += 1
            pipelines[index].decided = step.decision
            pipelines[index].delivered = step.expectsDelivery ? decision : nil
            pipelines[index].skips = skips
            return goOn(index, job, clip, after: count)
        }
        switch decision {
        case .deliver: break
        case .skip(let over):
            decodeNext(index, job, clip, after: count)
            // Skips the next frame too if it is over and no other frame refers to it.
            let left = pipelines[index].next
            if let over, left % 2 == 1, clip.start(of: left + 1) <= over { pipelines[index].next += 1 }
        case .wait(let until):
            (pipelines[index].wakesAt, pipelines[index].waits) = (until, true)
        case .end:
            end(index, at: nil)
        case .returnSource:
            giveBack(index, job)
        }
    }

    /// Returns the frame after this one, which is decoded when this one is delivered. nil if there is none, or if it may
    /// be the last one.
    private func frameAfter(_ number: Int, _ job: Job, _ clip: FakeClip) -> DecodedFrame? {
        let start = clip.start(of: number + 1)
        guard clip.madeFrom == nil, number + 2 < clip.frames, job.until.map({ start + clip.dueTolerance < $0 }) ?? true
        else { return nil }
        return DecodedFrame(pts: start, length: clip.start(of: 1), natural: clip.natural)
    }

    private mutating func giveBack(_ index: Int, _ job: Job) {
        pipelines[index].job = nil
        pipelines[index].wakesAt = now
        wall.player.note(.lease(.givenBack(job.source), of: job.lease), at: now)
    }

    private mutating func goOn(_ index: Int, _ job: Job, _ clip: FakeClip, after count: Int) {
        pipelines[index].rests = nil
        switch wall.leaseDecision(job.lease, at: now) {
        case .decodes: decodeNext(index, job, clip, after: count)
        case .rests: (pipelines[index].rests, pipelines[index].decided) = (count, nil)
        case .returnsSource: giveBack(index, job)
        }
    }

    /// Decodes the next frame. Every second frame is one to which no other frame refers. Without the loop filter,
    /// decoding takes a sixth less.
    private mutating func decodeNext(_ index: Int, _ job: Job, _ clip: FakeClip, after count: Int) {
        var cost = clip.framesDecodeIn
        if pipelines[index].skips.filter == .nowhere { cost = cost * 5 / 6 }
        let busy = pipelines.count { $0.isBusy } + (pipelines[index].isBusy ? 0 : 1)
        if let cores, busy > cores { cost = cost * Int64(busy) / Int64(cores) }
        let decodeCost = DecodeCost(media: clip.start(of: count), spent: clip.framesDecodeIn, worked: cost)
        wall.player.note(.lease(.cost(decodeCost), of: job.lease), at: now)
        pipelines[index].next += count
        decoded[job.clip, default: 0] += 1
        pipelines[index].isBusy = true
        pipelines[index].wakesAt = now + cost
    }

    private mutating func end(_ index: Int, at time: Time?) {
        guard let job = pipelines[index].job else { return }
        pipelines[index].job = nil
        pipelines[index].wakesAt = now
        wall.player.note(.lease(.ended(at: time, keeping: job.source), of: job.lease), at: now)
    }

    /// Makes the reading of a clip fail in the middle.
    mutating func breakOff(_ clip: String, _ trouble: SourceTrouble) {
        for index in pipelines.indices {
            if pipelines[index].job?.clip == clip { breakOff(index, trouble) }
        }
        settle()
    }

    private mutating func breakOff(_ index: Int, _ trouble: SourceTrouble) {
        guard let job = pipelines[index].job else { return }
        pipelines[index].job = nil
        pipelines[index].wakesAt = now
        wall.player.note(.lease(.failed(trouble, closing: job.source), of: job.lease), at: now)
    }
}
