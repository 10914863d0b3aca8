import Base

/// The surroundings of a feed at one instant: the wall time, and the state of its group.
public struct PlaybackContext {
    public let now: Time
    public let group: Group
    /// The group's time.
    public let position: Time
    /// Frames and runs that start by this group time are due: `position`, plus the tolerance of the group's frames,
    /// plus `pairShift`.
    public let dueTime: Time
    let pairShift: Time
    /// Delay between the start of the clock and the first moving frame.
    let startDelay: Time

    public init(_ group: Group, at now: Time, startDelay: Time, pairShift: Time = .zero) {
        (self.now, self.group, self.startDelay, self.pairShift) = (now, group, startDelay, pairShift)
        position = group.clock.position(at: now)
        dueTime = position + group.dueTolerance + pairShift
    }

    public var isRunning: Bool { group.clock.motion == .running }
    /// True if the frames before `dueTime` were due: the clock runs, or has run to its position.
    public var passesDueFrames: Bool { isRunning || !group.jump.isSought }
    public var rate: Rate { group.clock.rate }

    /// Wall time at which a frame with the start `position` is due; nil while the group's clock is paused.
    public func wallTime(of position: Time) -> Time? { group.clock.wallTime(of: position - pairShift) }
}
