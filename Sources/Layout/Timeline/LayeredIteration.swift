import Base

/// An iteration of a sequence with a layer on top: its order, fades and places in time.
///
/// The sequence is left at the layer's place and waits, so that all that comes after is later by a delay.
struct LayeredIteration {
    let timeline: Timeline
    let layer: Layer

    private var sequence: Playlist { timeline.sequence }

    // MARK: order

    func next(after run: RunID) -> RunID? {
        if run.layer > 0 {
            return layer.timeline.next(after: run.lowered)?.lifted(toIteration: run.iteration)
                ?? layer.firstAfter(in: sequence)
        }
        return run == layer.lastBefore(in: sequence) ? layer.first : sequence.next(after: run.whole)
    }

    func run(before run: RunID) -> RunID? {
        if run == layer.first { return layer.lastBefore(in: sequence) }
        if run.layer > 0 { return layer.timeline.run(before: run.lowered)?.lifted(toIteration: run.iteration) }
        if layer.isFollowed(by: run, in: sequence) { return layer.last }
        let before = sequence.run(before: run.whole)
        return before == layer.place.leftRun ? layer.rest ?? before : before
    }

    // MARK: fades

    func fade(before run: RunID) -> Time {
        if run == layer.first { return fadeIn }
        if run.layer > 0 { return layer.timeline.fade(before: run.lowered) }
        if layer.isFollowed(by: run, in: sequence) { return fadeOut(to: run) }
        let own = sequence.fade(before: run.whole)
        return run == layer.runAfterRest(in: sequence) ? own - fadeShortening : own
    }

    /// Time by which the fade at the end of the rest is shortened, so that both fades of the rest fit into it.
    private var fadeShortening: Time {
        guard let next = layer.runAfterRest(in: sequence), let length = layer.lengthOfRest(in: sequence) else {
            return .zero
        }
        return max(.zero, sequence.fade(before: next) - length / 2)
    }

    private var fadeIn: Time {
        let wanted = timeline.wantedTransition(before: layer.first).length
        var limits = [layer.timeline.sequence.longestFade(into: 0)]
        let left = layer.place.leftRun
        if let cut = layer.place.cutOffset {
            limits += [sequence.fadeLimit(ofItem: left.item), (timeline.length(ofSegmentsBefore: left) + cut) / 2]
            if left.segment > 0 { limits.append(cut) }
        } else if timeline.has(left) {
            limits.append(sequence.longestFade(outOf: left.item))
        }
        return limits.compactMap { $0 }.reduce(wanted, min)
    }

    private func fadeOut(to run: RunID) -> Time {
        guard timeline.has(run) else { return .zero }
        let wanted = timeline.wantedTransition(before: run).length
        var limits = [layer.timeline.longestFadeAtEnd]
        if let entry = layer.place.resumesAt {
            limits += [sequence.fadeLimit(ofItem: run.item), layer.lengthOfRest(in: sequence).map { $0 / 2 }]
            if run.segment + 1 < sequence.items[run.item].segments.count {
                limits.append(timeline.length(of: run).map { $0 - entry })
            }
        } else {
            limits.append(sequence.longestFade(into: run.item))
        }
        return limits.compactMap { $0 }.reduce(wanted, min)
    }

    // MARK: positions

    /// Offset in the iteration at which the first item of the layer begins; nil until known.
    var begin: Time? { layer.offsetOfLeaving(sequence).map { $0 - fadeIn } }

    /// Delay of the first run after the layer, against an iteration without it; nil until known.
    ///
    /// Fades overlap what they join. A break of 3 s at 4 s of a film, with fades of 1 s in and out, begins at 3 s and ends
    /// at 6 s. The rest of the film is entered at 4 s when it fades in at 5 s: it is delayed by 1 s, the length of the
    /// break without its two fades.
    private var delayOfReturn: Time? {
        guard let leave = layer.offsetOfLeaving(sequence), let length = layer.timeline.length(ofIteration: 0) else {
            return nil
        }
        let end = leave - fadeIn + length
        if let rest = layer.rest, let entry = layer.place.resumesAt {
            return sequence.offset(of: rest.whole).map { end - fadeOut(to: rest) - $0 - entry }
        }
        let next = layer.firstAfter(in: sequence) ?? sequence.first(inIteration: layer.iteration + 1)
        let left = leave - sequence.fade(after: layer.place.leftRun.item, inIteration: layer.iteration)
        return end - (next.map(fadeOut) ?? .zero) - left
    }

    /// Delay of the iteration's end by the layer; nil until known.
    var delayOfNextIteration: Time? { delayOfReturn.map { $0 + fadeShortening } }

    /// Delay of a run of the sequence by the layer; nil until known.
    func delay(of run: RunID) -> Time? {
        guard run.iteration == layer.iteration, layer.isBefore(run) else { return .zero }
        let left = layer.place.leftRun
        let isOfRest = layer.rest != nil && (run.item, run.round) == (left.item, left.round)
        return isOfRest ? delayOfReturn : delayOfNextIteration
    }

    func offset(of run: RunID) -> Time? {
        if run.layer > 0 {
            guard let begin = begin else { return nil }
            return layer.timeline.offset(of: run.lowered).map { begin + $0 }
        }
        guard let own = sequence.offset(of: run.whole) else { return nil }
        return delay(of: run).map { own + $0 }
    }

    func position(at offset: Time) -> Timeline.Position {
        guard let begin = begin, offset >= begin else { return positionBelow(at: offset) }
        switch layer.timeline.position(at: offset - begin, inIteration: 0) {
        case .unknown(let run, let start):
            return .unknown(run.lifted(toIteration: layer.iteration), start: begin + start)
        case .run(let run, let start):
            if let after = beginAfter, offset >= after { return positionAfter(at: offset) }
            return .run(run.lifted(toIteration: layer.iteration), start: begin + start)
        case .over(let length):
            return delayOfReturn == nil ? .over(length: begin + length) : positionAfter(at: offset)
        }
    }

    /// The position before the layer begins.
    private func positionBelow(at offset: Time) -> Timeline.Position {
        let position = sequence.position(at: offset, inIteration: layer.iteration)
        if case .run(let run, _) = position, !layer.isBefore(run) { return position }
        // The length of a run that is interrupted need not be known.
        if case .unknown(let run, _) = position, timeline.cutOffset(of: run) == nil { return position }
        // Without the layer, the next run would have begun.
        let last = layer.lastBefore(in: sequence)
        return .run(last, start: sequence.offset(of: last) ?? sequence.start(ofItem: last.item))
    }

    /// Offset at which the first run after the layer begins. This run may fade in over the last item of the layer.
    private var beginAfter: Time? {
        guard let first = layer.firstAfter(in: sequence) else { return timeline.length(ofIteration: layer.iteration) }
        return offset(of: first).map { $0 + timeline.entry(of: first) }
    }

    /// The position after the layer's items: in the rest of the interrupted round, or behind it. All of it is later than
    /// without the layer, the runs behind the rest by `fadeShortening` more.
    private func positionAfter(at offset: Time) -> Timeline.Position {
        let left = layer.place.leftRun, delay = delayOfReturn ?? .zero
        let later = delay + fadeShortening
        guard let rest = layer.rest, let seam = layer.runAfterRest(in: sequence) else {
            let position = sequence.position(at: offset - delay, inIteration: layer.iteration)
            return moved(position, by: delay) {
                layer.isBefore($0) ? nil : layer.firstAfter(in: sequence)
            }
        }
        func isOfRound(_ run: RunID) -> Bool { (run.item, run.round) == (left.item, left.round) }
        let isOfIteration = seam.iteration == layer.iteration
        let end = isOfIteration ? self.offset(of: seam) : timeline.length(ofIteration: layer.iteration)
        // After the rest of the round, `fadeShortening` delays all runs, too.
        if let end, offset >= end {
            let position = sequence.position(at: offset - later, inIteration: layer.iteration)
            return moved(position, by: later) {
                layer.isBefore($0) && !isOfRound($0) ? nil : seam
            }
        }
        let position = sequence.position(at: offset - delay, inIteration: layer.iteration)
        let last = sequence.run(before: seam).map { $0 == left ? rest : $0 } ?? rest
        if case .over = position { return .run(last, start: self.offset(of: last) ?? .zero) }
        return moved(position, by: delay) { run in
            // Without the layer, the run after the rest would have begun its fade.
            layer.isBefore(run) ? isOfRound(run) ? nil : last : rest
        }
    }

    /// Moves a position by `delay`. `other`: returns the run that plays in place of a run; nil if the run itself plays.
    private func moved(_ position: Timeline.Position, by delay: Time, _ other: (RunID) -> RunID?) -> Timeline.Position {
        // All that follows an item of unknown length has no known position.
        if case .unknown(let run, _) = position, run.item < layer.place.leftRun.item { return position }
        func played(_ run: RunID, _ start: Time) -> (RunID, Time) {
            guard let other = other(run) else { return (run, start + delay) }
            return (other, (sequence.offset(of: other.whole) ?? start) + delay)
        }
        switch position {
        case .run(let run, let start):
            let (run, start) = played(run, start)
            return .run(run, start: start)
        case .unknown(let run, let start):
            let (run, start) = played(run, start)
            return .unknown(run, start: start)
        case .over(let length): return .over(length: length + delay)
        }
    }
}

// Questions that the sequence and the layers on top of it answer together.
extension Timeline {
    /// Offset in a run from which it is shown: `resumesAt` for the rest of an interrupted run, zero for all other runs.
    public func entry(of run: RunID) -> Time {
        guard run.isRest, let layer else { return .zero }
        return run.layer > 0 ? layer.timeline.entry(of: run.lowered) : layer.place.resumesAt ?? .zero
    }

    /// Offset at which a layer interrupts a run; nil if none does.
    public func cutOffset(of run: RunID) -> Time? {
        guard let layer else { return nil }
        if run.layer > 0 { return layer.timeline.cutOffset(of: run.lowered) }
        return run == layer.place.leftRun ? layer.place.cutOffset : nil
    }

    /// Delay of the rest of an iteration by the layers on top; zero in other iterations, and until known.
    public func delay(inIteration iteration: Int) -> Time {
        guard let layer, layer.iteration == iteration else { return .zero }
        return layered?.delayOfNextIteration ?? .zero
    }

    /// Beginning of a run's item in its iteration, as far as lengths are known.
    public func start(ofItemOf run: RunID) -> Time {
        guard let layered else { return sequence.start(ofItem: run.item) }
        if run.layer > 0 { return (layered.begin ?? .zero) + layered.layer.timeline.start(ofItemOf: run.lowered) }
        return sequence.start(ofItem: run.item) + (layered.delay(of: run) ?? .zero)
    }

    /// The run that follows layer `number`, in the same iteration; nil if none does.
    public func next(afterLayer number: Int) -> RunID? {
        guard let layer else { return nil }
        let above = number > 1 ? layer.timeline.next(afterLayer: number - 1) : nil
        return above?.lifted(toIteration: layer.iteration) ?? layer.firstAfter(in: sequence)
    }

    /// True if a run comes after layer `number`.
    public func isAfter(_ run: RunID, layer number: Int) -> Bool {
        guard let layer else { return false }
        if number > 1, run.layer > 0 { return layer.timeline.isAfter(run.lowered, layer: number - 1) }
        return layer.isBefore(run)
    }

    /// Longest fade at the end of an iteration with the layers on top; nil if there is no limit.
    var longestFadeAtEnd: Time? {
        let own = sequence.longestFade(outOf: items.count - 1)
        guard let layer, layer.place.leftRun.item == items.count - 1, layer.runAfterRest(in: sequence) == nil else {
            return own
        }
        if layer.firstAfter(in: sequence) == nil { return layer.timeline.longestFadeAtEnd }
        return [own, layer.lengthOfRest(in: sequence).map { $0 / 2 }].compactMap { $0 }.min()
    }
}
