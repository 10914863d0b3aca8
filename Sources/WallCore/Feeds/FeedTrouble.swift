/// What went wrong with the sources of a feed, and which of them are worth another try.
struct FeedTrouble {
    /// What to say on its card; nil: it plays.
    private(set) var latest: SourceTrouble?
    /// Of which source.
    private(set) var source = ""
    /// By source: what was told of it, and is not told again until it has played.
    private var told: [String: SourceTrouble] = [:]
    /// Sources that no later FFmpeg call can make playable.
    private var hopeless: Set<String> = []
    /// How often a whole pass had nothing to play.
    private var barrenPasses = 0

    /// Says whether it has not been told yet.
    mutating func note(_ trouble: SourceTrouble, of source: String) -> Bool {
        (latest, self.source) = (trouble, source)
        return told.updateValue(trouble, forKey: source) != trouble
    }

    mutating func giveUp(_ source: String) { hopeless.insert(source) }

    mutating func notePicture(of source: String) { (barrenPasses, latest, told[source]) = (0, nil, nil) }

    /// There is another file at this place.
    mutating func forget(_ source: String) {
        hopeless.remove(source)
        told[source] = nil
    }

    /// A whole pass had nothing to play: how long to wait, longer each time.
    mutating func waitAfterBarrenPass() -> Time {
        defer { barrenPasses += 1 }
        return .seconds(Int64(min(60, 1 << min(6, barrenPasses))))
    }

    func wasTold(of source: String) -> Bool { told[source] != nil }

    func isHopeless(_ source: String) -> Bool { hopeless.contains(source) }

    /// Why it was not played before.
    func reason(of source: String) -> SourceTrouble {
        told[source] ?? SourceTrouble(.unsupported, "it can't be played")
    }
}
