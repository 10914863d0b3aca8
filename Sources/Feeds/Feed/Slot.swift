import Base
import Decoded
import Layout
import Opened

/// The decoded frames of one run. A feed's first slot is its front (on screen). The slots after it are prepared.
///
/// A slot is in one place at a time: in the queue of its feed, as the run that fades out (`FadeOut`), as the tail that is
/// kept for a step back (`Seam`), or among the runs that wait below a layer (`InterruptedRuns`). All other slots with
/// its frames are copies (`tail`, `rest`, `replayed`, `divided`).
public final class Slot {
    public private(set) var id: Int
    /// Has another place after a change of the sequence.
    public internal(set) var run: RunID
    /// Source of the run.
    public let location: String
    /// Its place on the group's clock, its length and its entry.
    var timing: SlotTiming
    /// Whether the slot continues the run before, or was entered by a start, a seek or a new seat.
    private(set) var arrival = Arrival.follows
    public private(set) var loading = Loading.planned
    private(set) var response = Response.answering
    /// True if the next slot starts when its own first frame is decoded, however late.
    private(set) var holdsNext = false
    public private(set) var seamManner = SeamManner.reopened
    public private(set) var times = Times()
    public private(set) var content = Content.frames
    var decoded: SlotFrames

    /// Wall times at which its source was requested and opened, a pipeline took it, and its first frame was decoded.
    public struct Times {
        /// Wall time at which opening the source began; nil before.
        public fileprivate(set) var asked: Time?
        public fileprivate(set) var opened: Time?
        public fileprivate(set) var leased: Time?
        public fileprivate(set) var firstDecoded: Time?
    }

    public enum Content: Equatable {
        /// Frames of a film or a stream, decoded as they become due. A slot begins with this content.
        case frames
        /// One image. `asked`: size and samples in which it was requested again; nil if it was not.
        case still(asked: StillPlan?)
        /// A sound without frames. Frames that were decoded before the source came back as a sound are still shown.
        case sound
    }

    enum Arrival { case follows, entered }

    public enum Loading {
        /// Not requested yet.
        case planned
        case opening
        /// Open, without a pipeline.
        case ready(OpenSourceID)
        case leased(pipeline: Int)
        /// Everything is decoded.
        case whole
        case failed(SourceTrouble)
    }

    /// Response of the source, while the slot is planned or being opened.
    enum Response {
        /// The source answers, or has not been silent for long.
        case answering
        /// Silent for more than a second. The slots after it are decoded, and play if the source failed before.
        case skipped
        /// The connection was lost during playback. The next attempt is at this wall time; nil while it is under way.
        case lost(until: Time?)
    }

    init(id: Int, _ run: RunID, of timeline: Timeline, start: Time?, entry: Time = .zero) {
        (self.id, self.run, location) = (id, run, timeline.segment(of: run).source)
        timing = SlotTiming(start: start, entry: entry, length: timeline.length(of: run))
        decoded = SlotFrames(to: entry)
    }

    /// Copies a slot.
    private init(_ other: Slot) {
        (id, run, location, timing, arrival) = (other.id, other.run, other.location, other.timing, other.arrival)
        (loading, response, holdsNext) = (other.loading, other.response, other.holdsNext)
        (seamManner, times, content, decoded) = (other.seamManner, other.times, other.content, other.decoded)
    }

    public var frames: [TimedFrame] { decoded.frames }
    public var dueIndex: Int { decoded.dueIndex }
    public var decodedTo: Time { decoded.to }
    var refill: SlotFrames.Refill? { decoded.refill }
    var gaps: SlotGaps { decoded.gaps }

    /// Returns a slot with the last `count` frames alone, to be entered backwards; nil if there are none.
    func tail(of count: Int) -> Slot? {
        guard count > 0, isWhole, start != nil else { return nil }
        let tail = Slot(self)
        tail.decoded.replace(by: Array(frames.suffix(count)))
        guard let first = tail.frames.first else { return nil }
        (tail.loading, tail.arrival) = (.whole, .entered)
        tail.timing.takesOverAt = nil
        tail.timing.fade = .zero
        tail.timing.entry = first.offset
        return tail
    }

    // MARK: its place in time

    /// Returns a slot for the rest of the run, from `offset` on, with the frames that are decoded already.
    func rest(from offset: Time, as run: RunID, id: Int) -> Slot {
        let rest = replayed(as: run, id: id)
        rest.timing.entry = offset
        rest.decoded.to = max(offset, decodedTo)
        rest.timing.abIteration = 0
        rest.timing.cutOffset = nil
        (rest.response, rest.holdsNext) = (.answering, false)
        if !isStill { rest.decoded.removeFrames(before: offset) }
        if !isWhole { (rest.loading, rest.seamManner) = (.planned, .reopened) }
        return rest
    }

    /// Drops everything from this offset on.
    func shorten(to offset: Time) {
        timing.length = offset
        timing.cutOffset = offset
        decoded.shorten(to: offset)
    }

    /// Takes `shorten` back and plays to the run's end. `length`: nil if unknown. A new `id` ends its lease.
    func lengthen(to length: Time?, id: Int) {
        timing.length = length
        timing.cutOffset = nil
        timing.cutTime = nil
        if length.map({ decodedTo < $0 }) ?? true { decoded.refill?.wasWhole = false }
        if isLeased { (self.id, loading) = (id, .planned) } else { reopen() }
    }

    /// Called when a start, a seek or a new seat enters the slot.
    func enter() { arrival = .entered }

    /// Frames before `entry` are skipped.
    func moveEntry(to entry: Time) {
        timing.entry = entry
        decoded.to = entry
    }

    /// Everything up to `length`, the end of the run, is decoded.
    private func endDecoding(at length: Time) {
        timing.length = length
        decoded.to = length
    }

    // MARK: source and decoding

    /// `asked`: since when its source is being opened, in wall time.
    func noteOpening(since asked: Time) {
        loading = .opening
        if case .lost = response { response = .lost(until: nil) }
        times.asked = asked
    }

    func skip() { response = .skipped }

    func holdNext() { holdsNext = true }

    func take(_ source: OpenSourceID, at now: Time) {
        (loading, response, holdsNext) = (.ready(source), .answering, false)
        times.opened = now
    }

    func lease(to pipeline: Int, at now: Time, isAnother: Bool) {
        loading = .leased(pipeline: pipeline)
        decoded.gaps.decoderLeavesOut = false
        if isAnother { seamManner = .swapped }
        if times.leased == nil { times.leased = now }
    }

    /// The decoder stayed open.
    public func noteContinued() { if seamManner == .reopened { seamManner = .continued } }

    /// The pipeline gave the source back.
    func takeBack(_ source: OpenSourceID) { loading = .ready(source) }

    /// The source must be requested again.
    func replan() { loading = .planned }

    /// No part of the source can be played. `length`: how long its place in the sequence lasts; nil leaves it
    /// unchanged.
    func fail(_ trouble: SourceTrouble, lasting length: Time?) {
        loading = .failed(trouble)
        if let length { endDecoding(at: length) }
        // Only a skipped slot of length zero stays skipped: later slots were planned and decoded as if it were absent.
        if !isSkipped || self.length != .zero { response = .answering }
    }

    /// Plays nothing of its source, which may still be opening. A new `id` ends the wait for that opening.
    func passOver(_ trouble: SourceTrouble, id: Int) {
        self.id = id
        fail(trouble, lasting: .zero)
    }

    /// Everything is decoded. `length`: the length, if known now.
    func end(_ length: Time? = nil) {
        (loading, response) = (.whole, .answering)
        if let length { endDecoding(at: length) }
    }

    /// Decodes the part that was cut off.
    func reopen() {
        guard case .whole = loading, !isStill, length.map({ decodedTo < $0 }) ?? true else { return }
        loading = .planned
    }

    /// Ends the slot although its source goes on. A new `id` ends the slot's lease.
    func end(id: Int) { (self.id, loading, response) = (id, .whole, .answering) }

    /// Ends the run after the last frame decoded so far.
    func breakOff() {
        timing.length = decodedTo
        giveUpRest()
    }

    /// Requests the source again, not before this wall time.
    func reconnect(at instant: Time) { (loading, response) = (.planned, .lost(until: instant)) }

    /// The time of the run is over before the source is back.
    func giveUpRest() {
        (loading, response) = (.whole, .answering)
        decoded.refill = nil
    }

    /// Takes a still image, or makes it a sound without frames.
    func fill(with still: TimedFrame?, _ length: Time?, at now: Time) {
        (loading, seamManner) = (.whole, .swapped)
        content = still == nil ? .sound : .still(asked: askedStill)
        timing.length = length
        decoded.to = length ?? .zero
        times.firstDecoded = now
        response = .answering
        decoded.refill = nil
        if let still { decoded.replace(by: [still]) }
    }

    public func noteAsked(_ plan: StillPlan) { if case .still = content { content = .still(asked: plan) } }

    /// Returns a slot with the same frames, to be shown again without decoding.
    func replayed(as run: RunID, id: Int) -> Slot {
        let again = Slot(self)
        (again.id, again.run) = (id, run)
        again.timing.clear()
        (again.arrival, again.loading, again.seamManner, again.times) = (.follows, .whole, .replayed, Times())
        again.decoded.restart()
        return again
    }

    /// Returns a slot with the same frames in the place of a planned slot.
    func replayed(inPlaceOf planned: Slot) -> Slot {
        let again = replayed(as: planned.run, id: planned.id)
        again.timing = planned.timing.replayed(for: timing)
        guard let played = again.played, !isStill else { return again }
        again.decoded.dropFrames(from: played - again.dueTolerance)
        again.decoded.to = min(again.decodedTo, played)
        return again
    }

    func copy() -> Slot { Slot(self) }

    /// Returns a copy of the decoded frames for a divided feed, which opens the source again for the rest.
    func divided(id: Int) -> Slot {
        let own = copy()
        own.id = id
        own.decoded.refill = nil
        own.timing.fade = .zero
        if !own.isWhole { own.loading = .planned }
        return own
    }

    // MARK: frames

    /// Moves the times of a live slot. Shown frames are not shown again, and frames that are over by then do not count
    /// as dropped.
    func moveEdge(by change: Time, to groupTime: Time) {
        // Others follow.
        if change > .zero { decoded.replace(by: []) }
        timing.shift(by: change)
        // The move does not change the duration.
        if let length { timing.length = length - change }
        _ = advance(to: groupTime, keeping: 0)
    }

    /// Moves `dueIndex` to the due frame, forwards or backwards. Returns the frames that were passed unseen. `behind`:
    /// number of frames kept before the due one.
    func advance(to groupTime: Time, keeping behind: Int) -> Missed {
        start.map { decoded.advance(to: groupTime - $0, keeping: behind) } ?? Missed()
    }

    /// Adds the next frame. `end`: start of the frame after it. Returns true if it was the first.
    func append(_ frame: TimedFrame, to end: Time, at now: Time) -> Bool {
        decoded.append(frame, to: end)
        guard times.firstDecoded == nil else { return false }
        times.firstDecoded = now
        return true
    }

    // MARK: refills

    /// Has the frames before `frames` decoded by the next lease. A new `id` ends the current one.
    func beginRefill(id: Int, from: Time, to: Time) {
        decoded.refill = SlotFrames.Refill(from: from, to: to, wasWhole: isWhole)
        (self.id, loading) = (id, .planned)
    }

    /// All missing frames are decoded. The run continues as before.
    func endRefill() {
        guard let refill else { return }
        loading = refill.wasWhole ? .whole : .planned
        decoded.endRefill(cutOffset: cutOffset)
    }
}
