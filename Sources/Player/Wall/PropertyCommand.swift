import Base
import Commands
import Feeds
import Layout
import Scene

/// The commands that set properties.
struct PropertyCommand: Report {
    let snapshot: Snapshot

    func commandForWall(_ name: String, _ value: PropertyValue) -> Result<Command, ControlError> {
        switch name {
        case "volume": return value.asVolume.map { .success(.volume(.to($0), .wall)) } ?? .failure(value.refusal)
        case "mute": return value.asFlag.map { .success(.mute($0 ? .on : .off, .wall)) } ?? .failure(value.refusal)
        case "audio-delay":
            guard let seconds = value.asNumber else { return .failure(value.refusal) }
            return .success(.audioDelay(.to(Int((max(-1, min(1, seconds)) * 1000).rounded()))))
        case "focus":
            guard let tile = value.asText.flatMap({ tiles.id(named: $0) }) else { return .failure(.propertyError) }
            return .success(.focus(.tile(tile)))
        default:
            guard let text = value.asText else { return .failure(value.refusal) }
            return zoomCommand(text).map { .success($0) } ?? .failure(.propertyError)
        }
    }

    /// Returns the command that zooms the tile called `name`, or ends the zoom if that is "none". nil if no tile has
    /// the name.
    public func zoomCommand(_ name: String) -> Command? {
        if name == "none" { return .zoom(.off) }
        return tiles.id(named: name).map { .zoom(.to($0)) }
    }

    func command(
        _ name: String, _ value: PropertyValue, of tile: TileID?, _ scope: Command.Scope
    ) -> Result<Command, ControlError> {
        func make<Value>(_ wanted: Value?, _ command: (Value) -> Command?) -> Result<Command, ControlError> {
            guard let wanted else { return .failure(value.refusal) }
            return command(wanted).map { .success($0) } ?? .failure(.propertyError)
        }
        if name.hasPrefix("stems") { return stemCommand(name, value) }
        switch name {
        case "key": return make(value.asInteger) { .key(.to($0)) }
        case "pause": return make(value.asFlag) { .pause($0 ? .on : .off, scope) }
        case "speed": return make(value.asRate) { .rate(.to($0), scope) }
        case "time-pos", "playback-time": return make(value.asTime) { .seek(.to($0), scope) }
        case "percent-pos": return make(value.asNumber) { .seek(.toPercent($0), scope) }
        case "playlist-pos": return make(value.asInteger) { .goToItem($0) }
        case "mute": return make(value.asFlag) { .mute($0 ? .on : .off, .tile) }
        case "volume": return make(value.asVolume) { .volume(.to($0), .tile) }
        case "offset":
            guard let tile = tile ?? tiles.overlaid ?? focus, tiles.contains(tile) else {
                return .failure(.propertyUnavailable)
            }
            return make(value.asTime) { .nudge(by: $0 - tiles[movable(tile)].layout.offset) }
        case "aid":
            if value.asFlag == false { return .success(.track(.number(nil))) }
            if value.asText == "auto" { return .success(.track(.number(1))) }
            return make(value.asInteger) { $0 > 0 ? .track(.number($0)) : nil }
        case "loop-file":
            if value.asFlag == false { return .success(.sequence(.rounds(1))) }
            if value.asText == "inf" || value.asFlag == true { return .success(.sequence(.rounds(Item.mostRounds))) }
            return make(value.asInteger) { $0 >= 0 && $0 < Item.mostRounds ? .sequence(.rounds($0 + 1)) : nil }
        case "loop-playlist":
            if value.asFlag == false { return .success(.sequence(.loop(.iterations(1)))) }
            if ["inf", "force"].contains(value.asText) || value.asFlag == true {
                return .success(.sequence(.loop(.forever)))
            }
            return make(value.asInteger) { $0 > 0 ? .sequence(.loop(.iterations($0))) : nil }
        case "ab-loop-a", "ab-loop-b":
            func abLoop(_ time: Time?) -> Command { .abLoop(name == "ab-loop-a" ? .a(time) : .b(time), scope) }
            return value.asFlag == false ? .success(abLoop(nil)) : make(value.asTime) { abLoop($0) }
        case "chapter":
            guard let tile = tile ?? focus, tiles.contains(tile) else { return .failure(.propertyUnavailable) }
            let chapters = chapters(of: feeds[tiles[tile].feed])
            if chapters.isEmpty { return .failure(.propertyUnavailable) }
            return make(value.asInteger) { chapters.indices.contains($0) ? .seek(.to(chapters[$0].start), scope) : nil }
        default: return .failure(.propertyError)
        }
    }

    /// `name`: `stems` for a list of objects with `name`, and `volume`, `mute` or both. Else `stems/NAME/volume` or
    /// `stems/NAME/mute`, with a name or a number from 0.
    func stemCommand(_ name: String, _ value: PropertyValue) -> Result<Command, ControlError> {
        if name == "stems" {
            guard case .list(let stems) = value, !stems.isEmpty else { return .failure(value.refusal) }
            var changes: [Command.StemChange] = []
            for stem in stems {
                guard let name = stem["name"]?.asText else { return .failure(.propertyError) }
                let (mute, volume) = (stem["mute"], stem["volume"])
                guard mute == nil || mute?.asFlag != nil, volume == nil || volume?.asVolume != nil else {
                    return .failure(.propertyError)
                }
                changes.append(
                    Command.StemChange(
                        .named(name), mute: mute?.asFlag.map { $0 ? .on : .off },
                        volume: volume?.asVolume.map { .to($0) }))
            }
            return .success(.stems(changes))
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return .failure(.propertyNotFound) }
        let stem = Command.StemChange.Stem.named(parts[1])
        switch parts[2] {
        case "mute":
            guard let flag = value.asFlag else { return .failure(value.refusal) }
            return .success(.stems([Command.StemChange(stem, mute: flag ? .on : .off)]))
        case "volume":
            guard let volume = value.asVolume else { return .failure(value.refusal) }
            return .success(.stems([Command.StemChange(stem, volume: .to(volume))]))
        default: return .failure(.propertyNotFound)
        }
    }
}
