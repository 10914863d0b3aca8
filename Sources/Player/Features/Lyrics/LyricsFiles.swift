import Base
import Feeds
import Layout
import Lyrics
import Scene

/// Changes of the files from which lyrics are read.
struct LyricsFiles: Feature {
    /// Number of changes of each file.
    private var changes: [String: Int] = [:]

    /// Marks the lyrics in this file to be read again.
    mutating func fileChanges(_ location: String, _ snapshot: Snapshot) {
        if snapshot.lyricsFiles.contains(location) { changes[location, default: 0] += 1 }
    }

    func complete(_ view: inout View, playing run: RunID?, _ snapshot: Snapshot) {
        view.lyrics = LyricsReport(changes: changes, snapshot: snapshot).lyrics(of: view.tile, playing: run)
    }

    /// Returns a trouble for each tile whose lyrics can't be read.
    func failed(_ source: LyricsSource, _ trouble: SourceTrouble, _ snapshot: Snapshot) -> [Edit] {
        snapshot.tiles.playing.compactMap { tile in
            guard let item = snapshot.tiles[tile].play.firstIndex(where: { $0.lyricsSources.contains(source) }) else {
                return nil
            }
            return .emit(
                .trouble(
                    tile: snapshot.tiles[tile].name, source: source.name, item: .item(item), pts: nil, trouble: trouble)
            )
        }
    }
}

extension Wall {
    public mutating func lyricsFailed(_ source: LyricsSource, _ trouble: SourceTrouble, at now: Time) {
        make(features[LyricsFiles.self].failed(source, trouble, player.snapshot(at: now)), at: now)
    }
}
