import Base

/// Failures of a feed's sources, and which of them are retried.
public struct FeedTrouble {
    /// Trouble of the source that failed last; nil once a source has played since.
    public private(set) var latest: SourceTrouble?
    /// Source that has this trouble.
    public private(set) var source = ""
    /// Trouble reported by source. It is not reported again until the source has played.
    private var reported: [String: SourceTrouble] = [:]
    /// Damages of sources that play nevertheless, by source.
    private var damages: [String: Set<FilmDamage>] = [:]
    /// Sources that no later FFmpeg call can make playable.
    private var hopeless: Set<String> = []
    /// Number of successive iterations without anything playable.
    private var barrenIterations = 0
    /// Number of lost connections since the last frame, by source.
    private var losses: [String: Int] = [:]

    /// Trouble of a live source that sends no more.
    public static let streamEnded = SourceTrouble(.unreachable, "the stream has ended")

    /// Notes trouble with a source. Returns true if it was not reported yet.
    public mutating func note(_ trouble: SourceTrouble, of source: String) -> Bool {
        (latest, self.source) = (trouble, source)
        return reported.updateValue(trouble, forKey: source) != trouble
    }

    /// Notes the presence or absence of a damage. Returns true if it is new and must be reported.
    public mutating func note(_ damage: FilmDamage, isThere: Bool, in source: String) -> Bool {
        guard isThere else {
            damages[source]?.remove(damage)
            return false
        }
        return damages[source, default: []].insert(damage).inserted
    }

    /// True if some frames that its length includes will never be decoded.
    func lacksParts(of source: String) -> Bool {
        damages[source]?.contains { [.cutOff, .missingParts, .refusedParts, .brokenFrames].contains($0) } ?? false
    }

    /// Does not open this source again before it is replaced.
    public mutating func giveUp(_ source: String) { hopeless.insert(source) }

    mutating func noteFrame(of source: String) {
        (barrenIterations, latest, reported[source], losses[source]) = (0, nil, nil, nil)
    }

    /// The file was replaced, so it may be tried again. The same trouble is not reported again.
    mutating func forget(_ source: String) { hopeless.remove(source) }

    /// Everything may be tried again.
    mutating func forgetHopeless() { hopeless = [] }

    /// Nothing in a whole iteration could be played. Returns the back-off, which grows with each failure.
    mutating func noteBarrenIteration(ofServers: Bool, at now: Time) -> Time {
        defer { barrenIterations += 1 }
        return FeedTrouble.wait(for: source, after: barrenIterations, scatteredBy: ofServers ? now : .zero)
    }

    /// The connection was lost in the middle of a run. Returns the back-off, which grows with each loss.
    mutating func noteLoss(of source: String, at now: Time) -> Time {
        defer { losses[source, default: 0] += 1 }
        return FeedTrouble.wait(for: source, after: losses[source, default: 0], scatteredBy: now)
    }

    /// Retrying a device loads no server, and a camera may be plugged in at any time.
    private static let longestWaitForDevice = Time.seconds(2)

    /// Returns 1, 2, 4, … 60 seconds plus up to a quarter, derived from `now`. This spreads the retries of many walls
    /// that lost the same server at once.
    private static func wait(for source: String, after tries: Int, scatteredBy now: Time) -> Time {
        let least = Time.seconds(Int64(min(60, 1 << min(6, tries))))
        let scattered = (UInt64(bitPattern: now.ticks) &* 0x9E37_79B9_7F4A_7C15) >> 32
        let wait = least + (least / 4).part(Double(scattered) / Double(UInt32.max))
        return DeviceAddress.isDevice(source) ? min(wait, longestWaitForDevice) : wait
    }

    /// Number of failed attempts since the last frame.
    public var tries: Int { barrenIterations + losses.values.reduce(0, +) }

    /// Why the source could not be played at the last attempt; nil if it has played since, or was not tried.
    public func trouble(of source: String) -> SourceTrouble? { reported[source] }

    public func isHopeless(_ source: String) -> Bool { hopeless.contains(source) }

    /// Why the source could not be played before.
    public func reason(of source: String) -> SourceTrouble {
        reported[source] ?? SourceTrouble(.unsupported, "it can't be played")
    }
}
