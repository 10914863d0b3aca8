import Base
import Lyrics

/// Content of one present: the views bottom to top, in pixels of the window.
public struct Scene {
    public var size: Size
    public var background: Color
    public var views: [View]
    /// Texts and panels over all views.
    public var overlay: Overlay
    /// True if no tile has anything to play or to show.
    public var isIdle = false

    public init(size: Size, background: Color, views: [View], overlay: Overlay = Overlay()) {
        (self.size, self.background, self.views, self.overlay) = (size, background, views, overlay)
    }

    /// Shows a text over all views.
    public mutating func showText(_ text: String) {
        overlay.info += text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Areas of the views' figures, labels, cards and names that are in the window.
    public var textAreas: [Rect] {
        views.flatMap(\.textAreas).map { $0.intersection(Rect(size)) }.filter { !$0.isEmpty }
    }
}

/// One tile as it is drawn.
public struct View {
    public var tile: TileID
    /// The tile's rect. The part of it beyond the window is cut off.
    public var rect: Rect
    /// The whole window. Label and marks lie in the part of the tile that is in the window, so that what they cost does
    /// not grow with the tile. nil if they may lie anywhere.
    public var window: Rect?
    public var content: Content
    /// A text to be drawn at the tile's lower left corner.
    public var label: String?
    /// Marks over the frame.
    public var marks: Marks
    /// Lyrics over the frame; nil if there are none.
    public var lyrics: LyricsView?

    public init(tile: TileID, rect: Rect, content: Content, label: String?, marks: Marks = Marks()) {
        (self.tile, self.rect, self.content, self.label, self.marks) = (tile, rect, content, label, marks)
    }

    /// Area for the label and the marks.
    public var marksRect: Rect { marksRect(in: seen(rect)) }

    /// Area for lyrics and subtitles: all of the frame, of which the window may show a part. Of a frame much larger
    /// than the window, the part in the window.
    public var lyricsRect: Rect {
        let whole = marksRect(in: rect).intersection(rect)
        guard let window, whole.width > 2 * window.width || whole.height > 2 * window.height else { return whole }
        return seen(whole)
    }

    private func marksRect(in tile: Rect) -> Rect {
        if case .fade(let fade) = content { return MarksPlaces.rect(in: tile, frame: fade.to.target) }
        return content.target.map { MarksPlaces.rect(in: tile, frame: $0) } ?? tile
    }

    /// Areas of the figures, the label, the cards and the names of compared frames.
    var textAreas: [Rect] {
        let places = MarksPlaces(in: marksRect), bottom = places.labelBottom(above: marks)
        let sides = places.hasTexts ? marks.comparison.sides : []
        var areas = places.sideAreas(of: sides, bottom: bottom)
        if let label {
            areas.append(places.labelArea(of: label, bottom: places.labelBottom(above: marks, beside: sides)))
        }
        if !marks.figures.lines.isEmpty { areas.append(places.figures(of: marks)) }
        if case .card(let card) = content { areas.append(places.card(card, lyrics?.layout.position)) }
        if let card = marks.performance.announcement, content.hasFrame, places.hasTexts {
            areas.append(places.announcement(card, lyrics?.layout.position))
        }
        return areas
    }

    /// The part of an area that is in the window.
    private func seen(_ area: Rect) -> Rect { window.map(area.intersection) ?? area }

    public enum Content {
        /// A frame, the target of which lies within `rect`.
        case frame(PlacedFrame)
        /// The tile's poster, drawn like a frame, until its first frame is there.
        case poster(PlacedFrame)
        /// Two frames while a seam fades.
        case fade(FadedFrame)
        /// Several frames.
        case comparison(ComparedFrames)
        case card(Card)
        /// The background, and what is drawn over it.
        case blank

        /// Area that is filled with frames; nil if there is no frame.
        public var target: Rect? {
            switch self {
            case .frame(let placed), .poster(let placed): placed.target
            case .comparison(let frames): frames.target
            case .fade(let fade): fade.target
            case .card, .blank: nil
            }
        }

        public var hasFrame: Bool { target != nil }

        public var isComparison: Bool { if case .comparison = self { true } else { false } }
    }
}

/// Identity of a frame's pixels.
///
/// Frames with equal stamps have the same pixels: a canvas draws anew only a frame with another stamp.
public struct Stamp: Hashable, Sendable {
    private let owner: Owner
    /// Rises with every frame that its owner takes in, so that no two are alike.
    private let serial: Int

    private enum Owner: Hashable { case feed(FeedID), poster(tile: TileID), composition, fade }

    public init(feed: FeedID, serial: Int) { (owner, self.serial) = (.feed(feed), serial) }
    /// Stamp of a frame that a canvas makes of several frames for one view.
    public init(composed serial: Int) { (owner, self.serial) = (.composition, serial) }
    /// Stamp of a frame that a canvas makes of two frames while a seam fades.
    public init(faded serial: Int) { (owner, self.serial) = (.fade, serial) }
    /// Stamp of a tile's poster. `serial`: number of its load.
    public init(posterOf tile: TileID, serial: Int) { (owner, self.serial) = (.poster(tile: tile), serial) }
}

/// Texts in place of a tile's frame, or over it.
public struct Card: Hashable, Sendable {
    public var kind: Kind
    public var name: String
    /// Line below the name; may be empty.
    public var detail: String

    public enum Kind: Sendable {
        /// Something is expected. The detail is the reason why the tile waits.
        case placeholder
        /// A sound plays without frames.
        case sound
        /// Nothing can be played. The detail is the cause.
        case trouble
        /// An item begins, such as a song.
        case announcement
    }

    public init(_ kind: Kind, _ name: String, _ detail: String) {
        (self.kind, self.name, self.detail) = (kind, name, detail)
    }
}

/// Lyrics over a view: their source, look and clock.
///
/// A view carries the source of its lyrics and their clock; everything else happens in Screen. A song's file becomes an
/// item before the layout is applied (`CompoundSources`, `SongFiles`). Its segments have a `songStart`, from which its
/// sound and its words count.
public struct LyricsView: Sendable, Equatable {
    public var source: LyricsSource
    /// Number of times that a file of the lyrics has changed.
    public var version = 0
    public var layout: LyricsLayout
    /// Size of the film beneath, as it is shown; empty if unknown. Scripts state outline widths in pixels of the film.
    public var film = Size(0, 0)
    /// Voice to show; nil for all.
    public var voice: Int?
    /// Time on the lyrics' own timeline.
    public var time: Time
    /// Rate at which `time` advances; 0 while it is paused.
    public var speed: Double

    public init(source: LyricsSource, layout: LyricsLayout, voice: Int? = nil, time: Time, speed: Double) {
        (self.source, self.layout, self.voice, self.time, self.speed) = (source, layout, voice, time, speed)
    }
}

/// Keeps presents from taking more than a third of the main thread's time.
///
/// Late frames come one by one, each with a wake-up. A wall that can't keep up would spend its time on presents and
/// fall further behind. A few presents in a row are free, so that the user's input is shown at once.
public struct PresentBudget: Sendable {
    private var credit = Self.most
    private var counted: Time?
    private static let most = Time.milliseconds(30)
    /// Longest pause after one present. During a long present the display or the process may have been stopped.
    private static let longestRest = Time.milliseconds(600)

    public init() {}

    /// Returns the earliest time for the next present, if only a late frame waits for it.
    public mutating func rest(after began: Time, until ended: Time) -> Time {
        let passed = counted.map { ended - $0 } ?? .zero
        counted = ended
        credit = min(Self.most, credit + passed / 3) - (ended - began)
        credit = max(credit, .zero - Self.longestRest / 3)
        return credit < .zero ? ended - credit * 3 : ended
    }
}
