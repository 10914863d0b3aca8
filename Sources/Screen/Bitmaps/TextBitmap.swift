import Base

/// A drawing that the text thread has made: a `TextBitmap`, a `LyricsLine` or a `SubtitleFrame`. Immutable.
protocol Drawing: Sendable {
    /// Size in memory.
    var bytes: Int { get }
}

/// A drawn text, or a drawn shape. Immutable: any thread may read it.
public final class TextBitmap: Sendable, Drawing {
    public let size: Size
    /// Rows without gaps, 0xAARRGGBB, premultiplied.
    public let pixels: [UInt32]

    init(size: Size, pixels: [UInt32]) { (self.size, self.pixels) = (size, pixels) }

    var bytes: Int { pixels.count * 4 }

    /// Placeholder for a text that can't be drawn.
    static let empty = TextBitmap(size: Size(1, 1), pixels: [0])
}

/// Purpose of a text, which determines its look.
public enum TextStyle: Hashable, Sendable {
    /// A card's name: bold, white.
    case title
    /// A card's second line: grey.
    case detail
    /// White.
    case plain
    /// A tile's label: white on a translucent dark pill.
    case label
}

/// All that a drawn text depends on.
struct TextOrder: Hashable, Sendable {
    var text: String
    /// Height of the line, in pixels. A label's pill is a little higher, and a text with deep descenders may be.
    var height: Int
    /// A longer text is drawn smaller, then cut with an ellipsis.
    var maxWidth: Int
    var style: TextStyle
}
