import Base
import Commands
import Scene

/// The user's changes to the key of an item, and to its stems: the files of which its sound is made.
struct Stems: Feature {
    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        let tile = tile.map { snapshot.tiles.playingTile(for: $0) }
        switch command {
        case .key(let amount): return tile.map { changeKey(amount, of: $0, snapshot) } ?? .refused()
        case .stems(let changes): return tile.map { change(changes, of: $0, snapshot) } ?? .refused()
        default: return nil
        }
    }

    /// Changes the key of the item on screen, for as long as the tile plays it.
    private func changeKey(_ amount: Change.Amount, of tile: TileID, _ snapshot: Snapshot) -> FeatureAnswer {
        guard let item = snapshot.tileFeeds.presentItem(of: tile), let before = snapshot.tiles[tile].item(at: item)?.key
        else { return .refused() }
        let key = min(Item.keys.upperBound, max(Item.keys.lowerBound, amount.applied(to: before)))
        return .done(
            .changeItem(item, of: tile) { $0.key = key },
            .notice("\(snapshot.tiles[tile].name): key \(Marks.Pace.text(ofKey: key) ?? "0")"))
    }

    /// Changes stems of the item on screen. Refuses if the item lacks one of them.
    private func change(_ changes: [Change.StemChange], of tile: TileID, _ snapshot: Snapshot) -> FeatureAnswer {
        guard let item = snapshot.tileFeeds.presentItem(of: tile), !changes.isEmpty,
            var audio = snapshot.tiles[tile].item(at: item)?.audio
        else { return .refused() }
        var edits: [Change] = []
        for change in changes {
            guard let place = Self.place(of: change.stem, in: audio.stems) else { return .refused() }
            let body: @Sendable (inout ItemAudio.Stem) -> Void = { stem in
                if let mute = change.mute { stem.isMuted = mute.applied(to: stem.isMuted) }
                if let volume = change.volume { stem.volume = min(100, max(0, volume.applied(to: stem.volume))) }
            }
            audio.changeStem(place, body)
            let stem = audio.stems[place]
            edits.append(.changeItem(item, of: tile) { $0.audio.changeStem(place, body) })
            if change.mute != nil, let other = audio.alternative(to: place) {
                let isMuted = !stem.isMuted
                audio.changeStem(other) { $0.isMuted = isMuted }
                edits.append(.changeItem(item, of: tile) { $0.audio.changeStem(other) { $0.isMuted = isMuted } })
                let heard = audio.stems[isMuted ? place : other]
                edits.append(.notice("\(heard.name): volume \(heard.volume)"))
            } else {
                edits.append(.notice("\(stem.name): \(stem.isMuted ? "muted" : "volume \(stem.volume)")"))
            }
        }
        return FeatureAnswer(isDone: true, changes: edits)
    }

    static func place(of stem: Change.StemChange.Stem, in stems: [ItemAudio.Stem]) -> Int? {
        switch stem {
        case .number(let number): stems.indices.contains(number) ? number : nil
        case .named(let name):
            stems.firstIndex { $0.name == name } ?? Int(name).flatMap { stems.indices.contains($0) ? $0 : nil }
        }
    }
}
