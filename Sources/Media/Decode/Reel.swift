import CFFmpeg
import WallCore

/// The pictures of [from, until) of one source through one decoder, in order.
///
/// Belongs to the thread that owns its source and its decoder. Making one costs nothing; the first `next` seeks,
/// and may block as long as the source may. The decoder stays open, so a reel that follows another is cheap.
public final class Reel {
    private let source: Source
    private let decoder: Decoder
    private let from: Time
    private let until: Time?
    private var state = State.unplaced
    /// The picture that is handed out next.
    private var current: Timed?
    /// The one after it, if it is decoded already.
    private var ahead: Timed?
    private var stamper: Stamper
    private var lastLength: Time?

    private enum State { case unplaced, running, drained(end: Time), failed(SourceTrouble) }

    public enum Step {
        case picture(DecodedPicture)
        /// `until`, or the end of the last picture where the source ends before.
        case end(Time)
    }

    /// `decoder` was opened for `source` or continues with it.
    public init(source: Source, decoder: Decoder, from: Time, until: Time?) {
        (self.source, self.decoder, self.from, self.until) = (source, decoder, from, until)
        stamper = Stamper(clock: source.clock)
    }

    /// The first picture is the one on screen at `from`: it may start before.
    public func next() throws(SourceTrouble) -> Step {
        if case .unplaced = state { try place() }
        guard let picture = current else {
            switch state {
            case .drained(let end): return .end(until.map { min($0, end) } ?? end)
            case .failed(let trouble): throw trouble
            case .unplaced, .running: preconditionFailure("a running reel has a picture")
            }
        }
        if let until, picture.start >= until { return .end(until) }
        advance()
        let end = current?.start ?? self.end(of: picture)
        lastLength = end - picture.start
        return .picture(DecodedPicture(frame: picture.frame, start: picture.start, length: end - picture.start))
    }

    /// Makes the picture after `current` the current one.
    private func advance() {
        guard let picture = current else { return }
        current = ahead
        ahead = nil
        guard current == nil, case .running = state else { return }
        do throws(SourceTrouble) {
            current = try decode(skipLimit: nil)
            // Where pictures are left out, the last one may be among them.
            let known = decoder.leavesPicturesOut ? source.facts.length ?? .zero : .zero
            if current == nil { state = .drained(end: max(end(of: picture), known)) }
        } catch {
            state = .failed(error)
        }
    }

    /// From the next packet on.
    public func leaveOut(_ thrift: Thrift) { decoder.leaveOut(thrift) }

    private func end(of picture: Timed) -> Time {
        let end = source.clock.end(of: picture.timestamp, duration: picture.duration, before: lastLength)
        return max(end, picture.start + Time(ticks: 1))
    }

    private func decode(skipLimit: Int64?) throws(SourceTrouble) -> Timed? {
        switch try decoder.next(from: source, skipLimit: skipLimit) {
        case .frame(let frame): stamper.stamp(frame)
        case .end: nil
        }
    }
}

// MARK: - Finding the picture on screen at `from`

extension Reel {
    /// Pictures that start so long before `from` may be left out while it is looked for.
    private static let certainlyBefore = Time.seconds(1)

    private enum Search { case found, startsTooLate, leftOutTooMuch }

    private func place() throws(SourceTrouble) {
        var target = from
        var stepBack = Time.seconds(1)
        var skipsAhead = decoder.canSkip
        while true {
            let landing = try source.seek(to: target)
            decoder.flush(toStart: landing == .beginning ? .anywhere : .atKeyPicture, of: source)
            stamper.restart()
            let limit = from - Reel.certainlyBefore
            switch try search(from: landing, skipBefore: skipsAhead && limit > .zero ? limit : nil) {
            case .found:
                return
            case .leftOutTooMuch:
                skipsAhead = false
            case .startsTooLate:
                target = max(.zero, from - stepBack)
                stepBack = stepBack * 2
            }
        }
    }

    private func search(from landing: Source.Landing, skipBefore limit: Time?) throws(SourceTrouble) -> Search {
        let skipLimit = limit.map { source.clock.timestamp(of: $0) }
        var best: Timed?
        while let picture = try decode(skipLimit: skipLimit) {
            if picture.start <= from {
                if let best { lastLength = picture.start - best.start }
                if let passed = best?.frame { decoder.reuse(passed) }
                best = picture
                continue
            }
            guard let best else {
                if landing == .earlier { return .startsTooLate }
                // What stood before it cannot be decoded.
                current = picture
                current!.start = from
                state = .running
                return .found
            }
            if let limit, best.start < limit { return .leftOutTooMuch }
            (current, ahead, state) = (best, picture, .running)
            return .found
        }
        guard let best else {
            if landing == .earlier { return .startsTooLate }
            throw SourceTrouble(.damaged, "none of its pictures could be decoded")
        }
        if let limit, best.start < limit { return .leftOutTooMuch }
        let end = end(of: best)
        state = .drained(end: end)
        if end > from { current = best }
        return .found
    }
}
