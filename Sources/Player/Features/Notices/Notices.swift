import Base
import Commands
import Scene

/// Texts over the wall: on the last command, and those that a command or the program shows for a time.
struct Notices: Feature {
    /// The last text of each kind.
    private var texts: [WallText: (text: String, until: Time)] = [:]

    mutating func commandComes() { texts[.notice] = nil }

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .notice(let text): texts[.notice] = (text, snapshot.now + MarksVisibility.stay)
        case .announce(let text, let time): texts[.announcement] = text.map { ($0, snapshot.now + time) }
        case .showText(let text, let time): texts[.shown] = (text, snapshot.now + time)
        default: return nil
        }
        return .done(.draw)
    }

    func notice(after command: Change, of tile: TileID?, _ snapshot: Snapshot) -> String? {
        let audioState = snapshot.audioState
        switch command {
        case .volume(_, .wall): return "volume \(audioState.volume)"
        case .audioDelay: return "audio delay \(audioState.delayMilliseconds) ms"
        default: break
        }
        guard let tile else { return nil }
        let layout = snapshot.tiles[snapshot.tiles.tileMovedAlone(for: tile)].layout
        switch command {
        case .volume: return "\(snapshot.tiles[tile].name): volume \(snapshot.tiles[tile].layout.volume)"
        case .track:
            let playing = snapshot.tiles.playingTile(for: tile), feed = snapshot.feed(of: playing)
            guard let number = snapshot.tiles[playing].track else { return nil }
            if number == 0 { return "\(layout.name): no sound" }
            let tracks = snapshot.facts(of: feed)?.soundTracks ?? []
            guard number <= tracks.count else { return "\(layout.name): sound track \(number)" }
            return "\(layout.name): sound track \(number) of \(tracks.count): \(tracks[number - 1].words)"
        case .solo: return snapshot.soloText(of: tile)
        case .nudge, .nudgeByFrame: return "\(layout.name): offset \(layout.offset.signedText) s"
        default: return nil
        }
    }

    func text(_ kind: WallText, at now: Time) -> (text: String, until: Time)? {
        texts[kind].flatMap { now < $0.until ? $0 : nil }
    }
}
