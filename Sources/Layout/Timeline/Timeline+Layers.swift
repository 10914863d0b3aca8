import Base

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
