import Base
import Heard
import Layout

/// Frames and sound before the front that are still shown, heard or kept for a step back.
///
/// A slot keeps five frames before the due one while the clock runs, and 30 while it is paused. `tail` keeps the last
/// frames before a seam. After a step or a small drag back to kept frames, the second before these frames is decoded
/// (`Reel.refill`). For `audio.delay` the sound of past slots is kept (`heard`).
public struct Seam {
    /// Frame shown under the front while a seam fades; nil while no seam fades.
    public internal(set) var fadeOut: FadeOut?
    /// The last frames of the run before the front's, for a step back over the seam.
    var tail: Slot?
    /// Sound of past slots that is still heard.
    private(set) var heard: [HeardRun] = []
    /// Memory and tile sizes from which the timeline's fade limits were computed; nil until then.
    var fadeBasis: FadeBasis?

    var isFading: Bool { fadeOut != nil }

    /// Drops the frames. The sound stays.
    mutating func clear() { (fadeOut, tail) = (nil, nil) }

    mutating func shift(by change: Time) {
        tail?.timing.shift(by: change)
        for index in heard.indices { heard[index].sound.shift(by: change) }
        fadeOut?.shift(by: change)
    }

    /// Moves the fade to another clock, and drops the frames kept for a step back. The sound keeps its times.
    mutating func changeClock(by change: Time) {
        tail = nil
        fadeOut?.shift(by: change)
    }

    // MARK: fades

    /// A run gives way to the next run, with or without a fade. Returns the frames of an older fade that were not shown;
    /// nil if nothing fades. `behind`: number of frames kept for a step back.
    mutating func leave(_ before: Slot, for front: Slot, at groupTime: Time, keeping behind: Int) -> MissedFrames? {
        guard let begin = front.begin, let end = front.fadeEnd, groupTime < end else {
            tail = before.tail(of: behind)
            return nil
        }
        let unseen = fadeOut?.unseen ?? MissedFrames()
        (fadeOut, tail) = (FadeOut(.run(before), from: begin, to: end), nil)
        return unseen
    }

    /// Starts a fade from `last`, the final frame of the replaced sequence, if the transition before `run` has a
    /// duration.
    mutating func leave(_ last: FeedShowing.Shown, for run: RunID, of timeline: Timeline, at groupTime: Time) {
        let wanted = timeline.wantedTransition(before: run).length
        guard wanted > .zero else { return }
        let half = timeline.itemLength(at: run.place).map { $0 / 2 } ?? wanted
        fadeOut = FadeOut(.frame(last), from: groupTime, to: groupTime + min(wanted, half))
    }

    /// Advances the run that fades out, and ends the fade when it is over. Returns its frames that were due and not
    /// shown. `isOver`: true if nothing fades any more.
    mutating func advance(under slots: SlotQueue, to groupTime: Time, keeping behind: Int) -> (
        missed: MissedFrames, isOver: Bool
    ) {
        var missed = MissedFrames()
        if fadeOut == nil { returnToFade(under: slots, groupTime) }
        guard let over = fadeOut else { return (missed, true) }
        if let slot = over.slot { missed.add(slot.advance(to: groupTime, keeping: behind), of: slot.run) }
        guard over.isOver(at: groupTime) else { return (missed, false) }
        fadeOut = nil
        if groupTime >= over.end {
            missed.add(over.unseen)
            tail = over.slot?.tail(of: behind)
        }
        return (missed, true)
    }

    /// If the clock went back into a fade, shows the frames that were kept of the run before.
    private mutating func returnToFade(under slots: SlotQueue, _ groupTime: Time) {
        guard let front = slots.first, let begin = front.begin, let end = front.fadeEnd, begin <= groupTime,
            groupTime < end, let tail
        else { return }
        (fadeOut, self.tail) = (FadeOut(.run(tail), from: begin, to: end), nil)
    }

    /// True if the front fades in at this instant and the frames to fade out are not held.
    func lacksFade(at groupTime: Time, into slots: SlotQueue) -> Bool {
        guard slots.count == 1 || slots[1].takesOverFrom.map({ $0 > groupTime }) ?? true, let front = slots.first,
            let begin = front.begin, let end = front.fadeEnd, begin <= groupTime, groupTime < end
        else { return false }
        guard let under = fadeOut?.slot ?? tail else { return fadeOut == nil }
        // True if more of the run must be decoded, or its kept frames start after `groupTime`.
        return !under.isWhole || under.firstFrame.map { $0 > groupTime } ?? true
    }

    /// Returns the frame under the one that is due, and its entry for the report of shown frames.
    func fade(at groupTime: Time, of feed: FeedID) -> (FeedShowing.Fade?, [DrawnFrame]) {
        guard let fadeOut, !fadeOut.isOver(at: groupTime), let shown = fadeOut.frame else { return (nil, []) }
        let drawn = fadeOut.slot.map { [DrawnFrame(feed: feed, slot: $0.id, serial: shown.serial)] } ?? []
        return (FeedShowing.Fade(shown, of: fadeOut.slot?.run, weight: fadeOut.weight(at: groupTime)), drawn)
    }

    /// Returns a drawn frame of the run that fades out; nil if it is of another run or was shown before.
    public func newFrame(_ drawn: DrawnFrame) -> (slot: Slot, frame: Int)? {
        guard let slot = fadeOut?.slot, slot.id == drawn.slot,
            let frame = slot.frames.firstIndex(where: { $0.serial == drawn.serial }), !slot.frames[frame].isPresented
        else { return nil }
        return (slot, frame)
    }

    // MARK: steps back

    /// Keeps at most this number of frames for a step back.
    mutating func keepTail(of count: Int) { if let kept = tail { tail = kept.tail(of: count) } }

    /// Called when the clock goes back over the front's beginning. Returns the frames from before it, which become the
    /// front again; nil if there are none for this instant.
    mutating func takeTail(before slots: SlotQueue, backTo groupTime: Time) -> Slot? {
        guard let tail = fadeOut?.slot ?? tail, tail.isWhole, let front = slots.first, let first = front.start,
            front.firstFrame.map({ $0 <= first + front.entry }) ?? false, let instant = tail.firstFrame,
            let end = tail.end, instant <= groupTime, groupTime < min(end, first)
        else { return nil }
        clear()
        return tail
    }

    // MARK: another sequence

    /// Moves to a new sequence. `place`: returns the place of a run in the new sequence. `isLeft`: true if the front is
    /// not in the new sequence.
    mutating func resequence(isLeft: Bool, _ place: (RunID) -> RunID?) {
        tail = nil
        if isLeft || !(fadeOut?.resequence(place) ?? false) { fadeOut = nil }
    }

    // MARK: sound

    /// `since`: sound that ended before this is no longer heard.
    mutating func keepSound(of runs: [HeardRun], since: Time, groupTime: Time) {
        heard.removeAll { ($0.sound.end ?? groupTime) <= since || $0.sound.start > groupTime }
        heard += runs
    }
}

/// A run of a feed that may be heard. Each tile chooses its own sound of it.
public struct HeardRun {
    public let item: ItemPlace
    /// Time in the song at which the run is heard first, as the segment states it; nil if it states none.
    public let songStart: Time?
    /// The sound that comes with the frames.
    public internal(set) var sound: SoundRun
}
