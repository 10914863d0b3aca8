import Base
import Media

/// All that a drawn frame of subtitles depends on.
struct SubtitleOrder: Hashable, Sendable {
    let script: SubtitleScript
    /// Number of subtitles that had been read from the script.
    let count: Int
    let time: Time
    /// Size of the area that they are drawn over, in pixels.
    let size: Size
    /// Size of the film, in its own pixels; empty if unknown.
    let film: Size
    /// Look of subtitles from a script without styles.
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

    /// True if `other` is for the same script, sizes and look, and for the same time or less than a second later.
    /// `count` may differ.
    func isShortly(before other: SubtitleOrder) -> Bool {
        script === other.script && (size, film) == (other.size, other.film) && layout == other.layout
            && time <= other.time && other.time - time < .seconds(1)
    }
}

/// Subtitles at one instant. Immutable.
final class SubtitleFrame: Sendable {
    /// From top to bottom; empty if nothing is visible. Rows between the bands have no pixels.
    let bands: [Band]

    struct Band: Sendable {
        let bitmap: TextBitmap
        let origin: Point
    }

    init(bands: [Band]) { self.bands = bands }

    static let empty = SubtitleFrame(bands: [])

    var bytes: Int { bands.reduce(0) { $0 + $1.bitmap.pixels.count * 4 } }
}
