import Base
import Commands
import Feeds

extension Properties {
    /// Properties of groups, as groups/NAME/NAME.
    static let group: [GroupProperty] = [
        Property(
            "time-pos", .group, takes: .time, "its clock, in seconds",
            get: { report, group in .number(report.clocks[group].reportedPosition(at: report.now).seconds) },
            set: { given, group in given.edit(\.asTime, .seek, of: group) { .jump(group, to: $0) } }),
        Property(
            "pause", .group, takes: .flag, "its clock stands",
            get: { report, group in report.isPaused(group) },
            set: { given, group in given.edit(\.asFlag) { .pause(group, $0 ? .on : .off) } }),
        Property(
            "speed", .group, takes: .rate, "its rate",
            get: { report, group in report.rate(of: group) },
            set: { given, group in given.edit(\.asRate, .rate, of: group) { .setRate(.to($0), of: group) } }),
    ]
}

extension PropertySetting {
    /// Returns the edit of a group's time. Refuses it if all tiles of the group are live.
    fileprivate func edit<Value>(
        _ read: (PropertyValue) -> Value?, _ change: TimeChange, of group: GroupID, _ edit: (Value) -> Edit
    ) -> Outcome {
        if let reason = report.reasonAgainstLive(change, of: group) {
            return .refused(ControlError(.propertyUnavailable, because: reason))
        }
        return self.edit(read, edit)
    }
}

extension PropertyKind {
    static var rate: PropertyKind { .number(Rate.slowest.value...Rate.fastest.value) }
    static var volume: PropertyKind { .number(0...100) }
}

extension PropertyReport {
    func isPaused(_ group: GroupID) -> PropertyValue { .flag(clocks.motionWanted(of: group) == .paused) }
    func rate(of group: GroupID) -> PropertyValue { .number(clocks[group].clock.rate.value) }
}
