import Base
import Commands
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
        // Subtitles that the tile shows take the place of lyrics.
        if view.lyrics == nil { view.lyrics = snapshot.lyrics(of: view.tile, playing: run) }
        guard !changes.isEmpty, let files = view.lyrics?.source.files else { return }
        view.lyrics!.version = files.reduce(0) { $0 + (changes[$1] ?? 0) }
    }
}

extension Wall {
    /// Emits a trouble for each tile whose lyrics or subtitles can't be read.
    public mutating func lyricsFailed(_ source: LyricsSource, _ trouble: SourceTrouble, at now: Time) {
        let subtitles = features[Subtitles.self], snapshot = player.snapshot(at: now)
        let troubles = snapshot.tiles.playing.compactMap { tile -> Change? in
            let ofItem = snapshot.tiles[tile].play.firstIndex { $0.lyricsSources.contains(source) }
            let isShown = { subtitles.report(on: tile, snapshot)?.source == source }
            guard
                let item = ofItem ?? (isShown() ? snapshot.feed(of: tile).slots.first?.run.item : nil)
            else { return nil }
            return .emit(
                .trouble(
                    tile: snapshot.tiles[tile].name, source: source.name, item: .item(item), pts: nil, trouble: trouble)
            )
        }
        make(troubles, at: now)
    }
}
