/// What went wrong with the sources of a feed, and which of them are worth another try.
struct FeedTrouble {
    /// What to say on its card; nil: it plays.
    private(set) var latest: SourceTrouble?
    /// Of which source.
    private(set) var source = ""
    /// By source: what was told of it, and is not told again until it has played.
    private var reported: [String: SourceTrouble] = [:]
    /// By source: what is wrong with those that play all the same.
    private var damages: [String: Set<FilmDamage>] = [:]
    /// Sources that no later FFmpeg call can make playable.
    private var hopeless: Set<String> = []
    /// How often a whole iteration had nothing to play.
    private var barrenIterations = 0
    /// By source: how often the connection to it was lost since its last frame.
    private var losses: [String: Int] = [:]

    /// Says whether it has not been told yet.
    mutating func note(_ trouble: SourceTrouble, of source: String) -> Bool {
        (latest, self.source) = (trouble, source)
        return reported.updateValue(trouble, forKey: source) != trouble
    }

    /// Says whether it is to be told: it was not like that when it was looked at before.
    mutating func note(_ damage: FilmDamage, isThere: Bool, in source: String) -> Bool {
        guard isThere else {
            damages[source]?.remove(damage)
            return false
        }
        return damages[source, default: []].insert(damage).inserted
    }

    /// Frames that its length counts never come.
    func lacksParts(of source: String) -> Bool {
        damages[source]?.contains { [.cutOff, .missingParts, .refusedParts, .brokenFrames].contains($0) } ?? false
    }

    mutating func giveUp(_ source: String) { hopeless.insert(source) }

    mutating func noteFrame(of source: String) {
        (barrenIterations, latest, reported[source], losses[source]) = (0, nil, nil, nil)
    }

    /// There is another file at this place. What was told stays so if it is no better.
    mutating func forget(_ source: String) { hopeless.remove(source) }

    /// A whole iteration had nothing to play: how long to wait, longer each time.
    mutating func waitAfterBarrenIteration(ofServers: Bool, at now: Time) -> Time {
        defer { barrenIterations += 1 }
        let wait = FeedTrouble.wait(after: barrenIterations, scatteredBy: ofServers ? now : .zero)
        return DeviceAddress.isDevice(source) ? min(wait, FeedTrouble.longestWaitForDevice) : wait
    }

    /// The connection was lost in the middle of a run: how long to wait, longer each time.
    mutating func waitBeforeReconnecting(to source: String, at now: Time) -> Time {
        defer { losses[source, default: 0] += 1 }
        let wait = FeedTrouble.wait(after: losses[source, default: 0], scatteredBy: now)
        return DeviceAddress.isDevice(source) ? min(wait, FeedTrouble.longestWaitForDevice) : wait
    }

    /// Nobody is bothered by a question for a camera, and it is plugged in again at any time.
    private static let longestWaitForDevice = Time.seconds(2)

    /// 1, 2, 4, … 60 seconds, and up to a quarter more, by the instant: many walls that lost the same server at once
    /// do not come back to it at once.
    private static func wait(after tries: Int, scatteredBy now: Time) -> Time {
        let least = Time.seconds(Int64(min(60, 1 << min(6, tries))))
        let scattered = (UInt64(bitPattern: now.ticks) &* 0x9E37_79B9_7F4A_7C15) >> 32
        return least + (least / 4).part(Double(scattered) / Double(UInt32.max))
    }

    /// How often what it wants was tried in vain, since it last had a frame.
    var tries: Int { barrenIterations + losses.values.reduce(0, +) }

    func wasReported(of source: String) -> Bool { reported[source] != nil }

    func isHopeless(_ source: String) -> Bool { hopeless.contains(source) }

    /// Why it was not played before.
    func reason(of source: String) -> SourceTrouble {
        reported[source] ?? SourceTrouble(.unsupported, "it can't be played")
    }
}
