import Base
import Decoded
import Feeds
import Layout

/// Beginnings of breaks: the instant at which a break comes on top of its tiles, for each tile alone or for all at
/// once.
///
/// A beginning is decided 0.3 s ahead, which is enough to decode the first frame. A break that begins on several tiles
/// together begins when the first of them ends its item. The front slots of the others are cut at that instant, which
/// is decided once (`Breaks.Break.begins`). A tile whose next run begins earlier takes the break once that run is on.
///
/// If iterations begin together, `entryAtEndOfIteration` decides for a tile that has ended, or that the end of the
/// iteration cuts off. `until: shortest` adds the break's length to the iteration (`nextIterationStart`). A tile is
/// left out of a break if its source can't be played, if it gets no turn, or if it is live and the break waits for the
/// end of an item. A tile that has ended returns to its last frame.
struct BreakEntries {
    let snapshot: Snapshot

    /// Time before the start of a break by which its first item must be known, to be decoded in time.
    private static var warmUp: Time { .milliseconds(300) }
    /// Longest time for which a tile plays on while the live source of an interrupting break is opened.
    private static var longestWait: Time { .seconds(3) }
    /// Delay between the end of a run and the check for the next one.
    private static var delay: Time { .milliseconds(5) }

    /// Returns the tiles of `members` that a break can reach. The others play on without it.
    func tilesReached(by coming: Breaks.Break, of members: some Sequence<TileID>) -> [TileID] {
        let playing = members.filter { playsItems(snapshot.feed(of: $0)) }
        // A live item has no end: it stops at once, or together with a tile whose item ends.
        let isDecided = coming.isActive && coming.begins != nil
        let stopsWithOthers =
            coming.layout.isTogether
            && (isDecided || playing.contains { !snapshot.feed(of: $0).frontIsLive })
        let stopsAtOnce = !coming.layout.isTogether && coming.layout.when == .now
        return playing.filter { tile in
            let feed = snapshot.feed(of: tile)
            if case .none = prospect(of: tile, leavingWith: playing) { return false }
            if !feed.frontIsLive || stopsWithOthers { return true }
            // A live source that was lost and is being reconnected can't be stopped.
            return stopsAtOnce && (feed.slots.first?.start != nil || feed.trouble.latest == nil)
        }
    }

    /// Returns true if a feed plays something, or will when it has a seat.
    func playsItems(_ feed: Feed) -> Bool {
        switch feed.phase {
        case .barren, .hopeless: return false
        case .ended:
            guard let front = feed.slots.first else { return false }
            return !(front.hasFailed && feed.course.onError(in: front.run) == .stop)
        case .playing:
            return feed.hasSeat || snapshot.isOnStage(feed) && SeatContest(snapshot: snapshot).hasTurns(feed.id)
        }
    }

    // MARK: shared feeds

    /// Returns the prospect of a seat for a tile that enters a break together with `entering`. Their feed keeps its
    /// seat unless other tiles go on with it. `begin`: start of the break in wall time; nil if it is unknown.
    private func prospect(of tile: TileID, leavingWith entering: [TileID], at begin: Time? = nil)
        -> SeatContest.Prospect
    {
        let feed = snapshot.feed(of: tile), leaving = feed.tiles.filter(entering.contains)
        if leaving.count == feed.tiles.count { return .all }
        return SeatContest(snapshot: snapshot).prospect(
            ofTilesLeaving: leaving, at: max(snapshot.now, begin ?? snapshot.now))
    }

    /// Decision whether a tile may leave its feed, which it shares with tiles that play on without the break.
    private enum Parting {
        case now
        /// `until`: wall time at which to look again; nil while the clock is paused.
        case later(until: Time?)
        /// The feed that the tile would get has no seat. `until`: wall time at which it may get one.
        case lacksSeat(until: Time?)
    }

    /// If seats are short, a tile leaves its shared feed only shortly before the break begins, and only if its own feed
    /// gets a seat. Until then the tile shows the shared feed.
    private func parting(of tile: TileID, leavingWith entering: [TileID], to entry: Entry, for coming: BreakLayout)
        -> Parting
    {
        let feed = snapshot.feed(of: tile), clock = snapshot.group(of: feed).clock
        let cut = entry.place.cutOffset.flatMap { cut in feed.slots.first?.start.map { $0 + cut } }
        let begin = entry.begin ?? cut ?? feed.endOfItem
        let prospect = prospect(of: tile, leavingWith: entering, at: begin.flatMap { clock.wallTime(of: $0) })
        if case .all = prospect { return .now }
        // A break that interrupts at once begins as early as it can.
        let isAtOnce = coming.when == .now && !coming.isTogether && cut != nil
        if !isAtOnce, let begin {
            // The frames that are decoded by then last until the break.
            let leaves = begin - (lead(of: coming, in: feed) + Depth.usual).played(at: clock.rate)
            if leaves > clock.position(at: snapshot.now) { return .later(until: clock.wallTime(of: leaves)) }
        }
        switch prospect {
        case .all, .takesSeat: return .now
        case .takesTurns(let next): return .lacksSeat(until: next)
        case .none: return .lacksSeat(until: nil)
        }
    }

    // MARK: entries

    /// Beginning of a break on a tile.
    struct Entry {
        let place: Layer.Place
        /// Earliest group time at which the break begins; nil if the break begins where the sequence is left. The two
        /// differ if the tile has waited for others since its item ended.
        var begin: Time?

        static func atEnd(_ run: RunID, begin: Time? = nil) -> Entry { Entry(place: Layer.Place(run), begin: begin) }
    }

    /// Changes of a break on some of its tiles.
    struct Decision {
        var entries: [(tile: TileID, entry: Entry)] = []
        /// Tiles that play on without the break.
        var skipping: Set<TileID> = []
        /// The common beginning, if it was just decided, and the groups of which all tiles take part.
        var begins: (instants: [GroupID: Time], holding: [GroupID])?
        var isCut = false
        /// Wall time at which to look again.
        var next = Earliest()
    }

    /// Decides how a break starts on each of these tiles separately, if enough of the tile's item is left to decode the
    /// first frame of the break.
    func separately(_ ready: [TileID], for coming: BreakLayout, _ decision: inout Decision) {
        for tile in ready {
            guard let entry = entry(of: tile, for: coming) else { continue }
            switch parting(of: tile, leavingWith: ready, to: entry, for: coming) {
            case .now: decision.entries.append((tile, entry))
            case .later(let until), .lacksSeat(let until): decision.next.add(until)
            }
        }
    }

    /// Decides how a break starts on all its tiles at one instant. Runs that end before that instant are played to
    /// their ends. A tile that can't start the break at that instant is left out. `others`: tiles that have the break
    /// on top already.
    func together(_ coming: Breaks.Break, _ members: [TileID], beside others: [TileID]) -> Decision {
        var decision = Decision()
        guard let begins = coming.begins ?? commonBegin(of: coming.layout, members, &decision.next) else {
            return decision
        }
        let whole = groups(allIn: Set(members).union(others))
        var waiting = 0
        for tile in members {
            let feed = snapshot.feed(of: tile), clock = snapshot.group(of: feed).clock
            let groupTime = clock.position(at: snapshot.now)
            // The group's clock may have moved since `begins` was set.
            let begin = instant(begins, for: feed).map { $0 >= groupTime - Self.warmUp ? $0 : groupTime } ?? groupTime
            if let end = endOfRun(of: feed, before: begin) {
                waiting += 1
                // Only a running clock has a wall time for `end`.
                if clock.motion == .running { decision.next.add(afterEnd(end, of: feed)) }
            } else if let entry = entry(of: tile, to: begin, for: coming.layout, pausing: whole) {
                switch parting(of: tile, leavingWith: members, to: entry, for: coming.layout) {
                case .now: decision.entries.append((tile, entry))
                case .later(let until):
                    waiting += 1
                    decision.next.add(until)
                case .lacksSeat: decision.skipping.insert(tile)
                }
            } else {
                decision.skipping.insert(tile)
            }
        }
        if coming.begins == nil {
            let entering = coming.entering.subtracting(decision.skipping)
            decision.begins = (begins, groups(allIn: entering))
        }
        decision.isCut = decision.entries.count + waiting + others.count > 1
        return decision
    }

    /// Returns the instant at which the first of these tiles ends its item, in the time of each group. nil if the instant
    /// is unknown, as when another tile starts its next run well before: that run may end first. `next` gets the wall time
    /// at which to look again.
    private func commonBegin(of coming: BreakLayout, _ members: [TileID], _ next: inout Earliest) -> [GroupID: Time]? {
        // A break that comes only after a number of items counts those of its first tile.
        let first = snapshot.layout.tiles(of: coming).first.flatMap(snapshot.tiles.id(named:))
        let counted = coming.isByItemsAlone ? members.filter { $0 == first } : members
        let ended =
            counted.allSatisfy { snapshot.feed(of: $0).phase == .ended } ? snapshot.now + Self.warmUp : nil
        guard let begin = counted.compactMap({ endOfItem(on: $0, for: coming) }).min() ?? ended else { return nil }
        var begins: [GroupID: Time] = [:]
        for group in snapshot.clocks.ids { begins[group] = snapshot.clocks[group].clock.position(at: begin) }
        let ends = members.compactMap { tile -> Time? in
            let feed = snapshot.feed(of: tile)
            return instant(begins, for: feed).flatMap { endOfRun(of: feed, before: $0) }.map { afterEnd($0, of: feed) }
        }
        let longest = members.map { lead(of: coming, in: snapshot.feed(of: $0)) }.max() ?? .zero
        guard let last = ends.max(), begin - last >= longest + Self.delay else { return begins }
        next.add(last)
        return nil
    }

    /// Returns the start of the break on the clock that a feed follows. Live feeds have a clock of their own in their
    /// group.
    private func instant(_ begins: [GroupID: Time], for feed: Feed) -> Time? {
        guard let begin = begins[feed.group], feed.isLive else { return begins[feed.group] }
        return snapshot.group(of: feed).clock.position(
            at: snapshot.clocks[feed.group].clock.wallTime(of: begin) ?? snapshot.now)
    }

    /// Returns the end of a feed's current run, if another run is on by `begin`. nil if the current run or its last
    /// frame is still on then.
    private func endOfRun(of feed: Feed, before begin: Time) -> Time? {
        guard feed.phase == .playing, let front = feed.slots.first, let end = front.end, end + .milliseconds(1) < begin,
            let next = feed.course.following(front.run)
        else { return nil }
        let group = snapshot.group(of: feed)
        guard group.isTogether, next.iteration != front.run.iteration else { return end }
        return group.iterations.nextStart.flatMap { $0 + .milliseconds(1) < begin ? max(end, $0) : nil }
    }

    /// Returns the wall time at which the run after `end` is on the screen, unless it is late.
    private func afterEnd(_ end: Time, of feed: Feed) -> Time {
        max(snapshot.now, snapshot.group(of: feed).clock.wallTime(of: end) ?? snapshot.now) + Self.delay
    }

    /// Returns the groups of which all tiles are in `entering`. Tiles of live feeds do not count.
    private func groups(allIn entering: Set<TileID>) -> [GroupID] {
        snapshot.clocks.ids.filter { group in
            let members = snapshot.feeds.filter { $0.group == group && !$0.isLive }.flatMap(\.tiles)
            return !members.isEmpty && entering.isSuperset(of: members)
        }
    }

    /// Returns the time before the end of the preceding item by which a break's first item must be known. A fade makes
    /// that item begin earlier.
    private func lead(of coming: BreakLayout, in feed: Feed) -> Time { Self.warmUp + transition(to: coming, in: feed) }

    /// Returns the length of the fade into a break.
    private func transition(to coming: BreakLayout, in feed: Feed) -> Time {
        (coming.play.first?.transition ?? feed.timeline.transition).length
    }

    private func entry(of tile: TileID, for coming: BreakLayout) -> Entry? {
        let feed = snapshot.feed(of: tile), lead = lead(of: coming, in: feed)
        if feed.phase == .playing, let entry = entryAtEndOfIteration(of: feed, lead, coming.when) { return entry }
        guard coming.when == .now, feed.phase == .playing, feed.hasSeat, let front = feed.slots.first,
            let start = front.start
        else { return placeForBreak(in: feed, lead).map { .atEnd($0) } }
        let clock = snapshot.group(of: feed).clock
        // The fade into the break must not overlap the fade of the seam before it.
        let faded = (front.fadeEnd ?? start) + transition(to: coming, in: feed).played(at: clock.rate)
        // A live source takes long to open. The tile is interrupted earlier if the source is ready earlier.
        let isLive = coming.play.first.map { feed.sources.isKnownLive($0.segments.first.source) } ?? false
        let wait = isLive && !feed.frontIsLive ? lead + Self.longestWait : lead
        let earliest = max(clock.position(at: snapshot.now) + wait.played(at: clock.rate), faded)
        // A part of the item is played, so that the item can resume.
        let begin = max(beginningOfFrame(of: feed, from: earliest, start), start + Timeline.shortestRun)
        if let end = front.end, begin >= end { return placeForBreak(in: feed, lead).map { .atEnd($0) } }
        return Entry(place: Layer.Place(interrupting: feed, at: begin))
    }

    /// Returns the entry for a feed whose group begins iterations together: after an item that has ended and waits for
    /// the others, or where the end of the iteration cuts an item off. nil for any other item.
    private func entryAtEndOfIteration(of feed: Feed, _ lead: Time, _ when: BreakLayout.When) -> Entry? {
        let group = snapshot.group(of: feed), groupTime = group.clock.position(at: snapshot.now)
        guard group.isTogether, let front = feed.slots.first, front.start != nil, let end = feed.endOfItem,
            let next = group.iterations.nextStart, next - groupTime >= lead
        else { return nil }
        if end <= groupTime, feed.timeline.next(after: front.run) == nil {
            return .atEnd(front.run, begin: when == .now ? groupTime + lead : next)
        }
        guard when == .itemEnd, group.until == .shortest, next + .milliseconds(1) < end,
            front.end.map({ $0 >= next }) ?? true
        else { return nil }
        return Entry(place: Layer.Place(interrupting: feed, at: next))
    }

    /// Returns the entry of a tile for a break that begins on all its tiles at one instant, `begin` in group time.
    private func entry(of tile: TileID, to begin: Time, for coming: BreakLayout, pausing: [GroupID]) -> Entry? {
        let feed = snapshot.feed(of: tile)
        guard feed.phase == .playing, let front = feed.slots.first, let start = front.start else {
            return placeForBreak(in: feed, lead(of: coming, in: feed)).map { .atEnd($0, begin: begin) }
        }
        if let end = feed.endOfItem, end <= begin + .milliseconds(1) {
            let isPausing = pausing.contains(feed.group)
            // In a group that pauses for the break, a tile that waits for the others resumes with its last frame.
            let hold = isPausing ? hold(of: feed, from: begin) : nil
            return hold.map { Entry(place: $0, begin: begin) } ?? .atEnd(front.run, begin: begin)
        }
        // A part of the item is played and a part is left, so that the item can resume.
        let instant = front.end.map { min(begin, $0 - .milliseconds(1)) } ?? begin
        return Entry(place: Layer.Place(interrupting: feed, at: max(instant, start + Timeline.shortestRun)))
    }

    /// Returns the wall time at which a tile's item ends, if the break's first frame can be decoded by then. nil if the
    /// end is unknown, or the tile has ended.
    private func endOfItem(on tile: TileID, for coming: BreakLayout) -> Time? {
        let feed = snapshot.feed(of: tile)
        guard feed.phase == .playing, placeForBreak(in: feed, lead(of: coming, in: feed)) != nil,
            let end = feed.endOfItem
        else { return nil }
        return snapshot.group(of: feed).clock.wallTime(of: end)
    }

    /// Returns the run on the screen if its item lasts until the first frame of a break can be decoded; nil otherwise.
    private func placeForBreak(in feed: Feed, _ lead: Time) -> RunID? {
        guard let front = feed.slots.first else { return nil }
        if feed.phase == .ended { return front.run }
        guard feed.phase == .playing, feed.hasSeat else { return nil }
        if feed.reel.isReplayable(0) { return front.run }
        guard let end = feed.endOfItem else {
            // The length is unknown: a second slot means that the item is nearly over. A live item has no end.
            return feed.slots.count == 1 && !feed.frontIsLive && !feed.mayBeLive ? front.run : nil
        }
        return end - snapshot.group(of: feed).clock.position(at: snapshot.now) >= lead ? front.run : nil
    }

    /// Returns the start of the front's first frame that begins at `instant` or later, in group time. Frames that are
    /// not decoded yet are computed from the frame length.
    private func beginningOfFrame(of feed: Feed, from instant: Time, _ start: Time) -> Time {
        let front = feed.slots[0], known = front.frames.lazy.map { start + $0.offset }
        if let first = known.first(where: { $0 >= instant }) { return first }
        guard let last = known.last, let length = feed.sources.facts(of: front.location)?.frameLength, length > .zero
        else { return instant }
        let lasting = length.lasting(at: feed.timeline.rate(of: front.run))
        return last + lasting * ((instant - last).ticks / lasting.ticks + 1)
    }

    /// Returns a place that resumes with the front's last frame. nil unless the front is the last run of the iteration,
    /// and others of its group still play theirs.
    private func hold(of feed: Feed, from instant: Time) -> Layer.Place? {
        let front = feed.slots[0], group = snapshot.clocks[feed.group]
        guard group.isTogether, feed.timeline.next(after: front.run) == nil, let end = front.end,
            let length = front.length, let next = group.iterations.nextStart,
            next > max(end, instant) + .milliseconds(1),
            let frame = front.isStill ? .milliseconds(40) : feed.sources.facts(of: front.location)?.frameLength
        else { return nil }
        let last = frame.lasting(at: feed.timeline.rate(of: front.run))
        return Layer.Place(front.run, resumesAt: max(.zero, length - last))
    }
}

extension Feed {
    /// End of the front's item with all its rounds and segments, in group time. nil until that is known.
    fileprivate var endOfItem: Time? {
        guard let front = slots.first, let start = front.start, let passed = timeline.offset(of: front.run),
            let span = timeline.sequence.span(ofItem: front.run.item)
        else { return nil }
        return start - passed + timeline.sequence.start(ofItem: front.run.item) + span
    }
}
