/// Says how much a wall that can't keep up leaves out: a ladder that is climbed a rung at a time, and down again.
///
/// First the tiles without the focus climb their three steps, then the one that has it. While what is decoded ahead
/// grows, nobody climbs: what is left out is enough. A rung is given back when there has been plenty for a while;
/// where that proved too early, the next try waits twice as long.
struct Degrading {
    /// How what is decoded compares with what is shown.
    enum Supply: Equatable, Sendable {
        /// Some tile will soon have nothing, and its decoder does all that it can. It can play on for so long.
        case short(left: Time)
        case enough
        /// All have what they need, and their decoders are idle for a good part of the time.
        case plenty
    }

    /// Where somebody waits for every frame nothing is left out.
    let isAllowed: Bool
    private(set) var rung = 0
    private var shortage: Shortage?
    private var plentySince: Time?
    private var climbedAt: Time?
    private var cameDownAt: Time?
    private var patience = usualPatience

    init(isAllowed: Bool = true) { self.isAllowed = isAllowed }

    /// Since when nothing has become better, and what was left then.
    private struct Shortage {
        var since: Time
        var left: Time
    }

    /// So long it must be short, and so long a rung has to show what it is good for.
    static let insistence = Time.milliseconds(500)
    /// With so much more left it has become better.
    static let relief = Time.milliseconds(20)
    static let settling = Time.seconds(1)
    static let usualPatience = Time.seconds(4)
    static let longestPatience = Time.seconds(64)
    private static let stepsPerTile = DegradingStep.allCases.count - 1

    /// The wall has no reason to look again by itself.
    var isAtRest: Bool { rung == 0 && shortage == nil }

    /// `others`: whether there are tiles without the focus that could give way.
    mutating func look(_ supply: Supply, others: Others, at now: Time) {
        rung = min(rung, Degrading.top(others))
        note(supply, at: now)
        plentySince = supply == .plenty ? plentySince ?? now : nil
        if case .short(let left) = supply, let shortage, now - shortage.since >= Self.insistence,
            rung < Degrading.top(others),
            climbedAt.map({ now - $0 >= Self.settling }) ?? true
        {
            if let cameDownAt, now - cameDownAt < patience * 2 { patience = min(patience * 2, Self.longestPatience) }
            (rung, climbedAt, self.shortage) = (rung + 1, now, Shortage(since: now, left: left))
        }
        if let plentySince, rung > 0, now - plentySince >= patience {
            (rung, cameDownAt, self.plentySince) = (rung - 1, now, now)
            if rung == 0 { climbedAt = nil }
        }
        // It went well for a long time: what was learned of an overload is out of date.
        if rung == 0, let cameDownAt, now - cameDownAt > Self.longestPatience { patience = Self.usualPatience }
    }

    private mutating func note(_ supply: Supply, at now: Time) {
        guard case .short(let left) = supply else {
            shortage = nil
            return
        }
        if shortage.map({ left >= $0.left + Self.relief }) ?? true { shortage = Shortage(since: now, left: left) }
    }

    enum Others: Sendable { case some, none }

    private static func top(_ others: Others) -> Int { others == .some ? 2 * stepsPerTile : stepsPerTile }

    /// How far a tile degrades on this rung.
    func step(of tile: Rank, others: Others) -> DegradingStep {
        let climbed = tile == .focused && others == .some ? rung - Self.stepsPerTile : rung
        return DegradingStep(rawValue: min(max(climbed, 0), Self.stepsPerTile))!
    }

    enum Rank: Sendable { case focused, other }
}
