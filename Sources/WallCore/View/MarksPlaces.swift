/// Where a tile's marks stand, in pixels of the window: sizes that can be read on small tiles and don't shout on
/// large ones. Pure.
public struct MarksPlaces: Hashable, Sendable {
    public let frame: Rect
    /// Lines of text are as high as this.
    public let text: Int
    public let margin: Int
    /// Diameter of a state's mark.
    public let badge: Int
    /// On too small a tile marks have no words.
    public let hasTexts: Bool
    /// The smallest text is large for this tile.
    private let isSmall: Bool
    private static let smallestText = 11

    public init(in frame: Rect) {
        self.frame = frame
        let wanted = min(frame.height / 26, frame.width / 34, 84)
        text = max(MarksPlaces.smallestText, wanted)
        isSmall = wanted < MarksPlaces.smallestText
        margin = max(5, text * 2 / 3)
        hasTexts = frame.width >= 130 && frame.height >= 72
        badge = hasTexts ? text * 3 / 2 + 4 : max(11, frame.height / 4)
    }

    /// Marks stand on the picture and not on the background beside it, unless that costs them their words.
    static func frame(in tile: Rect, picture: Rect) -> Rect {
        let part = picture.intersection(tile)
        return MarksPlaces(in: part).hasTexts || !MarksPlaces(in: tile).hasTexts && !part.isEmpty ? part : tile
    }

    // The lower edge.

    /// The bar's whole length.
    public var bar: Rect {
        let height = max(3, text / 5)
        return Rect(frame.x + margin, frame.maxY - margin - height, max(0, frame.width - 2 * margin), height)
    }
    /// Of the dot at the bar's end.
    public var knob: Int { bar.height * 2 + 3 }
    /// The bar with its dot.
    public var barArea: Rect { bar.grown(by: knob / 2 + 1).intersection(frame) }
    /// How far along the bar a point on it is: 0 to 1; nil: it is beside it. The bar is thin, a hand is not.
    func shareOfBar(at point: Point, hasPlot: Bool) -> Double? {
        let areas = [bar.grown(by: margin).intersection(frame)] + (hasPlot && hasTexts ? [plot] : [])
        guard bar.width > 0, areas.contains(where: { $0.contains(x: point.x, y: point.y) }) else { return nil }
        return max(0, min(1, Double(point.x - bar.x) / Double(bar.width)))
    }
    /// How many pixels of the bar are filled.
    public func fill(_ fraction: Double) -> Int { Int((Double(bar.width) * max(0, min(1, fraction))).rounded()) }
    /// Of the line of text above the bar.
    public var timesTop: Int { bar.y - max(3, text / 4) - text }
    /// What is darkened so that text and bar can be read.
    public var strip: Rect {
        let height = hasTexts ? frame.maxY - timesTop + text * 3 / 2 : bar.height + 4 * margin
        return Rect(frame.x, frame.maxY - height, frame.width, height).intersection(frame)
    }
    /// Above the times, as long as the bar.
    public var plot: Rect {
        let height = max(2 * text, frame.height / 8), foot = timesTop - margin / 2
        return Rect(bar.x, foot - height, bar.width, height)
    }
    /// A label stands above this.
    public func labelBottom(above marks: Marks?) -> Int {
        guard let marks, marks.progress != nil else { return frame.maxY }
        if hasTexts { return marks.plot == nil ? timesTop : plot.y }
        return bar.y - knob / 2
    }

    // The upper edge.

    /// The most that a key and a rate take.
    public var paceWidth: Int { 4 * badge }
    public func corner(of marks: Marks) -> Rect {
        let step = badge + badge / 6
        let width = marks.states.count * step + (marks.pace == nil || !hasTexts ? 0 : paceWidth)
        return Rect(frame.maxX - margin - width, frame.y + margin, width, width == 0 ? 0 : badge)
    }
    // Notes: reasons, time and info, one below the other at the right, below the row of the states, so that time codes
    // in pictures, which stand at the upper left, can be read.

    /// From one line of the reasons to the next; the time is one more.
    public var reasonPitch: Int { badge + badge / 6 }
    public var infoPitch: Int { text + text / 5 }
    public var notesWidth: Int { isSmall ? max(0, frame.width - 2 * margin) : frame.width * 3 / 5 }
    public var notesTop: Int { frame.y + margin + reasonPitch }
    public func timeTop(of marks: Marks) -> Int { notesTop + marks.reasons.count * reasonPitch }
    /// Whether the time would stand above the bar.
    func hasRoomForTime(below marks: Marks) -> Bool { timeTop(of: marks) + badge <= timesTop }
    public func figuresTop(of marks: Marks) -> Int { timeTop(of: marks) + (marks.time == nil ? 0 : reasonPitch) }
    public func infoTop(of marks: Marks) -> Int {
        let lines = marks.figures.count
        return figuresTop(of: marks) + infoHeight(ofLines: lines) + (lines == 0 ? 0 : badge / 6)
    }
    public func infoHeight(ofLines count: Int) -> Int { count == 0 ? 0 : count * infoPitch + text * 4 / 5 }

    public enum InfoExtent: Sendable {
        /// What leaves the picture to be seen.
        case short
        /// What there is room for.
        case whole
    }

    /// How many lines of info there is room for below these marks; of figures, where there are none yet.
    public func mostInfo(below marks: Marks, _ extent: InfoExtent) -> Int {
        let bottom =
            switch extent {
            case .short where !isSmall: frame.y + frame.height / 2
            case .short, .whole: marks.plot == nil ? timesTop - margin / 2 : plot.y - margin / 2
            }
        let room = bottom - infoTop(of: marks) - infoHeight(ofLines: 1)
        let fitting = room < 0 ? 0 : room / infoPitch + 1
        return extent == .short && isSmall ? min(1, fitting) : fitting
    }

    public func notes(of marks: Marks) -> Rect {
        let bottom = infoTop(of: marks) + infoHeight(ofLines: marks.info.count)
        return Rect(frame.maxX - margin - notesWidth, notesTop, notesWidth, bottom - notesTop).intersection(frame)
    }
    public func time(of marks: Marks) -> Rect {
        let top = timeTop(of: marks)
        return Rect(frame.maxX - margin - notesWidth, top, notesWidth, figuresTop(of: marks) - top).intersection(frame)
    }
    public func figures(of marks: Marks) -> Rect {
        let top = figuresTop(of: marks), width = isSmall ? notesWidth : max(notesWidth, min(frame.width, 40 * text))
        return Rect(frame.maxX - margin - width, top, width, infoHeight(ofLines: marks.figures.count))
            .intersection(frame)
    }

    // The middle, and around.

    public func spinner(_ spinner: Marks.Spinner) -> Rect {
        let side = max(24, min(min(frame.width, frame.height) / 6, 240))
        let middle = frame.y + (spinner.isOnCard ? frame.height * 4 / 5 : frame.height / 2)
        return Rect(frame.x + (frame.width - side) / 2, middle - side / 2, side, side).intersection(frame)
    }
    /// Of the focus frame: the bright line, and the dark one within it.
    public var line: (bright: Int, dark: Int) {
        let bright = max(2, min(frame.width, frame.height) / 200)
        return (bright, max(1, bright / 2))
    }
    public var edges: [Rect] { frame.edges(line.bright + line.dark) }
}

extension Rect {
    public func grown(by pixels: Int) -> Rect {
        Rect(x - pixels, y - pixels, width + 2 * pixels, height + 2 * pixels)
    }

    /// Above, below, left and right: what is left of it when its middle is taken out.
    public func edges(_ thickness: Int) -> [Rect] { subtracting(grown(by: -thickness)) }

    /// The smallest one that holds both; an empty one holds nothing.
    public func union(_ other: Rect) -> Rect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x), top = min(y, other.y)
        return Rect(left, top, max(maxX, other.maxX) - left, max(maxY, other.maxY) - top)
    }
}

/// Where the overlay stands in the window. Pure.
public struct OverlayPlaces: Hashable, Sendable {
    public let window: Size

    public init(in window: Size) { self.window = window }

    public struct Help: Hashable, Sendable {
        public var panel: Rect
        public var columns: Int
        public var rows: Int
        /// From line to line; also the room around the columns.
        public var pitch: Int
        public var text: Int
        /// Of a column: its keys; with what they do.
        public var keysWidth: Int
        public var columnWidth: Int
    }

    /// In two columns where the window is wide enough for that.
    public func help(of count: Int) -> Help {
        let columns = window.width * 10 >= window.height * 12 ? 2 : 1
        let rows = (count + columns - 1) / columns
        // A column is 5 lines wide for its keys, and 9 for what they do.
        let highest = window.height * 9 / 10 / (rows + 2), widest = window.width * 95 / 100 / (15 * columns + 1)
        let pitch = max(9, min(highest, widest, 80))
        let text = max(8, pitch * 7 / 10)
        // The smallest text is wide for its lines: it gets what the window has.
        let room = min(text * 14, window.width * 98 / 100 * 10 / (15 * columns + 1)), unit = max(pitch * 10, room)
        let width = (15 * columns + 1) * unit / 10, height = (rows + 2) * pitch
        return Help(
            panel: Rect((window.width - width) / 2, (window.height - height) / 2, width, height), columns: columns,
            rows: rows, pitch: pitch, text: text, keysWidth: unit / 2, columnWidth: 14 * unit / 10)
    }

    public var infoText: Int { max(13, min(window.height / 26, window.width / 34, 72)) }
    public var infoPitch: Int { infoText * 2 }
    /// Below the marks of the uppermost tiles, above the middle of the wall; but above the help.
    public func info(of overlay: Overlay) -> Rect {
        let top = overlay.help.isEmpty ? window.height / 7 : infoText
        return Rect(0, top, window.width, overlay.info.count * infoPitch)
    }

    /// In a small window it would stand over what tiles say.
    var hasFoot: Bool { window.height >= 24 * footText }
    public var footText: Int { max(11, infoText * 3 / 5) }
    /// One line, as high as those of the info for their text.
    public var foot: Rect { Rect(0, window.height - 6 * footText, window.width, 2 * footText) }
    func footArea(of overlay: Overlay?) -> Rect { overlay?.foot == nil ? Rect(0, 0, 0, 0) : foot }

    func helpPanel(of overlay: Overlay?) -> Rect {
        overlay.map { $0.help.isEmpty ? Rect(0, 0, 0, 0) : help(of: $0.help.count).panel } ?? Rect(0, 0, 0, 0)
    }
    func infoArea(of overlay: Overlay?) -> Rect { overlay.map(info) ?? Rect(0, 0, 0, 0) }
}
