import Base
import Commands
import Feeds
import Layout
import Scene

/// Properties of a wall by name, as PropertyTable lists them.
public struct PropertyReport: Report {
    let features: Features
    let snapshot: Snapshot

    public init(_ wall: Wall, at now: Time) { (features, snapshot) = (wall.features, wall.player.snapshot(at: now)) }

    public typealias Reading = Result<PropertyValue, ControlError>

    /// Returns a property of the wall or of a tile. `tile`: nil if the wall or the focused tile is meant.
    public func property(_ name: String, of tile: TileID? = nil) -> Reading {
        if let spec = PropertyTable.spec(name, [.wall]), tile == nil { return .success(ofWall(spec.name)) }
        guard PropertyTable.spec(name, tile == nil ? [.tile] : [.tile, .namedTile]) != nil else {
            return .failure(.propertyNotFound)
        }
        guard let tile = tile ?? focus, tiles.contains(tile) else { return withoutTile(name) }
        return ofTile(name, tile).map { .success($0) } ?? .failure(.propertyUnavailable)
    }

    /// Returns a property of a group, by the group's name.
    public func property(_ name: String, ofGroup group: String) -> Reading {
        guard let id = clocks.id(named: group) else {
            return .failure(.propertyNotFound)
        }
        return ofGroup(name, id).map { .success($0) } ?? .failure(.propertyNotFound)
    }

    private func ofWall(_ name: String) -> PropertyValue {
        switch name {
        case "volume": return .number(Double(audioState.volume))
        case "volume-max": return .number(100)
        case "mute": return .flag(audioState.isMuted)
        case "audio-delay": return .number(Double(audioState.delayMilliseconds) / 1000)
        case "focus": return .text(focus.map { tiles[$0].name } ?? "none")
        case "zoomed": return .text(zoomedTile.map { tiles[$0].name } ?? "none")
        case "display": return .text(output.isDisplayOff ? "off" : "on")
        case "monitor-latency":
            return if case .heard(let latency) = audioState.monitored { .number(latency.seconds) } else { .null }
        case "tiles": return .list(tiles.order.map { wholeTile($0) })
        case "groups": return .object(namedGroups.map { PropertyField(clocks[$0].name, wholeGroup($0)) })
        case "health": return HealthReport(snapshot).health()
        case "wall":
            let names = ["display", "focus", "zoomed", "volume", "mute", "tiles", "groups", "health"]
            return .object(
                [PropertyField("layout", .text(layout.title))] + names.map { PropertyField($0, ofWall($0)) })
        default:
            let answer = features.firstAnswer { $0.property(name, of: nil, snapshot) }
            precondition(answer != nil, "\(name) is in the table and not answered")
            return answer ?? .null
        }
    }

    private var namedGroups: [GroupID] { clocks.ids.filter { !clocks[$0].isAlone } }

    private func wholeTile(_ tile: TileID) -> PropertyValue {
        let names =
            ["id"]
            + PropertyTable.ofTile.filter {
                !["id", "playlist", "vo-drop-frame-count", "drop-frame-count", "mistimed-frame-count"].contains($0)
                    && !$0.hasSuffix("-list")
            }
        return .object(
            names.compactMap { name in
                guard let value = ofTile(name, tile) else { return nil }
                // The path keeps its secrets only if it is read by itself.
                if name == "path", case .text(let path) = value {
                    return PropertyField(name, .text(SourceName.withoutSecrets(path)))
                }
                return PropertyField(name, value)
            })
    }

    private func wholeGroup(_ group: GroupID) -> PropertyValue {
        .object(
            PropertyTable.ofGroup.compactMap { name in ofGroup(name, group).map { PropertyField(name, $0) } })
    }

    func ofGroup(_ name: String, _ group: GroupID) -> PropertyValue? {
        switch name {
        case "time-pos": .number(clocks[group].reportedPosition(at: now).seconds)
        case "pause": .flag(clocks.motionWanted(of: group) == .standing)
        case "speed": .number(clocks[group].clock.rate.value)
        default: nil
        }
    }
}
