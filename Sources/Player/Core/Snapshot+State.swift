import Base
import Feeds
import Heard
import Layout

// Frames and sounds of tiles.
extension Snapshot {
    /// Returns true if the feed is to be decoded: a tile of it is on the screen, or will be in a moment, or picture in
    /// picture hides a live source.
    func isOnStage(_ feed: Feed) -> Bool { transport.isOnStage(feed, of: output) }

    func verdict(on tile: TileID) -> AudioState.Verdict {
        let playing = tiles.playingTile(for: tile)
        // In a mix the sound of a watching tile is heard already, from its playing tile.
        if audioState.mode == .mix, !audioState.isSolo, playing != tile, tiles.order.contains(playing) {
            return verdict(on: playing)
        }
        return audioState.verdict(on: tiles[tile].layout, hasFocus: tile == focus)
    }

    /// Returns why a tile is not heard. nil if it is heard.
    func whyUnheard(_ tile: TileID) -> Unheard? {
        if case .unheard(let reason) = verdict(on: tile) { return reason }
        let tile = tiles.playingTile(for: tile)
        switch audioState.outlet {
        case .open: break
        case .muted: return .sinkMuted
        case .away: return .noServer
        case .unwanted: return .switchedOff
        }
        let feed = feed(of: tile)
        if tiles[tile].track == 0 { return .soundless }
        let audio = feed.slots.first.map { tiles[tile].look(ofItem: $0.run.place).audio }
        if audio == .silent, tiles[tile].track == nil { return .soundless }
        let stems = audio?.stems ?? []
        if !stems.isEmpty, stems.allSatisfy({ $0.level == 0 }) { return .muted }
        return audioState.failure(of: tiles[tile].sound, files: stems.count)
    }

    /// Age from which the frame of a live feed on this tile is old; nil for never.
    func staleLimit(of tile: TileID, _ feed: Feed) -> Time? {
        (tiles[tile].layout.staleAfter ?? layout.staleAfter).time.map { $0 + feed.fetchInterval }
    }

    func frozenLimit(of tile: TileID) -> Time? { (tiles[tile].layout.frozenAfter ?? layout.frozenAfter).time }

    /// Returns the first tile of the same group that has frames.
    func reference(for tile: TileID) -> TileID? { tiles.reference(for: tile, feeds) }

    /// Text that is shown after `Change.solo`.
    func soloText(of tile: TileID) -> String {
        let name = tiles[tile].name
        if case .unheard(let why) = verdict(on: tile) { return "\(name) alone: \(why.words)" }
        let isAlone = audioState.isSolo || audioState.mode == .focus
        return isAlone ? "\(name) alone is heard" : "all tiles are heard"
    }
}
