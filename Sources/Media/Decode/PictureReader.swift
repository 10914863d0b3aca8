import CFFmpeg
import WallCore

/// The pictures of [from, until) of one source through one decoder, in order.
///
/// Belongs to the thread that owns its source and its decoder. Making one costs nothing; the first `next` seeks
/// where it has to, and may block as long as the source may. The decoder stays open, so a reader that follows another
/// is cheap; where the reader before was left (`leave`) a little before `from`, it just decodes on.
public final class PictureReader {
    private let source: Source
    private let decoder: Decoder
    private var from: Time
    private let until: Time?
    private let isWanted: () -> Bool
    /// A picture that starts so little after `from`, or before `until`, counts as starting there.
    private let tolerance: Time
    /// Since it was placed: two pictures that follow each other were far apart by their timestamps.
    public var hasJumped: Bool { timestamps.hasJumped }
    private var state = State.unplaced
    /// Decoded and not handed out; the first is handed out next.
    private var queue: [Timed] = []
    /// Handed out last.
    private var handed: Timed?
    private var timestamps: TimestampRepair
    private var lastLength: Time?
    /// Whoever watches has come so far: what ends before is left out where that can be.
    private var over: Time?

    private enum State { case unplaced, running, drained(end: Time), failed(SourceTrouble) }

    public enum Step {
        case picture(TimedFrame)
        /// `until`, or the end of the last picture where the source ends before.
        case end(Time)
        /// Nobody wanted it any more while the first picture was looked for.
        case abandoned
    }

    /// `decoder` was opened for `source` or continues with it. `isWanted` is asked while the first picture is
    /// looked for, which may take as long as a whole stretch between key pictures.
    public init(
        source: Source, decoder: Decoder, from: Time, until: Time?, isWanted: @escaping () -> Bool = { true }
    ) {
        (self.source, self.decoder, self.from, self.until) = (source, decoder, from, until)
        self.isWanted = isWanted
        timestamps = TimestampRepair(clock: source.clock)
        tolerance = source.clock.rate?.picture.dueTolerance ?? .zero
    }

    /// The first picture is the one on screen at `from`: it may start before.
    public func next() throws(SourceTrouble) -> Step {
        if case .unplaced = state, try place() == .abandoned { return .abandoned }
        guard let picture = queue.first else {
            switch state {
            case .drained(let end): return .end(until.map { min($0, end) } ?? end)
            case .failed(let trouble): throw trouble
            case .unplaced, .running: preconditionFailure("a running reader has a picture")
            }
        }
        if let until, picture.start + tolerance >= until { return .end(until) }
        advance()
        // The frame was held until a read of a live source timed out. It is old, and must not be presented as new.
        if case .failed(let trouble) = state, trouble.kind == .timeout, source.facts.traits.live != nil {
            throw trouble
        }
        let end = queue.first?.start ?? self.end(of: picture)
        lastLength = end - picture.start
        return .picture(TimedFrame(codecFrame: picture.codecFrame, start: picture.start, length: end - picture.start))
    }

    /// Notes in the decoder where they stand: the next reader may go on from here.
    public func leave() {
        let pictures = (handed.map { [$0] } ?? []) + queue
        let reach: ResumePoint.Reach
        switch state {
        case .running: reach = .decodesOn
        case .drained(let end): reach = .drained(end: end)
        case .unplaced, .failed: return
        }
        decoder.resumePoint = ResumePoint(in: source, pictures: pictures, timestamps: timestamps, reach: reach)
    }

    /// What ends before `time` is over and need not come: pictures that nobody builds on are not decoded, and where
    /// a key picture lies between, all before it are left out.
    public func passOver(to time: Time) {
        over = time
        guard case .running = state, source.facts.traits.isSeekable, let last = queue.last,
            time - last.start > PictureReader.farBehind,
            source.hasKeyPicture(after: decoder.fedTo, notAfter: time) ?? false
        else { return }
        (from, state, queue, handed) = (time, .unplaced, [], nil)
        decoder.resumePoint = nil
    }

    private static let farBehind = Time.milliseconds(250)

    /// Hands out the first of the queue, and sees to it that another follows.
    private func advance() {
        let picture = queue.removeFirst()
        handed = picture
        guard queue.isEmpty, case .running = state else { return }
        do throws(SourceTrouble) {
            if let next = try decode(skipLimit: decoder.canSkip ? over.map(source.clock.timestamp) : nil) {
                queue = [next]
            } else {
                // Where pictures are left out, the last one may be among them.
                let mayBe = decoder.leavesPicturesOut || decoder.leftOutTo > picture.timestamp
                let known = mayBe ? source.facts.length ?? .zero : .zero
                state = .drained(end: max(end(of: picture), known))
            }
        } catch {
            state = .failed(error)
        }
    }

    /// From the next packet on.
    public func leaveOut(_ skips: DecodeSkips) { decoder.leaveOut(skips) }

    private func end(of picture: Timed) -> Time {
        let end = source.clock.end(of: picture.timestamp, duration: picture.duration, before: lastLength)
        return max(end, picture.start + Time(ticks: 1))
    }

    private func decode(skipLimit: Int64?) throws(SourceTrouble) -> Timed? {
        switch try decoder.next(from: source, skipLimit: skipLimit) {
        case .codecFrame(let codecFrame): timestamps.stamp(codecFrame)
        case .end: nil
        }
    }
}

// MARK: - Finding the picture on screen at `from`

extension PictureReader {
    /// Where the container does not say where key pictures are, so much is decoded rather than sought.
    private static let nearby = Time.seconds(2)

    private enum Placing { case placed, abandoned }
    private enum Search { case found, startsTooLate, leftOutTooMuch, abandoned }
    /// Whether pictures that no other builds on are left out on the way.
    private enum OnTheWay { case leavesOut, decodesAll }

    private func place() throws(SourceTrouble) -> Placing {
        if let resumePoint = decoder.resumePoint, resumePoint.holds(in: source) {
            switch try goOn(from: resumePoint) {
            case .found: return .placed
            case .abandoned: return .abandoned
            case .startsTooLate, .leftOutTooMuch: break
            }
        }
        // A frame that is made with its neighbours needs the one before it.
        var target =
            decoder.needsNeighbours ? max(.zero, from - (source.clock.rate?.picture ?? .milliseconds(40))) : from
        var stepBack = Time.seconds(1)
        var onTheWay = OnTheWay.leavesOut
        while true {
            let landing = try source.seek(to: target)
            decoder.flush(toStart: landing == .beginning ? .anywhere : .atKeyPicture, of: source)
            timestamps.restart()
            switch try search(from: landing, after: nil, onTheWay) {
            case .found: return .placed
            case .abandoned: return .abandoned
            case .leftOutTooMuch: onTheWay = .decodesAll
            case .startsTooLate:
                target = max(.zero, from - stepBack)
                stepBack = stepBack * 2
            }
        }
    }

    /// With no seek, where that is cheaper than going to a key picture.
    private func goOn(from resumePoint: ResumePoint) throws(SourceTrouble) -> Search {
        guard let index = resumePoint.pictures.lastIndex(where: { $0.start <= from + tolerance }),
            let last = resumePoint.pictures.last
        else { return .startsTooLate }
        switch resumePoint.reach {
        case .drained(let end):
            queue = end > from ? Array(resumePoint.pictures[index...]) : []
            state = .drained(end: end)
        case .decodesOn where index < resumePoint.pictures.count - 1:
            if decoder.leftOutTo > resumePoint.pictures[index].timestamp { return .leftOutTooMuch }
            queue = Array(resumePoint.pictures[index...])
            state = .running
        case .decodesOn:
            let passesKey =
                source.hasKeyPicture(after: decoder.fedTo, notAfter: from) ?? (from - last.start > PictureReader.nearby)
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
        let limit = onTheWay == .leavesOut && decoder.canSkip ? source.clock.timestamp(of: from) : nil
        var best = first
        while let picture = try decode(skipLimit: limit) {
            if picture.start <= from + tolerance, landing != .here {
                if let best, decoder.leftOutTo <= best.timestamp { lastLength = picture.start - best.start }
                if let passed = best?.codecFrame, best?.timestamp != first?.timestamp { decoder.reuse(passed) }
                best = picture
                if isWanted() { continue }
                (queue, state) = ([picture], .running)
                return .abandoned
            }
            guard let best else {
                if landing == .earlier { return .startsTooLate }
                // What stood before it cannot be decoded.
                queue = [picture]
                queue[0].start = from
                state = .running
                return .found
            }
            if decoder.leftOutTo > best.timestamp { return .leftOutTooMuch }
            (queue, state) = ([best, picture], .running)
            return .found
        }
        guard let best else {
            if landing == .earlier { return .startsTooLate }
            throw SourceTrouble(.damaged, "none of its pictures could be decoded")
        }
        if decoder.leftOutTo > best.timestamp { return .leftOutTooMuch }
        let end = end(of: best)
        state = .drained(end: end)
        queue = end > from ? [best] : []
        return .found
    }
}
