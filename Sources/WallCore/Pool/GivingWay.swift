/// Says how much a wall that can't keep up leaves out: a ladder that is climbed a rung at a time, and down again.
///
/// First the tiles without the focus climb their three steps, then the one that has it. A rung is given back when
/// there has been plenty for a while; where that proved too early, the next try waits twice as long.
struct GivingWay {
    /// How what is decoded compares with what is shown.
    enum Supply: Sendable {
        /// Some tile will soon have nothing, and its decoder does all that it can.
        case short
        case enough
        /// All have what they need, and their decoders are idle for a good part of the time.
        case plenty
    }

    private(set) var rung = 0
    private var shortSince: Time?
    private var plentySince: Time?
    private var climbedAt: Time?
    private var cameDownAt: Time?
    private var patience = usualPatience

    /// So long it must be short, and so long a rung has to show what it is good for.
    static let insistence = Time.milliseconds(500)
    static let settling = Time.seconds(1)
    static let usualPatience = Time.seconds(4)
    static let longestPatience = Time.seconds(64)
    private static let stepsPerTile = GiveWayStep.allCases.count - 1

    /// The wall has no reason to look again by itself.
    var isAtRest: Bool { rung == 0 && shortSince == nil }

    /// `others`: whether there are tiles without the focus that could give way.
    mutating func look(_ supply: Supply, others: Others, at wall: Time) {
        rung = min(rung, GivingWay.top(others))
        shortSince = supply == .short ? shortSince ?? wall : nil
        plentySince = supply == .plenty ? plentySince ?? wall : nil
        if let shortSince, wall - shortSince >= Self.insistence, rung < GivingWay.top(others),
            climbedAt.map({ wall - $0 >= Self.settling }) ?? true
        {
            if let cameDownAt, wall - cameDownAt < patience * 2 { patience = min(patience * 2, Self.longestPatience) }
            (rung, climbedAt) = (rung + 1, wall)
        }
        if let plentySince, rung > 0, wall - plentySince >= patience {
            (rung, cameDownAt, self.plentySince) = (rung - 1, wall, wall)
            if rung == 0 { climbedAt = nil }
        }
        // It went well for a long time: what was learned of an overload is out of date.
        if rung == 0, let cameDownAt, wall - cameDownAt > Self.longestPatience { patience = Self.usualPatience }
    }

    enum Others: Sendable { case some, none }

    private static func top(_ others: Others) -> Int { others == .some ? 2 * stepsPerTile : stepsPerTile }

    /// How far a tile gives way on this rung.
    func step(of tile: Tile, others: Others) -> GiveWayStep {
        let climbed = tile == .focused && others == .some ? rung - Self.stepsPerTile : rung
        return GiveWayStep(rawValue: min(max(climbed, 0), Self.stepsPerTile))!
    }

    enum Tile: Sendable { case focused, other }
}
