/// A group's clock: a straight line from wall time (CLOCK_MONOTONIC) to group time, or a point while it is paused.
///
/// Every pause, seek and change of rate by the user is a change of a clock.
public struct Clock: Sendable, Equatable {
    private var anchorWall: Time
    private var anchorGroup: Time
    public private(set) var rate: Rate
    public private(set) var motion: Motion
    /// True if the clock starts only at `anchorWall`. If false, times before `anchorWall` lie on the line too.
    private var isDelayed = false

    public enum Motion: Sendable { case paused, running }

    /// Initial state of a wall's clocks.
    public struct Start: Sendable {
        public var position: Time
        public var rate: Rate
        public var motion: Motion

        public init(position: Time = .zero, rate: Rate = .one, motion: Motion = .running) {
            (self.position, self.rate, self.motion) = (position, rate, motion)
        }
    }

    /// A paused clock at `position`.
    public init(position: Time, rate: Rate) {
        (anchorWall, anchorGroup, self.rate, motion) = (.zero, position, rate, .paused)
    }

    public func position(at now: Time) -> Time {
        if motion == .paused || (isDelayed && now < anchorWall) { return anchorGroup }
        return anchorGroup + (now - anchorWall).played(at: rate)
    }

    /// The position as an empty range.
    public func instant(at now: Time) -> Range<Time> {
        let position = position(at: now)
        return position..<position
    }

    /// True if the clock runs at `now`, and its start is not delayed beyond `now`.
    public func isMoving(at now: Time) -> Bool { motion == .running && !(isDelayed && now < anchorWall) }

    /// Wall time at which a delayed clock starts or started; nil if its start was not delayed.
    public var beginsAt: Time? { motion == .running && isDelayed ? anchorWall : nil }

    /// Wall time at which the clock reaches or reached `position`; nil while it is paused.
    public func wallTime(of position: Time) -> Time? {
        if motion == .paused { return nil }
        var now = anchorWall + (position - anchorGroup).lasting(at: rate)
        // Both conversions round. A thread that wakes at the returned time must not be a tick too early.
        for _ in 0..<Int(Rate.one.trillionths / Rate.slowest.trillionths) where self.position(at: now) < position {
            now += Time(ticks: 1)
        }
        return now
    }

    /// Starts a paused clock from its position, after `delay`.
    public mutating func run(at now: Time, after delay: Time = .zero) {
        if motion == .paused { (anchorWall, motion, isDelayed) = (now + delay, .running, delay > .zero) }
    }

    public mutating func pause(at now: Time) {
        (anchorGroup, motion) = (position(at: now), .paused)
    }

    public mutating func seek(to position: Time, at now: Time) {
        (anchorGroup, anchorWall, isDelayed) = (position, now, false)
    }

    /// Moves the whole line by `change`, past times included.
    public mutating func shift(by change: Time) { anchorGroup += change }

    public mutating func setRate(_ newRate: Rate, at now: Time) {
        let begins = isDelayed ? max(now, anchorWall) : now
        (anchorGroup, anchorWall, rate) = (position(at: now), begins, newRate)
    }
}
