import Base
import Lyrics

/// Changes of the files from which lyrics are read.
struct LyricsFiles {
    /// Number of changes of each file.
    private(set) var changes: [String: Int] = [:]

    /// Marks the lyrics in this file to be read again.
    mutating func noteChange(of file: String, _ snapshot: Snapshot) {
        if snapshot.lyricsFiles.contains(file) { changes[file, default: 0] += 1 }
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
