import Base
import Layout
import Lyrics
import Media
import Scene
import Threads

/// Lyrics that `check` can't read.
enum UnreadableLyrics {
    struct Wanted: Hashable {
        let source: LyricsSource
        /// Voice of a duet; nil if all are meant.
        let voice: Int?
    }

    /// Returns the lyrics that can't be read. They are read in the same way as for drawing.
    static func find(_ items: [Wanted]) -> [(source: String, trouble: SourceTrouble)] {
        let wanted = Set(items.map(\.source))
        if wanted.isEmpty { return [] }
        let troubles = Locked<[(source: String, trouble: SourceTrouble)]>([])
        let library = LyricsLibrary {}
        library.onTrouble { source, trouble in troubles.locked { $0.append((source.name, trouble)) } }
        for source in wanted { _ = library.words(of: source) }
        _ = library.settle(within: patience)
        library.onTrouble(nil)
        for item in Set(items) {
            guard let voice = item.voice, case .lines(let lyrics)? = library.words(of: item.source)?.words,
                let trouble = lyrics.trouble(ofVoice: voice)
            else { continue }
            troubles.locked { $0.append((item.source.name, trouble)) }
        }
        _ = library.stop(within: 1_000_000_000)
        return troubles.locked { $0 }.sorted { $0.source < $1.source }
    }

    private static let patience: Int64 = 10_000_000_000
}
