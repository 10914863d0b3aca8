import Base
import Commands
import Feeds

extension Properties {
    /// Properties of groups, as groups/NAME/NAME.
    static let group: [GroupProperty] = [
        Property(
            "time-pos", .group, takes: .time, "its clock, in seconds",
            get: { .number($0.snapshot.clocks[$0.owner].reportedPosition(at: $0.snapshot.now).seconds) },
            set: { $0.changeClock(\.asTime, .seek) { .moveClock(to: $0) } }),
        Property(
            "pause", .group, takes: .flag, "its clock stands", get: { $0.isPaused($0.owner) },
            set: { $0.changeClock(\.asFlag, nil) { .pause($0 ? .on : .off, .group) } }),
        Property(
            "speed", .group, takes: .rate, "its rate", get: { $0.rate(of: $0.owner) },
            set: { $0.changeClock(\.asRate, .rate) { .rate(.to($0), .group) } }),
    ]
}

extension NamedProperty {
    /// Returns the change of a group's clock. Refuses a change of time if all tiles of the group are live.
    fileprivate func changeClock<Value>(
        _ read: (PropertyValue) -> Value?, _ kind: TimeChange?, _ change: (Value) -> Change
    ) -> Outcome {
        guard case .group(let group) = owner else { return .refused(.propertyError) }
        if let kind, let reason = report.snapshot.reasonAgainstLive(kind, of: group) {
            return .refused(ControlError(.propertyUnavailable, because: reason))
        }
        return self.change(read) { .to(.clock(group), change($0)) }
    }
}

extension PropertyKind {
    static var rate: PropertyKind { .number(Rate.slowest.value...Rate.fastest.value) }
    static var volume: PropertyKind { .number(0...100) }
}
