/// A group's clock: a straight line from wall time (CLOCK_MONOTONIC) to group time, or a point while it stands.
///
/// Everything that a user does in time is a change of a clock.
public struct Clock: Sendable, Equatable {
    private var anchorWall: Time
    private var anchorGroup: Time
    public private(set) var rate: Rate
    public private(set) var motion: Motion
    /// It stands until its anchor; else it was in the past before.
    private var isHeld = false

    public enum Motion: Sendable { case standing, running }

    /// How a wall's clocks begin.
    public struct Start: Sendable {
        public var position: Time
        public var rate: Rate
        public var motion: Motion

        public init(position: Time = .zero, rate: Rate = .one, motion: Motion = .running) {
            (self.position, self.rate, self.motion) = (position, rate, motion)
        }
    }

    /// A clock that stands at `position`.
    public init(position: Time, rate: Rate) {
        (anchorWall, anchorGroup, self.rate, motion) = (.zero, position, rate, .standing)
    }

    public func position(at wall: Time) -> Time {
        if motion == .standing || (isHeld && wall < anchorWall) { return anchorGroup }
        return anchorGroup + (wall - anchorWall).played(at: rate)
    }

    /// The position as an empty range.
    func instant(at wall: Time) -> Range<Time> {
        let position = position(at: wall)
        return position..<position
    }

    /// Whether it is on its line then, and not at a point.
    public func isMoving(at wall: Time) -> Bool { motion == .running && !(isHeld && wall < anchorWall) }

    /// When it leaves the point at which it is held; nil: it is not.
    public var beginsAt: Time? { motion == .running && isHeld ? anchorWall : nil }

    /// When the clock will have (or had) come to `position`; nil while it stands.
    public func wallTime(of position: Time) -> Time? {
        if motion == .standing { return nil }
        var wall = anchorWall + (position - anchorGroup).lasting(at: rate)
        // Both ways are rounded: whoever wakes then is not to find that it is a tick too early.
        for _ in 0..<Int(Rate.one.trillionths / Rate.slowest.trillionths) where self.position(at: wall) < position {
            wall += Time(ticks: 1)
        }
        return wall
    }

    /// Goes on from where it stands, when `hold` has passed.
    public mutating func run(at wall: Time, after hold: Time = .zero) {
        if motion == .standing { (anchorWall, motion, isHeld) = (wall + hold, .running, hold > .zero) }
    }

    public mutating func stand(at wall: Time) {
        (anchorGroup, motion) = (position(at: wall), .standing)
    }

    public mutating func seek(to position: Time, at wall: Time) {
        (anchorGroup, anchorWall, isHeld) = (position, wall, false)
    }

    /// Is there, and was there all the time, so much later.
    mutating func shift(by change: Time) { anchorGroup += change }

    public mutating func setRate(_ newRate: Rate, at wall: Time) {
        let begins = isHeld ? max(wall, anchorWall) : wall
        (anchorGroup, anchorWall, rate) = (position(at: wall), begins, newRate)
    }
}
