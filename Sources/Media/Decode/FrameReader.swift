import Base
import Decoded

/// The frames of [from, until) of one source through one decoder, in order.
///
/// Belongs to the thread that owns its source and its decoder. Creating a reader costs nothing. The first `next` seeks
/// if needed, and may block as long as the source may. The decoder stays open, so a reader that follows another is
/// cheap. If the former reader was left (`leave`) a little before `from`, decoding just goes on.
public final class FrameReader {
    private let source: Source
    private let decoder: Decoder
    private var stretch: Stretch
    private let isWanted: () -> Bool
    /// True if two consecutive frames had timestamps far apart since the last seek.
    public var hasJumped: Bool { timestamps.hasJumped }
    private var state = State.unplaced
    /// Decoded frames not handed out yet; the first is handed out next.
    private var queue: [Timed] = []
    /// Frame that was handed out last.
    private var handed: Timed?
    private var timestamps: TimestampRepair
    private var lastLength: Time?
    /// Time that playback has reached. Frames that end before it are dropped where possible.
    private var dropLimit: Time?

    /// The part of the source that is read.
    private struct Stretch {
        var from: Time
        let until: Time?
        /// A frame that starts less than this after `from`, or before `until`, counts as starting there.
        let tolerance: Time

        /// True if a frame with this start is on the screen at `from`, or was before.
        func isReached(by start: Time) -> Bool { start <= from + tolerance }
        func isOver(at start: Time) -> Bool { until.map { start + tolerance >= $0 } ?? false }
    }

    /// True if each frame is handed out as it comes. Its length is assumed to be that of the frame before. Other readers
    /// wait for the next frame, which shows where the frame ends.
    private var isPrompt: Bool { source.isStampedByArrival }

    private enum State { case unplaced, running, drained(end: Time), failed(SourceTrouble) }

    public enum Step {
        case frame(TimedCodecFrame)
        /// `until`, or the end of the last frame if the source ends earlier.
        case end(Time)
        /// `isWanted` returned false during the search for the first frame.
        case abandoned
    }

    /// `decoder` was opened for `source` or continues with it. `isWanted` is called during the search for the first
    /// frame, which may decode everything between two key frames.
    public init(
        source: Source, decoder: Decoder, from: Time, until: Time?, isWanted: @escaping () -> Bool = { true }
    ) {
        (self.source, self.decoder, self.isWanted) = (source, decoder, isWanted)
        timestamps = TimestampRepair(clock: source.clock)
        stretch = Stretch(from: from, until: until, tolerance: source.clock.rate?.frame.dueTolerance ?? .zero)
    }

    /// Returns the next frame. The first one is on screen at `from`, so it may start earlier.
    public func next() throws(SourceTrouble) -> Step {
        if case .unplaced = state, try !place() { return .abandoned }
        if isPrompt, queue.isEmpty, case .running = state {
            if let next = try decode(skipLimit: nil) {
                queue = [next]
            } else {
                state = .drained(end: handed.map { self.end(of: $0) } ?? stretch.from)
            }
        }
        guard let frame = queue.first else {
            switch state {
            case .drained(let end): return .end(stretch.until.map { min($0, end) } ?? end)
            case .failed(let trouble): throw trouble
            case .unplaced, .running: preconditionFailure("a running reader has a frame")
            }
        }
        if let until = stretch.until, stretch.isOver(at: frame.start) { return .end(until) }
        if isPrompt, let handed { lastLength = frame.start - handed.start }
        advance()
        // The frame was held until a read of a live source timed out. It is old, and must not be presented as new.
        if case .failed(let trouble) = state, trouble.kind == .timeout, source.facts.live != nil {
            throw trouble
        }
        let end = queue.first?.start ?? self.end(of: frame)
        lastLength = end - frame.start
        return .frame(TimedCodecFrame(codecFrame: frame.codecFrame, start: frame.start, length: end - frame.start))
    }

    /// The frame that `next` returns next, with the length that it probably has. nil if it is not decoded yet, or may be
    /// the last one.
    public var coming: TimedCodecFrame? {
        guard !isPrompt, case .running = state, let frame = queue.first, !stretch.isOver(at: frame.start) else {
            return nil
        }
        return TimedCodecFrame(
            codecFrame: frame.codecFrame, start: frame.start, length: end(of: frame) - frame.start)
    }

    /// Stores the position in the decoder, so that the next reader may go on from here.
    public func leave() {
        let frames = (handed.map { [$0] } ?? []) + queue
        let reach: ResumePoint.Reach
        switch state {
        case .running: reach = .decodesOn
        case .drained(let end): reach = .drained(end: end)
        case .unplaced, .failed: return
        }
        decoder.resumePoint = ResumePoint(
            source: source, moves: source.moves, frames: frames, timestamps: timestamps, reach: reach)
    }

    /// Drops frames that end before `time`. Non-reference frames are not decoded. If a key frame lies between, all
    /// frames before it are skipped.
    public func skip(to time: Time) {
        dropLimit = time
        guard case .running = state, source.facts.isSeekable, let last = queue.last,
            time - last.start > FrameReader.farBehind,
            source.hasKeyFrame(after: decoder.sent.fedTo, notAfter: time) ?? false
        else { return }
        (stretch.from, state, queue, handed) = (time, .unplaced, [], nil)
        decoder.resumePoint = nil
    }

    private static let farBehind = Time.milliseconds(250)

    /// Hands out the first queued frame, and decodes the next one.
    private func advance() {
        let frame = queue.removeFirst()
        handed = frame
        guard queue.isEmpty, !isPrompt, case .running = state else { return }
        do throws(SourceTrouble) {
            if let next = try decode(skipLimit: decoder.canSkip ? dropLimit.map(source.clock.timestamp) : nil) {
                queue = [next]
            } else {
                // If frames are dropped, the last one may be among them.
                let mayBe = decoder.leavesFramesOut || decoder.sent.droppedUpTo > frame.timestamp
                let known = mayBe ? source.facts.length ?? .zero : .zero
                state = .drained(end: max(end(of: frame), known))
            }
        } catch {
            state = .failed(error)
        }
    }

    /// Sets which frames and loop filters are skipped, from the next packet on.
    public func setSkips(_ skips: DecodeSkips) { decoder.setSkips(skips) }

    private func end(of frame: Timed) -> Time {
        let end = source.clock.end(of: frame.timestamp, duration: frame.duration, before: lastLength)
        return max(end, frame.start + Time(ticks: 1))
    }

    private func decode(skipLimit: Int64?) throws(SourceTrouble) -> Timed? {
        guard let codecFrame = try decoder.next(from: source, skipLimit: skipLimit) else { return nil }
        let frame = timestamps.stamp(codecFrame)
        source.note(shift: timestamps.shift)
        return frame
    }
}

// MARK: - Finding the frame on screen at `from`

extension FrameReader {
    /// Distance that is decoded rather than sought if the container has no index of key frames.
    private static let nearby = Time.seconds(2)

    private enum Search { case found, startsTooLate, droppedTooMuch, abandoned }
    /// Treatment of non-reference frames before the wanted one.
    private enum OnTheWay { case leavesOut, decodesAll }

    /// Returns false if the search was abandoned.
    private func place() throws(SourceTrouble) -> Bool {
        let from = stretch.from
        if let resumePoint = decoder.resumePoint, resumePoint.holds(in: source) {
            switch try resume(from: resumePoint) {
            case .found: return true
            case .abandoned: return false
            case .startsTooLate, .droppedTooMuch: break
            }
        }
        // A frame that the deinterlacer makes needs the frame before it.
        var target =
            decoder.needsNeighbours ? max(.zero, from - (source.clock.rate?.frame ?? .milliseconds(40))) : from
        var stepBack = Time.seconds(1)
        var onTheWay = OnTheWay.leavesOut
        while true {
            let landing = try source.seek(to: target)
            decoder.flush(toStart: landing == .beginning ? .anywhere : .atKeyFrame, of: source)
            timestamps = TimestampRepair(clock: source.clock)
            switch try search(from: landing, after: nil, onTheWay) {
            case .found: return true
            case .abandoned: return false
            case .droppedTooMuch: onTheWay = .decodesAll
            case .startsTooLate:
                target = max(.zero, from - stepBack)
                stepBack = stepBack * 2
            }
        }
    }

    /// Goes on without a seek if that is cheaper than going to a key frame.
    private func resume(from resumePoint: ResumePoint) throws(SourceTrouble) -> Search {
        let from = stretch.from
        guard let index = resumePoint.frames.lastIndex(where: { stretch.isReached(by: $0.start) }),
            let last = resumePoint.frames.last
        else { return .startsTooLate }
        switch resumePoint.reach {
        case .drained(let end):
            queue = end > from ? Array(resumePoint.frames[index...]) : []
            state = .drained(end: end)
        case .decodesOn where index < resumePoint.frames.count - 1:
            if decoder.sent.droppedUpTo > resumePoint.frames[index].timestamp { return .droppedTooMuch }
            queue = Array(resumePoint.frames[index...])
            state = .running
        case .decodesOn:
            let passesKey =
                source.hasKeyFrame(after: decoder.sent.fedTo, notAfter: from)
                ?? (from - last.start > FrameReader.nearby)
            if passesKey { return .startsTooLate }
            timestamps = resumePoint.timestamps
            return try search(from: .earlier, after: last, .leavesOut)
        }
        timestamps = resumePoint.timestamps
        return .found
    }

    private func search(
        from landing: Source.Landing, after first: Timed?, _ onTheWay: OnTheWay
    ) throws(SourceTrouble) -> Search {
        let limit = onTheWay == .leavesOut && decoder.canSkip ? source.clock.timestamp(of: stretch.from) : nil
        var best = first
        while let frame = try decode(skipLimit: limit) {
            if isPrompt {
                (queue, state) = ([frame], .running)
                return .found
            }
            if stretch.isReached(by: frame.start), landing != .here {
                if let best, decoder.sent.droppedUpTo <= best.timestamp { lastLength = frame.start - best.start }
                if let passed = best?.codecFrame, best?.timestamp != first?.timestamp { decoder.reuse(passed) }
                best = frame
                if isWanted() { continue }
                (queue, state) = ([frame], .running)
                return .abandoned
            }
            guard let best else {
                if landing == .earlier { return .startsTooLate }
                // The frame before it cannot be decoded.
                queue = [frame]
                queue[0].start = stretch.from
                state = .running
                return .found
            }
            if decoder.sent.droppedUpTo > best.timestamp { return .droppedTooMuch }
            (queue, state) = ([best, frame], .running)
            return .found
        }
        guard let best else {
            if landing == .earlier { return .startsTooLate }
            throw SourceTrouble(.damaged, "none of its frames could be decoded")
        }
        if decoder.sent.droppedUpTo > best.timestamp { return .droppedTooMuch }
        let end = end(of: best)
        state = .drained(end: end)
        queue = end > stretch.from ? [best] : []
        return .found
    }
}
