import Base
import Decoded

/// Decides how far a wall that can't keep up degrades, in steps.
///
/// First the tiles without the focus go through their three steps, then the focused tile. No step is added while the
/// decoded time ahead grows. A step is taken back after a while of plenty. If that proved too early, the next attempt
/// waits twice as long.
///
/// Used for `quality: auto`, never in stepped time. Clocks and sound are not affected. Frames that are already over are
/// never decoded (`FrameReader.skip`).
public struct Degrading {
    /// Comparison of decoding with playback.
    public enum Supply: Equatable, Sendable {
        /// Some tile will run out of frames soon, and its decoder works without a pause. `left`: time for which it can
        /// still play.
        case short(left: Time)
        case enough
        /// All tiles have enough frames, and their decoders are idle for a good part of the time.
        case plenty
    }

    /// False if every frame is needed, as in stepped time. Nothing is then left out.
    public let isAllowed: Bool
    /// Steps taken, over all tiles.
    private(set) var stepsTaken = 0
    /// Wall time since when the supply has not improved, and the time for which the tiles could still play then.
    private var shortage: (since: Time, left: Time)?
    private var plentySince: Time?
    private var raisedAt: Time?
    private var loweredAt: Time?
    private var patience = usualPatience

    public init(isAllowed: Bool = true) { self.isAllowed = isAllowed }

    /// Time for which the supply must be short before a step is added.
    static let insistence = Time.milliseconds(500)
    /// Improvement of `left` that counts. `settling`: time that an added step has to take effect.
    static let relief = Time.milliseconds(20)
    static let settling = Time.seconds(1)
    static let usualPatience = Time.seconds(4)
    static let longestPatience = Time.seconds(64)
    private static let stepsPerTile = DegradingStep.allCases.count - 1

    /// True if nothing is degraded and no shortage is being timed. No further check is needed.
    public var isAtRest: Bool { stepsTaken == 0 && shortage == nil }

    /// `others`: `.some` if tiles without the focus can degrade.
    public mutating func update(_ supply: Supply, others: Others, at now: Time) {
        stepsTaken = min(stepsTaken, Degrading.top(others))
        if case .short(let left) = supply {
            if shortage.map({ left >= $0.left + Self.relief }) ?? true { shortage = (now, left) }
        } else {
            shortage = nil
        }
        plentySince = supply == .plenty ? plentySince ?? now : nil
        if case .short(let left) = supply, let shortage, now - shortage.since >= Self.insistence,
            stepsTaken < Degrading.top(others), raisedAt.map({ now - $0 >= Self.settling }) ?? true
        {
            if let loweredAt, now - loweredAt < patience * 2 { patience = min(patience * 2, Self.longestPatience) }
            (stepsTaken, raisedAt, self.shortage) = (stepsTaken + 1, now, (now, left))
        }
        if let plentySince, stepsTaken > 0, now - plentySince >= patience {
            (stepsTaken, loweredAt, self.plentySince) = (stepsTaken - 1, now, now)
            if stepsTaken == 0 { raisedAt = nil }
        }
        // After a long time without an overload, the patience is reset.
        if stepsTaken == 0, let loweredAt, now - loweredAt > Self.longestPatience { patience = Self.usualPatience }
    }

    public enum Others: Sendable { case some, none }

    private static func top(_ others: Others) -> Int { others == .some ? 2 * stepsPerTile : stepsPerTile }

    /// Returns the step at which a tile degrades after the steps taken so far.
    public func step(of tile: Rank, others: Others) -> DegradingStep {
        let steps = tile == .focused && others == .some ? stepsTaken - Self.stepsPerTile : stepsTaken
        return DegradingStep(rawValue: min(max(steps, 0), Self.stepsPerTile))!
    }

    public enum Rank: Sendable { case focused, other }
}
