import Media
import WallCore

/// All that a drawn frame of subtitles depends on.
struct SubtitleOrder: Hashable, Sendable {
    let script: SubtitleScript
    /// How many of its subtitles had been read.
    let count: Int
    let time: Time
    /// In pixels: what they are drawn over.
    let size: Size
    /// Of the film, in its own pixels; empty: not known.
    let film: Size
    /// Of scripts that do not say it.
    let layout: LyricsLayout

    static func == (a: SubtitleOrder, b: SubtitleOrder) -> Bool {
        a.script === b.script && (a.count, a.time, a.size, a.film) == (b.count, b.time, b.size, b.film)
            && a.layout == b.layout
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(script))
        hasher.combine(time)
        hasher.combine(size)
    }

    /// It shows the same words in the same place at that instant, or shortly before it.
    func isShortly(before other: SubtitleOrder) -> Bool {
        script === other.script && (size, film) == (other.size, other.film) && layout == other.layout
            && time <= other.time && other.time - time < .seconds(1)
    }
}

/// Subtitles as they are at an instant. Immutable.
final class SubtitleFrame: Sendable {
    /// From top to bottom; none: nothing is to be seen. Where nothing is between them there are no pixels.
    let bands: [Band]

    struct Band: Sendable {
        let bitmap: TextBitmap
        let origin: Point
    }

    init(bands: [Band]) { self.bands = bands }

    static let empty = SubtitleFrame(bands: [])

    var bytes: Int { bands.reduce(0) { $0 + $1.bitmap.pixels.count * 4 } }
}
