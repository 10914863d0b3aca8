import Base
import Commands
import Layout
import Scene

// Changes by hand of the key of what a tile plays, and of the files that its sound is made of.
extension Wall {
    /// Changes the key of the item on screen, for as long as the tile plays it.
    mutating func changeKey(_ amount: Command.Amount, of tile: TileID, at now: Time) -> Bool {
        guard let item = presentItem(of: tile) else { return false }
        let key = min(Item.keys.upperBound, max(Item.keys.lowerBound, amount.applied(to: tiles[tile].play[item].key)))
        changeLook(of: tile, item) { $0.key = key }
        showNotice("\(tiles[tile].name): key \(Marks.text(ofKey: key) ?? "0")", at: now)
        return true
    }

    /// Changes stems of the item on screen. Returns false if the item lacks one of them.
    mutating func change(_ changes: [Command.StemChange], of tile: TileID, at now: Time) -> Bool {
        guard let item = presentItem(of: tile) else { return false }
        let stems = tiles[tile].play[item].audio.stems
        let places = changes.map { change -> Int? in
            switch change.stem {
            case .number(let number): stems.indices.contains(number) ? number : nil
            case .named(let name):
                stems.firstIndex { $0.name == name } ?? Int(name).flatMap { stems.indices.contains($0) ? $0 : nil }
            }
        }
        guard !changes.isEmpty, !places.contains(nil) else { return false }
        for (change, place) in zip(changes, places) {
            changeLook(of: tile, item) {
                $0.audio.changeStem(place!) { stem in
                    if let mute = change.mute { stem.isMuted = mute.applied(to: stem.isMuted) }
                    if let volume = change.volume { stem.volume = min(100, max(0, volume.applied(to: stem.volume))) }
                }
            }
            let stem = tiles[tile].play[item].audio.stems[place!]
            showNotice("\(stem.name): \(stem.isMuted ? "muted" : "volume \(stem.volume)")", at: now)
        }
        return true
    }

    /// Changes the part of an item that is the tile's own. Its feed does not know that part.
    mutating func changeLook(of tile: TileID, _ item: Int, _ body: (inout Item) -> Void) {
        body(&tiles[tile].layout.play[item])
        breaks.onTiles[tile]?.change(item, body)
        if let onBreak = breaks.onTiles[tile] { tiles[tile].layout.play = onBreak.play }
        shareSounds()
    }

    // MARK: as a property

    func stemsProperty(of tile: TileID) -> PropertyValue {
        let tile = player(of: tile)
        let stems = presentItem(of: tile).map { tiles[tile].play[$0].audio.stems } ?? []
        return .list(
            stems.map {
                .object([
                    PropertyField("name", .text($0.name)), PropertyField("volume", .number(Double($0.volume))),
                    PropertyField("mute", .flag($0.isMuted)),
                ])
            })
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
