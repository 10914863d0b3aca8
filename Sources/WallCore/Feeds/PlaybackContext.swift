/// The instant at which a feed decides something: the wall time, and its group as it is then.
struct PlaybackContext {
    let now: Time
    let group: Group
    /// The group's time.
    let position: Time
    /// The time at which the feed looks for what is due: the group's time, the tolerance of its frames, and by how much
    /// the feed's frames start later than those that they are paired with.
    let groupTime: Time
    private let phase: Time
    /// So long after its clock was let go the frames begin to move.
    let hold: Time

    init(_ group: Group, at now: Time, hold: Time, phase: Time = .zero) {
        (self.now, self.group, self.hold, self.phase) = (now, group, hold, phase)
        position = group.clock.position(at: now)
        groupTime = position + group.dueTolerance + phase
    }

    var isRunning: Bool { group.clock.motion == .running }
    var rate: Rate { group.clock.rate }

    /// When what starts at `position` is due; nil while the group's clock stands.
    func wallTime(of position: Time) -> Time? { group.clock.wallTime(of: position - phase) }
}
