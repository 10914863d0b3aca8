import Base
import Layout

// The run that a course plays at an instant, and the run that follows another.
extension Course {
    /// Returns the position of the feed's iterations on a clock that is at `groupTime`.
    func anchor(at groupTime: Time, _ iterations: Iterations, isTogether: Bool) -> Anchor {
        var anchor = anchor
        if isTogether {
            anchor.follow(iterations)
        } else if let length = timeline.iterationLength, length > .zero {
            anchor.move(to: groupTime, in: timeline, of: length)
            // The first iteration began late, because a source did not answer. If the clock is before the late start,
            // the feed is where it would be without the delay.
            if anchor.iteration == 0, groupTime < anchor.origin {
                anchor.reset()
                anchor.move(to: groupTime, in: timeline, of: length)
            }
        }
        return anchor
    }

    /// The run that plays at an instant.
    struct Entrance {
        let run: RunID
        let start: Time
        var entry: Time
        /// True if the iteration is over at that instant, so that its last frame is shown.
        var isOver = false
    }

    /// Returns the run that plays at an instant, without a change of the course.
    func entrance(at groupTime: Time, _ group: Group) -> Entrance {
        entrance(at: groupTime, anchor(at: groupTime, group.iterations, isTogether: group.isTogether))
    }

    func entrance(at groupTime: Time, _ anchor: Anchor) -> Entrance {
        let (iteration, origin) = (anchor.iteration, anchor.origin)
        guard timeline.takesPart(inIteration: iteration) else { return lastFrame(before: iteration, anchor) }
        switch timeline.position(at: groupTime - origin, inIteration: iteration) {
        case .run(let run, let start), .unknown(let run, let start):
            return Entrance(run: run, start: origin + start, entry: max(.zero, groupTime - origin - start))
        case .over: return lastFrame(before: iteration + 1, anchor)
        }
    }

    private func lastFrame(before iteration: Int, _ anchor: Anchor) -> Entrance {
        let run = timeline.lastRun(inIteration: max(0, iteration - 1))
        let length = timeline.length(of: run) ?? .zero
        let end =
            anchor.origin
            + (iteration == anchor.iteration + 1 ? timeline.length(ofIteration: anchor.iteration) ?? .zero : .zero)
        return Entrance(run: run, start: end - length, entry: max(.zero, length - Time(ticks: 1)), isOver: true)
    }

    /// Returns the place in its item of the run that plays at `time`; nil if the feed is over then.
    public func placeInItem(_ time: Time, _ group: Group) -> Time? {
        let entrance = entrance(at: time, group)
        return entrance.isOver
            ? nil : timeline.length(ofSegmentsBefore: entrance.run) + max(.zero, time - entrance.start)
    }

    // MARK: following runs

    /// Returns the run after `run`, also across the end of an iteration; nil if nothing follows.
    public func following(_ run: RunID) -> RunID? {
        timeline.next(after: run) ?? timeline.sequence.first(inIteration: run.iteration + 1)
    }

    /// Returns the run after layer `number`, also across the end of an iteration; nil if nothing follows.
    func following(afterLayer number: Int) -> RunID? {
        guard let layer = timeline.layer else { return nil }
        return timeline.next(afterLayer: number) ?? timeline.sequence.first(inIteration: layer.iteration + 1)
    }

    /// Returns the run after a slot, also across the end of an iteration; nil if nothing follows.
    public func following(_ last: Slot) -> RunID? { following(lastRound(of: last)) }

    /// Returns the end of the item's last round if the slot has ended a round in which nothing was played. The rounds
    /// of such an item are not tried one by one.
    func lastRound(of slot: Slot) -> RunID {
        var run = slot.run
        guard slot.hasFailed, slot.length == .zero, let item = timeline.item(of: run),
            run.segment == item.segments.count - 1, timeline.itemLength(at: run.place) == .zero
        else { return run }
        run.round = max(run.round, item.rounds - 1)
        return run
    }

    /// Returns the run that the group plays after the run of `last`, also across the end of an iteration.
    func followingRun(_ last: Slot, _ group: Group) -> RunID? {
        guard let next = following(last) else { return nil }
        // If a break has shortened the slot, the break follows.
        guard group.isTogether, group.until == .shortest, next.iteration == last.run.iteration,
            let cut = last.cutOffset == nil ? last.cutTime : cutByIteration(of: last, group), let end = last.end,
            end >= cut - timeline.fade(before: RunID(iteration: next.iteration + 1))
        else { return next }
        return timeline.sequence.first(inIteration: next.iteration + 1)
    }

    /// True if the feed plays in the group's A-B loop, which begins before the feed has ended.
    func hasABIterations(_ group: Group) -> Bool {
        guard let abLoop else { return false }
        return group.isTogether || !entrance(at: abLoop.begin, group).isOver
    }

    /// Returns the time at which a layer, or the next iteration of the A-B loop or of the group, cut the slot off.
    func cutTime(of slot: Slot, _ group: Group) -> Time? {
        if let offset = slot.cutOffset { return slot.start.map { $0 + offset } }
        let ends = [abLoop.map { $0.end(ofABIteration: slot.abIteration) }, cutByIteration(of: slot, group)]
        return ends.compactMap { $0 }.min()
    }

    private func cutByIteration(of slot: Slot, _ group: Group) -> Time? {
        guard group.isTogether, group.until == .shortest else { return nil }
        return start(ofIteration: slot.run.iteration + 1, abIteration: slot.abIteration, group).map {
            $0 + timeline.fade(before: RunID(iteration: slot.run.iteration + 1))
        }
    }

    /// Returns the start of an iteration of the group in an iteration of its A-B loop; nil if it is not known.
    func start(ofIteration iteration: Int, abIteration: Int, _ group: Group) -> Time? {
        let start = group.iterations(ofABIteration: abIteration).start(of: iteration)
        guard let abLoop, abIteration != 0 else { return start }
        return start.map { $0 + abLoop.length * Int64(abIteration) }
    }

    /// Returns the delay added to the start of each run of this iteration.
    public func delay(inIteration iteration: Int) -> Time {
        guard let delayed = anchor.delayed, delayed.run.iteration == iteration, anchor.iteration == iteration else {
            return .zero
        }
        return max(.zero, delayed.begin - anchor.origin - timeline.start(ofItemOf: delayed.run))
    }

    /// Returns the start of a run that follows `before`; nil while the length of `before` is unknown.
    func start(of run: RunID, after before: Slot) -> Time? {
        guard let start = before.start, let length = before.length else { return nil }
        let begin = start + length - timeline.fade(before: run) - timeline.entry(of: run)
        return anchor.delayed.map { $0.run == run ? max(begin, $0.begin) : begin } ?? begin
    }

    /// Returns the place of the run's item in another sequence, or in the layers on top of that sequence.
    func placed(_ run: RunID, in other: Timeline) -> RunID? {
        if run.layer > 0 { return other.layer == nil ? nil : run }
        guard let item = timeline.place(of: run, in: other.items) else { return nil }
        var placed = other.layer == nil ? run.whole : run
        placed.item = item
        return placed
    }

    /// Returns the part of an interrupted item that `run` resumes; nil if `run` resumes none. A live source does not
    /// resume: the feed connects to it again.
    func resumed(by run: RunID) -> ShownItems.Resumed? {
        guard run.isRest, let place = timeline.layer(run.layer + 1)?.place, place.resumesAt ?? .zero > .zero else {
            return nil
        }
        return place.cutOffset == nil ? .lastFrame : .rest
    }

    /// An item on top that can't be played is skipped.
    public func onError(in run: RunID) -> OnError { run.layer > 0 ? .next : onError }

    // MARK: lengths

    /// True if no other source is ever played, so that the run needs no end.
    private func playsForever(_ run: RunID) -> Bool {
        timeline.loop == .forever && timeline.allRuns.allSatisfy { timeline.repeats(run, $0) }
    }

    /// Duration of the run's item; nil if it plays until it ends or fails.
    func liveLength(of run: RunID) -> Time? { playsForever(run) ? nil : timeline.stillLength(of: run) }

    func followsItself(_ run: RunID) -> Bool { following(run).map { timeline.repeats(run, $0) } ?? true }

    /// Returns the length of an item that can't be played: zero, unless the layout specifies to hold its place.
    func lengthOfFailure(_ run: RunID) -> Time {
        guard onError(in: run) == .hold else { return .zero }
        let segment = timeline.segment(of: run)
        return timeline.stillLength(of: run) ?? segment.end.map {
            max(($0 - segment.start).lasting(at: timeline.rate(of: run)), Timeline.shortestStill)
        } ?? timeline.length(of: run).flatMap { $0 > .zero ? $0 : nil } ?? Timeline.usualStill
    }

    /// Returns the start of the key frame nearest to an instant, in the run that plays then; nil if the key frames are
    /// not known.
    public func keyFrame(near groupTime: Time, _ sources: FeedSources) -> Time? {
        guard
            case .run(let run, let start) = timeline.position(
                at: groupTime - anchor.origin, inIteration: anchor.iteration),
            let keys = sources.facts(of: timeline.segment(of: run).source)?.keyFrames
        else { return nil }
        let (segment, rate) = (timeline.segment(of: run), timeline.rate(of: run))
        let wanted = segment.start + (groupTime - anchor.origin - start).played(at: rate)
        let nearest = keys.filter { $0 >= segment.start && $0 < segment.end ?? .distantFuture }.min {
            ($0 - wanted).magnitude < ($1 - wanted).magnitude
        }
        return nearest.map { anchor.origin + start + ($0 - segment.start).lasting(at: rate) }
    }

    // MARK: its sources

    /// Sources of the items of all layers.
    var locations: Set<String> { Set(timeline.allRuns.map { timeline.segment(of: $0).source }) }

    var hasServers: Bool { timeline.items.contains { $0.segments.contains { SourceName.path(of: $0.source) == nil } } }

    /// True if an item of the sequence was tried and can't be played.
    public func isUnplayable(_ item: Int, _ trouble: FeedTrouble) -> Bool {
        guard timeline.items.indices.contains(item) else { return false }
        return timeline.sequence.itemLength(item) == .zero
            || timeline.items[item].segments.allSatisfy { trouble.isHopeless($0.source) }
    }

    /// True if none of its sources can ever be played.
    func isHopeless(_ trouble: FeedTrouble) -> Bool {
        timeline.items.allSatisfy { item in item.segments.allSatisfy { trouble.isHopeless($0.source) } }
    }

    /// Time by which decoding runs further ahead before a fade, so that the run's pipeline is free for the next run
    /// when the fade begins.
    func fadeAhead(of slots: SlotQueue) -> Time {
        guard timeline.fades else { return .zero }
        return slots.lazy.map { slot in following(slot.run).map { timeline.fade(before: $0) } ?? .zero }.max() ?? .zero
    }

    /// Time that the layout specifies for a source that may stall.
    func readAhead(of run: RunID) -> Time {
        guard SourceName.path(of: timeline.segment(of: run).source) == nil else { return .zero }
        return timeline.item(of: run)?.fetching.ahead ?? .zero
    }
}
