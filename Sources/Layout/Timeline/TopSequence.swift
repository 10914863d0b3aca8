import Base

/// Items on top of a sequence. They play once, in one iteration of the sequence, which waits meanwhile.
///
/// Items on top never change the sequence. `RunID.part` distinguishes runs of the sequence, runs on top and the rest of
/// an interrupted run; `ItemPlace` distinguishes their items. `Timeline` covers all of them: the order of the runs, the
/// fades, and the run that plays at an instant.
///
/// A new layout or an edit by hand changes only the sequence. The items on top stay if the item that they follow or
/// interrupt stays (`Timeline.init(items:_:following:)`).
public struct TopSequence: Sendable {
    /// The items on top, as a sequence of their own.
    public internal(set) var list: Playlist
    public private(set) var place: Place
    /// Name of the break (or other owner) of the items.
    public let name: String
    /// True if the sequence resumes with a cut, not with a fade.
    private let endsWithCut: Bool

    /// Place at which a sequence is left, and at which it goes on.
    public struct Place: Hashable, Sendable {
        /// The run after which, or within which, the sequence is left.
        public var leftRun: RunID
        /// Offset in `leftRun` at which it is interrupted; nil if its item is played to the end.
        public var cutAt: Time?
        /// Offset at which `leftRun` resumes; nil if the next item plays instead.
        public var resumesAt: Time?

        public init(_ run: RunID, cutAt: Time? = nil, resumesAt: Time? = nil) {
            (self.leftRun, self.cutAt, self.resumesAt) = (run, cutAt, resumesAt)
        }
    }

    /// `isCut`: true if the items begin and end with a cut. `transition`: the transition of the sequence.
    public init(_ items: [Item], named name: String = "", at place: Place, isCut: Bool, _ transition: Transition) {
        var items = items
        if isCut { items[0].transition = .cut }
        (self.name, self.place, endsWithCut) = (name, place, isCut)
        list = Playlist(items: items, loop: .iterations(1), transition: transition)
    }

    public var items: [Item] { list.items }
    /// Iteration of the sequence in which the items play.
    public var iteration: Int { place.leftRun.iteration }
    public var first: RunID { RunID(iteration: iteration, part: .top) }

    /// The run that follows the items on top: the rest of an interrupted run, the last frame of one that had ended, or a
    /// live source; nil if none.
    public var rest: RunID? {
        place.resumesAt.map { _ in
            var rest = place.leftRun
            rest.part = .rest
            return rest
        }
    }

    fileprivate var last: RunID {
        let item = items.count - 1
        return RunID(
            iteration: iteration, item: item, round: items[item].rounds - 1, segment: items[item].segments.count - 1,
            part: .top)
    }

    func moved(to item: Int) -> TopSequence {
        var moved = self
        moved.place.leftRun.item = item
        return moved
    }

    /// Moves the place at which a run is interrupted. The run goes on there.
    mutating func interrupt(at offset: Time) { (place.cutAt, place.resumesAt) = (offset, offset) }

    func transitionToRest(of sequence: Timeline) -> Transition {
        endsWithCut ? .cut : sequence.item(of: place.leftRun)?.transition ?? sequence.transition
    }

    /// True if a run of the sequence comes after the items.
    public func isBefore(_ run: RunID) -> Bool {
        let left = place.leftRun
        if run.iteration != left.iteration { return run.iteration > left.iteration }
        switch run.part {
        case .top: return false
        case .rest: return true
        case .sequence where place.cutAt == nil: return run.item > left.item
        case .sequence: return (run.item, run.round, run.segment) > (left.item, left.round, left.segment)
        }
    }

    // MARK: its place in the sequence

    /// The first run after the items on top, in the same iteration; nil if none follows.
    func firstBehind(in sequence: Playlist) -> RunID? { rest ?? sequence.next(after: lastBefore(in: sequence)) }

    /// The last run before the items on top.
    func lastBefore(in sequence: Playlist) -> RunID {
        var run = place.leftRun
        guard place.cutAt == nil, let item = sequence.item(of: run) else { return run }
        (run.round, run.segment) = (item.rounds - 1, item.segments.count - 1)
        return run
    }

    /// True if a run is the first after the items on top, even if it is in the next iteration.
    func isFollowed(by run: RunID, in sequence: Playlist) -> Bool {
        run == firstBehind(in: sequence) ?? RunID(iteration: iteration + 1)
    }

    /// The run that follows the rest of the interrupted round; nil if no run is interrupted, or none follows.
    func seamAfterRest(in sequence: Playlist) -> RunID? {
        guard let rest, let item = sequence.item(of: rest) else { return nil }
        if rest.round + 1 < item.rounds {
            return RunID(iteration: rest.iteration, item: rest.item, round: rest.round + 1)
        }
        if rest.item + 1 < sequence.items.count { return RunID(iteration: rest.iteration, item: rest.item + 1) }
        return sequence.takesPart(inIteration: rest.iteration + 1) ? RunID(iteration: rest.iteration + 1) : nil
    }

    /// Length of the rest of the interrupted round; nil until known.
    func lengthOfRest(in sequence: Playlist) -> Time? {
        guard let rest, let entry = place.resumesAt else { return nil }
        return sequence.itemLength(rest.item).map {
            max(.zero, $0 - sequence.length(ofSegmentsBefore: rest.whole) - entry)
        }
    }

    /// Offset in the iteration at which the sequence is left.
    func offsetOfLeaving(_ sequence: Playlist) -> Time? {
        let left = place.leftRun
        guard sequence.has(left) else { return nil }
        if let cut = place.cutAt { return sequence.offset(of: left).map { $0 + cut } }
        return sequence.span(ofItem: left.item).map { sequence.start(ofItem: left.item) + $0 }
    }
}

extension RunID {
    /// The same run in the timeline of the items on top.
    var ofOwnTimeline: RunID { RunID(iteration: 0, item: item, round: round, segment: segment) }

    /// A run of the timeline of the items on top, as part of an iteration of the sequence below.
    fileprivate func onTop(inIteration iteration: Int) -> RunID {
        RunID(iteration: iteration, item: item, round: round, segment: segment, part: .top)
    }
}

// The order and lengths of an iteration in which items are on top of the sequence.
extension Timeline {
    /// Offset in a run from which it is shown: `resumesAt` for the rest of an interrupted run, zero for all other runs.
    public func entry(of run: RunID) -> Time { run.part == .rest ? top?.place.resumesAt ?? .zero : .zero }

    /// Offset at which the items on top interrupt a run; nil if they do not.
    public func cut(of run: RunID) -> Time? { run == top?.place.leftRun ? top?.place.cutAt : nil }

    /// Delay of the rest of an iteration by the items on top; zero in other iterations, and until known.
    public func delay(inIteration iteration: Int) -> Time {
        guard let top, top.iteration == iteration else { return .zero }
        return delayOfNextIteration(by: top) ?? .zero
    }

    /// Beginning of a run's item in its iteration, as far as lengths are known.
    public func start(ofItemOf run: RunID) -> Time {
        guard let top else { return sequence.start(ofItem: run.item) }
        if run.part == .top { return (begin(of: top) ?? .zero) + top.list.start(ofItem: run.item) }
        return sequence.start(ofItem: run.item) + (delay(of: run, by: top) ?? .zero)
    }

    var runsOnTop: [RunID] {
        guard let top else { return [] }
        return top.items.indices.flatMap(top.list.runs(ofItem:)).map { $0.onTop(inIteration: top.iteration) }
    }

    // MARK: order

    func next(after run: RunID, with top: TopSequence) -> RunID? {
        switch run.part {
        case .top:
            return top.list.next(after: run.ofOwnTimeline)?.onTop(inIteration: run.iteration)
                ?? top.firstBehind(in: sequence)
        case .rest: return sequence.next(after: run.whole)
        case .sequence: return run == top.lastBefore(in: sequence) ? top.first : sequence.next(after: run)
        }
    }

    func run(before run: RunID, with top: TopSequence) -> RunID? {
        if run == top.first { return top.lastBefore(in: sequence) }
        if run.part == .top { return top.list.run(before: run.ofOwnTimeline)?.onTop(inIteration: run.iteration) }
        if top.isFollowed(by: run, in: sequence) { return top.last }
        let before = sequence.run(before: run.whole)
        return before == top.place.leftRun ? top.rest ?? before : before
    }

    // MARK: fades

    func fade(before run: RunID, with top: TopSequence) -> Time {
        if run == top.first { return fade(into: top) }
        if run.part == .top { return top.list.fade(before: run.ofOwnTimeline) }
        if top.isFollowed(by: run, in: sequence) { return fade(outOf: top, to: run) }
        let own = sequence.fade(before: run.whole)
        return run == top.seamAfterRest(in: sequence) ? own - fadeShortening(by: top) : own
    }

    /// Time by which the fade at the end of the rest is shortened, so that both fades of the rest fit into it.
    private func fadeShortening(by top: TopSequence) -> Time {
        guard let seam = top.seamAfterRest(in: sequence), let left = top.lengthOfRest(in: sequence) else {
            return .zero
        }
        return max(.zero, sequence.fade(before: seam) - left / 2)
    }

    private func fade(into top: TopSequence) -> Time {
        let wanted = wantedTransition(before: top.first).length
        var limits = [top.list.longestFade(into: 0)]
        let left = top.place.leftRun
        if let cut = top.place.cutAt {
            limits += [sequence.fadeLimit(ofItem: left.item), (length(ofSegmentsBefore: left) + cut) / 2]
            if left.segment > 0 { limits.append(cut) }
        } else if has(left) {
            limits.append(sequence.longestFade(outOf: left.item))
        }
        return limits.compactMap { $0 }.reduce(wanted, min)
    }

    private func fade(outOf top: TopSequence, to run: RunID) -> Time {
        guard has(run) else { return .zero }
        let wanted = wantedTransition(before: run).length
        var limits = [top.list.longestFade(outOf: top.items.count - 1)]
        if let entry = top.place.resumesAt {
            limits += [sequence.fadeLimit(ofItem: run.item), top.lengthOfRest(in: sequence).map { $0 / 2 }]
            if run.segment + 1 < items[run.item].segments.count { limits.append(length(of: run).map { $0 - entry }) }
        } else {
            limits.append(sequence.longestFade(into: run.item))
        }
        return limits.compactMap { $0 }.reduce(wanted, min)
    }

    // MARK: positions

    /// Offset in the iteration at which the first item on top begins; nil until known.
    private func begin(of top: TopSequence) -> Time? { top.offsetOfLeaving(sequence).map { $0 - fade(into: top) } }

    /// Delay of the first run after the items on top, against an iteration without them; nil until known.
    private func delayOfReturn(by top: TopSequence) -> Time? {
        guard let leave = top.offsetOfLeaving(sequence), let length = top.list.length(ofIteration: 0) else {
            return nil
        }
        let end = leave - fade(into: top) + length
        if let rest = top.rest, let entry = top.place.resumesAt {
            return sequence.offset(of: rest.whole).map { end - fade(outOf: top, to: rest) - $0 - entry }
        }
        let item = top.place.leftRun.item
        if let next = top.firstBehind(in: sequence) {
            return end - fade(outOf: top, to: next) - (leave - sequence.fade(after: item, inIteration: top.iteration))
        }
        let next = RunID(iteration: top.iteration + 1)
        let last = takesPart(inIteration: next.iteration) ? fade(outOf: top, to: next) : .zero
        return end - last - (leave - sequence.fade(after: item, inIteration: top.iteration))
    }

    /// Delay of the iteration's end by the items on top; nil until known.
    func delayOfNextIteration(by top: TopSequence) -> Time? {
        delayOfReturn(by: top).map { $0 + fadeShortening(by: top) }
    }

    /// Delay of a run of the sequence by the items on top; nil until known.
    private func delay(of run: RunID, by top: TopSequence) -> Time? {
        guard run.iteration == top.iteration, top.isBefore(run) else { return .zero }
        let left = top.place.leftRun
        let isOfRest = top.rest != nil && (run.item, run.round) == (left.item, left.round)
        return isOfRest ? delayOfReturn(by: top) : delayOfNextIteration(by: top)
    }

    func offset(of run: RunID, with top: TopSequence) -> Time? {
        if run.part == .top {
            guard let begin = begin(of: top) else { return nil }
            return top.list.offset(of: run.ofOwnTimeline).map { begin + $0 }
        }
        guard let own = sequence.offset(of: run.whole) else { return nil }
        return delay(of: run, by: top).map { own + $0 }
    }

    func position(at offset: Time, with top: TopSequence) -> Position {
        guard let begin = begin(of: top), offset >= begin else { return positionBelow(top, at: offset) }
        switch top.list.position(at: offset - begin, inIteration: 0) {
        case .unknown(let run, let start): return .unknown(run.onTop(inIteration: top.iteration), start: begin + start)
        case .run(let run, let start):
            let isBehind = beginBehind(top).map { offset >= $0 } ?? false
            return isBehind
                ? positionBehind(top, at: offset) : .run(run.onTop(inIteration: top.iteration), start: begin + start)
        case .over(let length):
            return delayOfReturn(by: top) == nil ? .over(length: begin + length) : positionBehind(top, at: offset)
        }
    }

    /// The position before the items on top begin.
    private func positionBelow(_ top: TopSequence, at offset: Time) -> Position {
        let position = sequence.position(at: offset, inIteration: top.iteration)
        if case .run(let run, _) = position, !top.isBefore(run) { return position }
        // The length of a run that is interrupted need not be known.
        if case .unknown(let run, _) = position, cut(of: run) == nil { return position }
        // Without the items on top, the next run would have begun.
        let last = top.lastBefore(in: sequence)
        return .run(last, start: sequence.offset(of: last) ?? sequence.start(ofItem: last.item))
    }

    /// Offset at which the first run after the items on top begins. This run may fade in over the last item on top.
    private func beginBehind(_ top: TopSequence) -> Time? {
        guard let first = top.firstBehind(in: sequence) else { return length(ofIteration: top.iteration) }
        return offset(of: first, with: top).map { $0 + entry(of: first) }
    }

    private func positionBehind(_ top: TopSequence, at offset: Time) -> Position {
        let left = top.place.leftRun, delay = delayOfReturn(by: top) ?? .zero, later = delay + fadeShortening(by: top)
        guard let rest = top.rest, let seam = top.seamAfterRest(in: sequence) else {
            let position = sequence.position(at: offset - delay, inIteration: top.iteration)
            return self.position(position, by: top, later: delay) {
                top.isBefore($0) ? nil : top.firstBehind(in: sequence)
            }
        }
        func isOfRound(_ run: RunID) -> Bool { (run.item, run.round) == (left.item, left.round) }
        let end =
            seam.iteration == top.iteration ? self.offset(of: seam, with: top) : length(ofIteration: top.iteration)
        // After the rest of the round, `fadeShortening` delays all runs, too.
        if let end, offset >= end {
            let position = sequence.position(at: offset - later, inIteration: top.iteration)
            return self.position(position, by: top, later: later) { top.isBefore($0) && !isOfRound($0) ? nil : seam }
        }
        let position = sequence.position(at: offset - delay, inIteration: top.iteration)
        let last = sequence.run(before: seam).map { $0 == left ? rest : $0 } ?? rest
        if case .over = position { return .run(last, start: self.offset(of: last, with: top) ?? .zero) }
        return self.position(position, by: top, later: delay) { run in
            // Without the items on top, the run after the rest would have begun its fade.
            top.isBefore(run) ? isOfRound(run) ? nil : last : rest
        }
    }

    /// Moves a position by `delay`. `other`: returns the run that plays in place of a run; nil if the run itself plays.
    private func position(_ position: Position, by top: TopSequence, later delay: Time, _ other: (RunID) -> RunID?)
        -> Position
    {
        // All that follows an item of unknown length has no known position.
        if case .unknown(let run, _) = position, run.item < top.place.leftRun.item { return position }
        func moved(_ run: RunID, _ start: Time) -> (RunID, Time) {
            guard let other = other(run) else { return (run, start + delay) }
            return (other, (sequence.offset(of: other.whole) ?? start) + delay)
        }
        switch position {
        case .run(let run, let start):
            let (run, start) = moved(run, start)
            return .run(run, start: start)
        case .unknown(let run, let start):
            let (run, start) = moved(run, start)
            return .unknown(run, start: start)
        case .over(let length): return .over(length: length + delay)
        }
    }
}
