import Base

/// Places of a tile's marks, in pixels of the window: legible on small tiles and unobtrusive on large ones. Pure.
public struct MarksPlaces: Hashable, Sendable {
    public let rect: Rect
    /// Height of a line of text.
    public let text: Int
    public let margin: Int
    /// Diameter of a state's mark.
    public let badge: Int
    /// False if the tile is too small for texts.
    public let hasTexts: Bool
    /// True if even the smallest text is large for this tile.
    private let isSmall: Bool
    private static let smallestText = 11

    public init(in rect: Rect) {
        self.rect = rect
        let wanted = min(rect.height / 26, rect.width / 34, 84)
        text = max(MarksPlaces.smallestText, wanted)
        isSmall = wanted < MarksPlaces.smallestText
        margin = max(5, text * 2 / 3)
        hasTexts = rect.width >= 130 && rect.height >= 72
        badge = hasTexts ? text * 3 / 2 + 4 : max(11, rect.height / 4)
    }

    /// Area for a tile's marks: the frame without the background beside it, unless texts fit only on the whole tile.
    static func rect(in tile: Rect, frame: Rect) -> Rect {
        let part = frame.intersection(tile)
        return MarksPlaces(in: part).hasTexts || !MarksPlaces(in: tile).hasTexts && !part.isEmpty ? part : tile
    }

    // The lower edge.

    /// The bar's whole length.
    public var bar: Rect {
        let height = max(3, text / 5)
        return Rect(rect.x + margin, rect.maxY - margin - height, max(0, rect.width - 2 * margin), height)
    }
    /// Diameter of the dot at the bar's end.
    public var knob: Int { bar.height * 2 + 3 }
    /// Place of a point along the bar, 0 to 1; nil if the point is off the bar. The area is wider than the thin bar.
    public func shareOfBar(at point: Point, hasPlot: Bool) -> Double? {
        let areas = [bar.grown(by: margin).intersection(rect)] + (hasPlot && hasTexts ? [plot] : [])
        guard bar.width > 0, areas.contains(where: { $0.contains(x: point.x, y: point.y) }) else { return nil }
        return max(0, min(1, Double(point.x - bar.x) / Double(bar.width)))
    }
    /// Number of pixels of the bar that are filled.
    public func fill(_ fraction: Double) -> Int { Int((Double(bar.width) * max(0, min(1, fraction))).rounded()) }
    /// Upper edge of the line of text above the bar.
    public var timesTop: Int { bar.y - max(3, text / 4) - text }
    /// Area that is darkened so that text and bar can be read.
    public var strip: Rect {
        let height = hasTexts ? rect.maxY - timesTop + text * 3 / 2 : bar.height + 4 * margin
        return Rect(rect.x, rect.maxY - height, rect.width, height).intersection(rect)
    }
    /// Area of the plot: above the times, as long as the bar.
    public var plot: Rect {
        let height = max(2 * text, rect.height / 8), foot = timesTop - margin / 2
        return Rect(bar.x, foot - height, bar.width, height)
    }
    /// Upper edge of the bar with its texts and the plot.
    func footTop(of marks: Marks) -> Int {
        if !hasTexts { return bar.y - knob / 2 }
        return marks.figures.plot == nil ? timesTop : plot.y
    }
    /// Lower edge of the label. It is above the names of compared frames, if one of them is at the lower edge.
    public func labelBottom(above marks: Marks, beside sides: [Marks.Side] = []) -> Int {
        let bottom = marks.progress == nil ? rect.maxY : footTop(of: marks)
        return sides.contains { $0.down == 1 } ? bottom - 2 * text : bottom
    }
    public var labelText: Int { max(12, min(rect.height / 16, rect.width / 24, 72)) }
    /// Greatest width of the label.
    public var labelWidth: Int { rect.width * 23 / 25 }
    /// Area of the label, as far as it can be known before the text is drawn.
    func labelArea(of label: String, bottom: Int) -> Rect {
        let size = MarksPlaces.pill(of: label, labelText, atMost: labelWidth)
        return Rect(rect.x + margin, bottom - margin - size.height, size.width, size.height)
    }
    /// Estimates the size of a text on a pill, as labels have it.
    private static func pill(of text: String, _ height: Int, atMost width: Int) -> Size {
        let letters = Int((LetterWidth.of(text) * Double(height)).rounded(.up))
        return Size(min(letters + 2 * max(3, height * 2 / 5), width), height + 2 * max(1, height / 8))
    }

    // The upper edge.

    /// Greatest width of key and rate.
    public var paceWidth: Int { 4 * badge }
    public func corner(of marks: Marks) -> Rect {
        let step = badge + badge / 6
        let width = marks.states.count * step + (marks.pace == Marks.Pace() || !hasTexts ? 0 : paceWidth)
        return Rect(rect.maxX - margin - width, rect.y + margin, width, width == 0 ? 0 : badge)
    }
    // Notes: reasons, time and info, one below the other at the right, below the states. Time codes in frames, at the
    // upper left, stay legible.

    /// Distance from one line of the reasons to the next; the time is one more line.
    public var reasonPitch: Int { badge + badge / 6 }
    public var notesWidth: Int { isSmall ? max(0, rect.width - 2 * margin) : rect.width * 3 / 5 }
    public var notesTop: Int { rect.y + margin + reasonPitch }
    public func timeTop(of marks: Marks) -> Int { notesTop + marks.reasons.count * reasonPitch }
    /// True if the time fits above the bar.
    public func hasRoomForTime(below marks: Marks) -> Bool { timeTop(of: marks) + badge <= timesTop }
    /// Upper edge of a name's row.
    public func sideTop(of side: Marks.Side, height: Int, bottom: Int) -> Int {
        let top = rect.y + margin
        return top + Int((Double(max(0, bottom - margin - height - top)) * side.down).rounded())
    }
    /// Greatest width of a name, if each has an equal share of the width.
    public func sideWidth(of sides: [Marks.Side]) -> Int {
        let rows = Set(sides.map(\.down)).count
        return (rect.width - 2 * margin) / max(1, rows > 1 ? 1 : sides.count) - margin
    }
    /// Areas of the names, as far as they can be known before the texts are drawn.
    func sideAreas(of sides: [Marks.Side], bottom: Int) -> [Rect] {
        sides.map { side in
            let size = MarksPlaces.pill(of: side.name, text, atMost: sideWidth(of: sides))
            return Rect(
                sideLeft(of: side, width: size.width), sideTop(of: side, height: size.height, bottom: bottom),
                size.width, size.height)
        }
    }
    public func sideLeft(of side: Marks.Side, width: Int) -> Int {
        rect.x + margin + Int((Double(max(0, rect.width - 2 * margin - width)) * side.across).rounded())
    }

    public func figuresTop(of marks: Marks) -> Int { timeTop(of: marks) + (marks.time == nil ? 0 : reasonPitch) }
    public func infoTop(of marks: Marks) -> Int {
        figuresTop(of: marks) + figuresHeight(of: marks) + (marks.figures.lines.isEmpty ? 0 : badge / 6)
    }
    public func infoHeight(ofLines count: Int) -> Int { MarksPlaces.panelHeight(ofLines: count, text) }
    /// Height of a panel with lines of text of that height. Their distance is six fifths of it.
    public static func panelHeight(ofLines count: Int, _ text: Int) -> Int {
        count == 0 ? 0 : count * (text * 6 / 5) + text * 4 / 5
    }

    public enum InfoExtent: Sendable {
        /// Lines that leave the frame visible.
        case short
        /// Lines that there is room for.
        case whole
    }

    /// Number of info lines that fit below these marks, or of figures' lines if the marks have none yet.
    public func mostInfo(below marks: Marks, _ extent: InfoExtent) -> Int {
        let bottom =
            switch extent {
            case .short where !isSmall: rect.y + rect.height / 2
            case .short, .whole: (marks.figures.plot == nil ? timesTop : plot.y) - margin / 2
            }
        let room = bottom - infoTop(of: marks) - infoHeight(ofLines: 1)
        let fitting = room < 0 ? 0 : room / (text * 6 / 5) + 1
        return extent == .short && isSmall ? min(1, fitting) : fitting
    }

    public func notes(of marks: Marks) -> Rect {
        let bottom = infoTop(of: marks) + infoHeight(ofLines: marks.info.count)
        return Rect(rect.maxX - margin - notesWidth, notesTop, notesWidth, bottom - notesTop).intersection(rect)
    }
    public func figures(of marks: Marks) -> Rect {
        let top = figuresTop(of: marks), text = figuresText(of: marks)
        let letters = marks.figures.lines.map { ChangingText.width(of: $0) }.max() ?? 0
        let width = Int(((letters + 1.2) * Double(text)).rounded(.down))
        return Rect(rect.maxX - margin - width, top, width, figuresHeight(of: marks)).intersection(rect)
    }

    public func figuresText(of marks: Marks) -> Int { marks.figures.text > 0 ? marks.figures.text : text }
    private func figuresHeight(of marks: Marks) -> Int {
        MarksPlaces.panelHeight(ofLines: marks.figures.lines.count, figuresText(of: marks))
    }

    /// Lines and text height with which the figures' panel is at most `width` wide: smaller text first, down to three
    /// fifths, then lines that are broken at blanks.
    public func figures(_ lines: [String], within width: Int) -> (lines: [String], text: Int) {
        let letters = lines.map { ChangingText.width(of: $0) }.max() ?? 0
        let room = Double(min(width, rect.width - 2 * margin))
        let fitting = Int(room / (letters + 1.2))
        let smallest = min(text, max(MarksPlaces.smallestText, text * 3 / 5))
        if fitting >= smallest { return (lines, min(text, fitting)) }
        let most = room / Double(smallest) - 1.2
        return (lines.flatMap { ChangingText.broken($0, to: most) }, smallest)
    }

    // The middle, and around.

    public func spinner(_ spinner: Marks.Spinner) -> Rect {
        let side = max(24, min(min(rect.width, rect.height) / 6, 240))
        let middle = rect.y + (spinner.isOnCard ? rect.height * 4 / 5 : rect.height / 2)
        return Rect(rect.x + (rect.width - side) / 2, middle - side / 2, side, side).intersection(rect)
    }
    /// Widths of the focus border: of its bright line, and of the dark line within it.
    public var line: (bright: Int, dark: Int) {
        let bright = max(2, min(rect.width, rect.height) / 200)
        return (bright, max(1, bright / 2))
    }
}

extension Rect {
    public func grown(by pixels: Int) -> Rect {
        Rect(x - pixels, y - pixels, width + 2 * pixels, height + 2 * pixels)
    }

    /// The rect without its middle: up to four strips, above, below, left and right.
    public func edges(_ thickness: Int) -> [Rect] { subtracting(grown(by: -thickness)) }

    /// Smallest rect that contains both; an empty rect contains nothing.
    public func union(_ other: Rect) -> Rect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x), top = min(y, other.y)
        return Rect(left, top, max(maxX, other.maxX) - left, max(maxY, other.maxY) - top)
    }
}

/// Places of the overlay in the window. Pure.
public struct OverlayPlaces: Hashable, Sendable {
    public let window: Size

    public init(in window: Size) { self.window = window }

    public struct Help: Hashable, Sendable {
        public var panel: Rect
        public var columns: Int
        public var rows: Int
        /// Distance from line to line; also the space around the columns.
        public var pitch: Int
        public var text: Int
        /// Width of a column's keys, then of the keys with their descriptions.
        public var keysWidth: Int
        public var columnWidth: Int
    }

    /// Number of columns and text size at which every line fits, with the largest possible text.
    public func help(of lines: [KeyLine]) -> Help {
        let keys = lines.map(\.widthOfKeys).max() ?? 0,
            descriptions = lines.map { LetterWidth.of($0.description) }.max() ?? 0
        // Distance between lines, in heights of the text.
        let pitch = 10.0 / 7
        var columns = 1, height = 0.0
        for count in 1...4 {
            let rows = (lines.count + count - 1) / count
            let widest = Double(window.width) * 0.98 / (Double(count) * (keys + descriptions + pitch) + pitch)
            let highest = Double(window.height) * 0.96 / (Double(rows + 2) * pitch)
            let possible = min(widest, highest, 56)
            if possible > height { (columns, height) = (count, possible) }
        }
        let text = max(8, Int(height)), step = max(9, Int(Double(text) * pitch))
        let rows = (lines.count + columns - 1) / columns
        let room = (window.width * 98 / 100 - step) / columns - step
        let width = max(1, min(Int(((keys + descriptions) * Double(text)).rounded(.up)), room))
        let panel = Size(columns * (width + step) + step, (rows + 2) * step)
        return Help(
            panel: Rect(
                (window.width - panel.width) / 2, (window.height - panel.height) / 2, panel.width, panel.height),
            columns: columns, rows: rows, pitch: step, text: text,
            keysWidth: min(Int((keys * Double(text)).rounded(.up)), width / 2), columnWidth: width)
    }

    public var infoText: Int { max(13, min(window.height / 26, window.width / 34, 72)) }
    public var infoPitch: Int { infoText * 2 }
    /// Area of the info. Its usual place is below the marks of the uppermost tiles and above the middle of the wall, or
    /// at the top while the help is shown. If that place is taken, the first free one: below the taken areas, else above
    /// them, else the place that covers least of them. A place is free if its rows are, or else the estimated areas of
    /// the lines.
    public func info(of overlay: Overlay, avoiding taken: [Rect]) -> Rect {
        let height = overlay.info.count * infoPitch
        func place(_ top: Int) -> Rect { Rect(0, top, window.width, height) }
        let usual = place(overlay.help.isEmpty ? window.height / 7 : infoText)
        if usual.isEmpty || taken.isEmpty { return usual }
        let below = taken.map { $0.maxY + infoText / 2 }.sorted(), above = taken.map { $0.y - height }.sorted()
        let tops = (below + above.reversed()).filter { $0 >= 0 && $0 + height <= window.height }
        let letters = overlay.info.map { LetterWidth.of($0) }.max() ?? 0
        let narrow = min(window.width, Int(((letters + 2) * Double(infoText)).rounded(.up)))
        func covered(_ top: Int, _ width: Int) -> Int {
            let area = Rect((window.width - width) / 2, top, width, height)
            return taken.reduce(0) { sum, rect in
                let part = rect.intersection(area)
                return part.isEmpty ? sum : sum + part.width * part.height
            }
        }
        for width in [window.width, narrow] {
            if let top = ([usual.y] + tops).first(where: { covered($0, width) == 0 }) { return place(top) }
        }
        return place(([usual.y] + tops).min { covered($0, narrow) < covered($1, narrow) }!)
    }

    /// False in a small window, where the foot would cover marks of tiles.
    public var hasFoot: Bool { window.height >= 24 * footText }
    public var footText: Int { max(11, infoText * 3 / 5) }
    /// Area of the foot, of one line with the line spacing of the info: above the taken areas that its estimated area
    /// would cover. Empty if there is none.
    public func foot(of overlay: Overlay, avoiding taken: [Rect]) -> Rect {
        guard let line = overlay.foot else { return Rect(0, 0, 0, 0) }
        let width = Int(((LetterWidth.of(line) + 3) * Double(footText)).rounded(.up))
        let usual = window.height - 6 * footText
        var area = Rect(window.width - width, usual, width, 2 * footText)
        for rect in taken.sorted(by: { $0.maxY > $1.maxY }) where !rect.intersection(area).isEmpty {
            area = Rect(area.x, rect.y - area.height, area.width, area.height)
        }
        return Rect(0, area.y < 0 ? usual : area.y, window.width, area.height)
    }
}

/// Estimates the width of a text in common "sans-serif" fonts, in heights of its line. The estimate is an upper bound,
/// so that places can be chosen before the text is drawn.
public enum LetterWidth {
    public static func of(_ text: String) -> Double {
        text.unicodeScalars.reduce(0) { $0 + of($1) }
    }

    private static func of(_ letter: Unicode.Scalar) -> Double {
        switch letter {
        case " ", ".", ",", ":", ";", "'", "|", "i", "j", "l", "f", "t", "r", "I": 0.37
        case "m", "w", "M", "W": 0.85
        case "a"..."z", "0"..."9": 0.55
        case "\u{0}"..."\u{24F}": 0.68
        default: 1
        }
    }
}

/// A line with digits that all take the same width, so that the text does not move while it changes.
enum ChangingText {
    /// Upper bound of the width, in heights of the text.
    static func width(of line: String) -> Double {
        line.unicodeScalars.reduce(0) { $0 + (("0"..."9").contains($1) ? 0.68 : LetterWidth.of(String($1)) + 0.03) }
    }

    /// Breaks a line at blanks into lines of at most `most` heights. A longer word keeps its line.
    static func broken(_ line: String, to most: Double) -> [String] {
        var lines: [String] = []
        for word in line.split(separator: " ").map(String.init) {
            if let last = lines.last, width(of: last + " " + word) <= most {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}

extension KeyLine {
    /// Width of the key caps and the gaps between them, in heights of their text.
    var widthOfKeys: Double {
        let caps = keys.split(separator: "  ")
        // A cap has room around its text, is no narrower than it is high, and is followed by a gap.
        return caps.reduce(0) { $0 + max(1.25, LetterWidth.of(String($1)) + 0.7) + 0.35 } + 0.65
    }
}
