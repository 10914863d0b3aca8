/// The instant at which a feed decides something: the wall time, and its group as it is then.
struct Moment {
    let wall: Time
    let group: Group
    /// The group's time.
    let now: Time
    /// So long after its clock was let go the pictures begin to move.
    let hold: Time

    init(_ group: Group, at wall: Time, hold: Time) {
        (self.wall, self.group, self.hold) = (wall, group, hold)
        now = group.clock.position(at: wall)
    }

    var isRunning: Bool { group.clock.motion == .running }
    var rate: Rate { group.clock.rate }

    /// When the group's clock comes to `position`; nil while it stands.
    func wallTime(of position: Time) -> Time? { group.clock.wallTime(of: position) }
}
