import Base

// The order and lengths of an iteration in which a layer is on top of the sequence.
extension Timeline {
    /// Offset in a run from which it is shown: `resumesAt` for the rest of an interrupted run, zero for all other runs.
    public func entry(of run: RunID) -> Time {
        guard run.isRest, let layer else { return .zero }
        return run.layer > 0 ? layer.timeline.entry(of: run.lowered) : layer.place.resumesAt ?? .zero
    }

    /// Offset at which a layer interrupts a run; nil if none does.
    public func cut(of run: RunID) -> Time? {
        guard let layer else { return nil }
        if run.layer > 0 { return layer.timeline.cut(of: run.lowered) }
        return run == layer.place.leftRun ? layer.place.cutAt : nil
    }

    /// Delay of the rest of an iteration by the layers on top; zero in other iterations, and until known.
    public func delay(inIteration iteration: Int) -> Time {
        guard let layer, layer.iteration == iteration else { return .zero }
        return delayOfNextIteration(by: layer) ?? .zero
    }

    /// Beginning of a run's item in its iteration, as far as lengths are known.
    public func start(ofItemOf run: RunID) -> Time {
        guard let layer else { return sequence.start(ofItem: run.item) }
        if run.layer > 0 { return (begin(of: layer) ?? .zero) + layer.timeline.start(ofItemOf: run.lowered) }
        return sequence.start(ofItem: run.item) + (delay(of: run, by: layer) ?? .zero)
    }

    // MARK: order

    func next(after run: RunID, under layer: Layer) -> RunID? {
        if run.layer > 0 {
            return layer.timeline.next(after: run.lowered)?.lifted(toIteration: run.iteration)
                ?? layer.firstBehind(in: sequence)
        }
        return run == layer.lastBefore(in: sequence) ? layer.first : sequence.next(after: run.whole)
    }

    func run(before run: RunID, under layer: Layer) -> RunID? {
        if run == layer.first { return layer.lastBefore(in: sequence) }
        if run.layer > 0 { return layer.timeline.run(before: run.lowered)?.lifted(toIteration: run.iteration) }
        if layer.isFollowed(by: run, in: sequence) { return layer.last }
        let before = sequence.run(before: run.whole)
        return before == layer.place.leftRun ? layer.rest ?? before : before
    }

    /// The run that follows layer `number`, in the same iteration; nil if none does.
    public func next(afterLayer number: Int) -> RunID? {
        guard let layer else { return nil }
        let above = number > 1 ? layer.timeline.next(afterLayer: number - 1) : nil
        return above?.lifted(toIteration: layer.iteration) ?? layer.firstBehind(in: sequence)
    }

    /// True if a run comes after layer `number`.
    public func isBehind(_ run: RunID, layer number: Int) -> Bool {
        guard let layer else { return false }
        if number > 1, run.layer > 0 { return layer.timeline.isBehind(run.lowered, layer: number - 1) }
        return layer.isBefore(run)
    }

    // MARK: fades

    func fade(before run: RunID, under layer: Layer) -> Time {
        if run == layer.first { return fade(into: layer) }
        if run.layer > 0 { return layer.timeline.fade(before: run.lowered) }
        if layer.isFollowed(by: run, in: sequence) { return fade(outOf: layer, to: run) }
        let own = sequence.fade(before: run.whole)
        return run == layer.seamAfterRest(in: sequence) ? own - fadeShortening(by: layer) : own
    }

    /// Time by which the fade at the end of the rest is shortened, so that both fades of the rest fit into it.
    private func fadeShortening(by layer: Layer) -> Time {
        guard let seam = layer.seamAfterRest(in: sequence), let left = layer.lengthOfRest(in: sequence) else {
            return .zero
        }
        return max(.zero, sequence.fade(before: seam) - left / 2)
    }

    private func fade(into layer: Layer) -> Time {
        let wanted = wantedTransition(before: layer.first).length
        var limits = [layer.timeline.sequence.longestFade(into: 0)]
        let left = layer.place.leftRun
        if let cut = layer.place.cutAt {
            limits += [sequence.fadeLimit(ofItem: left.item), (length(ofSegmentsBefore: left) + cut) / 2]
            if left.segment > 0 { limits.append(cut) }
        } else if has(left) {
            limits.append(sequence.longestFade(outOf: left.item))
        }
        return limits.compactMap { $0 }.reduce(wanted, min)
    }

    /// Longest fade at the end of an iteration with the layers on top; nil if there is no limit.
    private var longestFadeAtEnd: Time? {
        let own = sequence.longestFade(outOf: items.count - 1)
        guard let layer, layer.place.leftRun.item == items.count - 1, layer.seamAfterRest(in: sequence) == nil else {
            return own
        }
        if layer.firstBehind(in: sequence) == nil { return layer.timeline.longestFadeAtEnd }
        return [own, layer.lengthOfRest(in: sequence).map { $0 / 2 }].compactMap { $0 }.min()
    }

    private func fade(outOf layer: Layer, to run: RunID) -> Time {
        guard has(run) else { return .zero }
        let wanted = wantedTransition(before: run).length
        var limits = [layer.timeline.longestFadeAtEnd]
        if let entry = layer.place.resumesAt {
            limits += [sequence.fadeLimit(ofItem: run.item), layer.lengthOfRest(in: sequence).map { $0 / 2 }]
            if run.segment + 1 < items[run.item].segments.count { limits.append(length(of: run).map { $0 - entry }) }
        } else {
            limits.append(sequence.longestFade(into: run.item))
        }
        return limits.compactMap { $0 }.reduce(wanted, min)
    }

    // MARK: positions

    /// Offset in the iteration at which the first item of the layer begins; nil until known.
    private func begin(of layer: Layer) -> Time? { layer.offsetOfLeaving(sequence).map { $0 - fade(into: layer) } }

    /// Delay of the first run after the layer, against an iteration without it; nil until known.
    private func delayOfReturn(by layer: Layer) -> Time? {
        guard let leave = layer.offsetOfLeaving(sequence), let length = layer.timeline.length(ofIteration: 0) else {
            return nil
        }
        let end = leave - fade(into: layer) + length
        if let rest = layer.rest, let entry = layer.place.resumesAt {
            return sequence.offset(of: rest.whole).map { end - fade(outOf: layer, to: rest) - $0 - entry }
        }
        let item = layer.place.leftRun.item
        if let next = layer.firstBehind(in: sequence) {
            let left = leave - sequence.fade(after: item, inIteration: layer.iteration)
            return end - fade(outOf: layer, to: next) - left
        }
        let next = RunID(iteration: layer.iteration + 1)
        let last = takesPart(inIteration: next.iteration) ? fade(outOf: layer, to: next) : .zero
        return end - last - (leave - sequence.fade(after: item, inIteration: layer.iteration))
    }

    /// Delay of the iteration's end by the layer; nil until known.
    func delayOfNextIteration(by layer: Layer) -> Time? {
        delayOfReturn(by: layer).map { $0 + fadeShortening(by: layer) }
    }

    /// Delay of a run of the sequence by the layer; nil until known.
    private func delay(of run: RunID, by layer: Layer) -> Time? {
        guard run.iteration == layer.iteration, layer.isBefore(run) else { return .zero }
        let left = layer.place.leftRun
        let isOfRest = layer.rest != nil && (run.item, run.round) == (left.item, left.round)
        return isOfRest ? delayOfReturn(by: layer) : delayOfNextIteration(by: layer)
    }

    func offset(of run: RunID, under layer: Layer) -> Time? {
        if run.layer > 0 {
            guard let begin = begin(of: layer) else { return nil }
            return layer.timeline.offset(of: run.lowered).map { begin + $0 }
        }
        guard let own = sequence.offset(of: run.whole) else { return nil }
        return delay(of: run, by: layer).map { own + $0 }
    }

    func position(at offset: Time, under layer: Layer) -> Position {
        guard let begin = begin(of: layer), offset >= begin else { return positionBelow(layer, at: offset) }
        switch layer.timeline.position(at: offset - begin, inIteration: 0) {
        case .unknown(let run, let start):
            return .unknown(run.lifted(toIteration: layer.iteration), start: begin + start)
        case .run(let run, let start):
            if let behind = beginBehind(layer), offset >= behind { return positionBehind(layer, at: offset) }
            return .run(run.lifted(toIteration: layer.iteration), start: begin + start)
        case .over(let length):
            return delayOfReturn(by: layer) == nil ? .over(length: begin + length) : positionBehind(layer, at: offset)
        }
    }

    /// The position before the layer begins.
    private func positionBelow(_ layer: Layer, at offset: Time) -> Position {
        let position = sequence.position(at: offset, inIteration: layer.iteration)
        if case .run(let run, _) = position, !layer.isBefore(run) { return position }
        // The length of a run that is interrupted need not be known.
        if case .unknown(let run, _) = position, cut(of: run) == nil { return position }
        // Without the layer, the next run would have begun.
        let last = layer.lastBefore(in: sequence)
        return .run(last, start: sequence.offset(of: last) ?? sequence.start(ofItem: last.item))
    }

    /// Offset at which the first run after the layer begins. This run may fade in over the last item of the layer.
    private func beginBehind(_ layer: Layer) -> Time? {
        guard let first = layer.firstBehind(in: sequence) else { return length(ofIteration: layer.iteration) }
        return offset(of: first, under: layer).map { $0 + entry(of: first) }
    }

    private func positionBehind(_ layer: Layer, at offset: Time) -> Position {
        let left = layer.place.leftRun, delay = delayOfReturn(by: layer) ?? .zero
        let later = delay + fadeShortening(by: layer)
        guard let rest = layer.rest, let seam = layer.seamAfterRest(in: sequence) else {
            let position = sequence.position(at: offset - delay, inIteration: layer.iteration)
            return self.position(position, by: layer, later: delay) {
                layer.isBefore($0) ? nil : layer.firstBehind(in: sequence)
            }
        }
        func isOfRound(_ run: RunID) -> Bool { (run.item, run.round) == (left.item, left.round) }
        let isOfIteration = seam.iteration == layer.iteration
        let end = isOfIteration ? self.offset(of: seam, under: layer) : length(ofIteration: layer.iteration)
        // After the rest of the round, `fadeShortening` delays all runs, too.
        if let end, offset >= end {
            let position = sequence.position(at: offset - later, inIteration: layer.iteration)
            return self.position(position, by: layer, later: later) {
                layer.isBefore($0) && !isOfRound($0) ? nil : seam
            }
        }
        let position = sequence.position(at: offset - delay, inIteration: layer.iteration)
        let last = sequence.run(before: seam).map { $0 == left ? rest : $0 } ?? rest
        if case .over = position { return .run(last, start: self.offset(of: last, under: layer) ?? .zero) }
        return self.position(position, by: layer, later: delay) { run in
            // Without the layer, the run after the rest would have begun its fade.
            layer.isBefore(run) ? isOfRound(run) ? nil : last : rest
        }
    }

    /// Moves a position by `delay`. `other`: returns the run that plays in place of a run; nil if the run itself plays.
    private func position(_ position: Position, by layer: Layer, later delay: Time, _ other: (RunID) -> RunID?)
        -> Position
    {
        // All that follows an item of unknown length has no known position.
        if case .unknown(let run, _) = position, run.item < layer.place.leftRun.item { return position }
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
