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
    /// Of scripts that do not say it.
    let layout: LyricsLayout

    static func == (a: SubtitleOrder, b: SubtitleOrder) -> Bool {
        a.script === b.script && (a.count, a.time, a.size) == (b.count, b.time, b.size) && a.layout == b.layout
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(script))
        hasher.combine(time)
        hasher.combine(size)
    }
}

/// Subtitles as they are at an instant. Immutable.
final class SubtitleFrame: Sendable {
    /// nil: nothing is to be seen.
    let bitmap: TextBitmap?
    let origin: Point

    init(bitmap: TextBitmap?, origin: Point) { (self.bitmap, self.origin) = (bitmap, origin) }

    static let empty = SubtitleFrame(bitmap: nil, origin: Point(0, 0))
}
