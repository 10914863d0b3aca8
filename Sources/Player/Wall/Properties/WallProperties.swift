import Base
import Commands
import Feeds

extension Properties {
    /// Properties of the wall. The object `wall` has them in this order.
    static let wall: [WallProperty] = [
        Property("layout", .wall, "the title of the layout that plays", get: { .text($0.snapshot.layout.title) }),
        Property(
            "display", .wall, "`on`, or `off` while the schedule has switched it off",
            get: { .text($0.snapshot.output.isDisplayOff ? "off" : "on") }),
        Property(
            "focus", .wall, takes: .tile(), "the tile that has the focus, or `none`",
            cycle: { isUp in .focus(isUp ? .next : .previous) }, get: { .text($0.snapshot.tiles.focusName ?? "none") },
            set: { given in
                guard let tile = given.value.asText.flatMap({ given.report.snapshot.tiles.id(named: $0) }) else {
                    return .refused(.propertyError)
                }
                return .change(.focus(.tile(tile)))
            }),
        Property(
            "zoomed", .wall, takes: .tile(or: "none"), "the tile that fills the wall, or `none`",
            get: { reader in .text(reader.snapshot.output.zoomed.map { reader.snapshot.tiles[$0].name } ?? "none") },
            set: { given in
                given.change(\.asText) { name in
                    name == "none" ? .zoom(.off) : given.report.snapshot.tiles.id(named: name).map { .zoom(.to($0)) }
                }
            }),
        Property(
            "volume", .wall, takes: .volume, "the volume of all sound",
            get: { .number(Double($0.snapshot.audioState.volume)) },
            set: { $0.change(\.asVolume) { .volume(.to($0), .wall) } }),
        Property(
            "mute", .wall, takes: .flag, "nothing is heard", get: { .flag($0.snapshot.audioState.isMuted) },
            set: { $0.change(\.asFlag) { .mute($0 ? .on : .off, .wall) } }),
        Property(
            "tiles", .wall, "every tile with its properties",
            get: { reader in .list(reader.snapshot.tiles.order.map { reader.report.object(ofTile: $0) }) }),
        Property("groups", .wall, "every group with its properties", get: { $0.report.objectOfGroups }),
        Property(
            "health", .wall, "tiles that do not show their due frames, and why",
            get: { HealthReport($0.snapshot).health() }),
        Property(
            "wall", .wall, "the wall as one object, with `layout` to `health` of this list", inObjects: .absent,
            get: { $0.report.objectOfWall }),
        Property("volume-max", .wall, "always 100", inObjects: .absent, get: { _ in .number(100) }),
        Property(
            "audio-delay", .wall, takes: .number(-1...1, "seconds"), "seconds by which sound is later than video",
            inObjects: .absent, get: { .number(Double($0.snapshot.audioState.delayMilliseconds) / 1000) },
            set: { $0.change(\.asNumber) { .audioDelay(.to(Int(($0 * 1000).rounded()))) } }),
        Property(
            "monitor-latency", .wall, "seconds after which a singer hears the microphone, or null", inObjects: .absent,
            get: {
                guard case .heard(let latency) = $0.snapshot.audioState.monitored else { return .null }
                return .number(latency.seconds)
            }),
    ]

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
