import Base
import Commands
import Feeds

extension Properties {
    /// Properties of groups, as groups/NAME/NAME.
    static let group: [GroupProperty] = [
        Property(
            "time-pos", .group, takes: .time, "its clock, in seconds",
            get: { report, group in
                .number(report.snapshot.clocks[group].reportedPosition(at: report.snapshot.now).seconds)
            },
            set: { given, group in given.change(\.asTime, .seek, of: group) { .moveClock(to: $0) } }),
        Property(
            "pause", .group, takes: .flag, "its clock stands",
            get: { report, group in report.isPaused(group) },
            set: { given, group in given.change(\.asFlag) { .to(.clock(group), .pause($0 ? .on : .off, .group)) } }),
        Property(
            "speed", .group, takes: .rate, "its rate",
            get: { report, group in report.rate(of: group) },
            set: { given, group in given.change(\.asRate, .rate, of: group) { .rate(.to($0), .group) } }),
    ]
}

extension PropertySetting {
    /// Returns the change of a group's clock. Refuses it if all tiles of the group are live.
    fileprivate func change<Value>(
        _ read: (PropertyValue) -> Value?, _ kind: TimeChange, of group: GroupID, _ change: (Value) -> Change
    ) -> Outcome {
        if let reason = report.snapshot.reasonAgainstLive(kind, of: group) {
            return .refused(ControlError(.propertyUnavailable, because: reason))
        }
        return self.change(read) { .to(.clock(group), change($0)) }
    }
}

extension PropertyKind {
    static var rate: PropertyKind { .number(Rate.slowest.value...Rate.fastest.value) }
    static var volume: PropertyKind { .number(0...100) }
}

extension PropertyReport {
    func isPaused(_ group: GroupID) -> PropertyValue { .flag(snapshot.clocks.motionWanted(of: group) == .paused) }
    func rate(of group: GroupID) -> PropertyValue { .number(snapshot.clocks[group].clock.rate.value) }
}
