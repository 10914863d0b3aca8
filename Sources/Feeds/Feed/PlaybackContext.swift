import Base

/// The surroundings of a feed at one instant: the wall time, and the state of its group.
public struct PlaybackContext {
    public let now: Time
    public let group: Group
    /// The group's time.
    public let position: Time
    /// Frames and runs that start by this group time are due: `position`, plus the tolerance of the group's frames,
    /// plus `phase`.
    public let dueTime: Time
    let phase: Time
    /// Delay between the start of the clock and the first moving frame.
    let startDelay: Time

    public init(_ group: Group, at now: Time, startDelay: Time, phase: Time = .zero) {
        (self.now, self.group, self.startDelay, self.phase) = (now, group, startDelay, phase)
        position = group.clock.position(at: now)
        dueTime = position + group.dueTolerance + phase
    }

    public var isRunning: Bool { group.clock.motion == .running }
    /// True if the frames before `dueTime` were due: the clock runs, or has run to its position.
    public var passesDueFrames: Bool { isRunning || !group.jump.isSought }
    public var rate: Rate { group.clock.rate }

    /// Wall time at which a frame with the start `position` is due; nil while the group's clock is paused.
    public func wallTime(of position: Time) -> Time? { group.clock.wallTime(of: position - phase) }
}
