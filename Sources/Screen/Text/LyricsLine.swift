import Base
import CAss

/// All that a drawn line of words depends on.
struct LyricsLineOrder: Hashable, Sendable {
    var syllables: [Syllable]
    /// Height of a line, in pixels. A longer text is drawn smaller, then in several rows.
    var height: Int
    var maxWidth: Int
    var color: Color
    var sung: Color

    struct Syllable: Hashable, Sendable {
        var text: String
        var isItalic = false
    }
}

/// A drawn line of words: unsung and sung, with the place of each syllable. Immutable.
struct LyricsLine: Drawing {
    let plain: TextBitmap
    let sung: TextBitmap
    /// Rows from top to bottom, with cells from left to right.
    let rows: [Row]
    var size: Size { plain.size }
    var bytes: Int { size.width * size.height * 8 }

    struct Row: Sendable {
        var top: Int
        var bottom: Int
        var cells: [Cell]
    }

    /// A syllable's part of a row. The cells of a row cover all of it.
    struct Cell: Sendable {
        var syllable: Int
        var left: Int
        var right: Int
        /// Columns of its letters.
        var ink: Range<Int>
        var isRightToLeft: Bool

        /// Column between the sung and the unsung part. `share`: sung share, from 0 to 1.
        func edge(of share: Double) -> Int {
            if share <= 0 || share >= 1 { return (share <= 0) == isRightToLeft ? right : left }
            let way = Int((Double(ink.count) * share).rounded())
            return isRightToLeft ? ink.upperBound - way : ink.lowerBound + way
        }
    }

    static let empty = LyricsLine(plain: .empty, sung: .empty, rows: [])

    /// Returns the parts that are sung, and those that are not yet. `share`: sung share of a syllable, from 0 to 1.
    func parts(_ share: (Int) -> Double) -> (sung: [Rect], plain: [Rect]) {
        var (sung, plain): ([Rect], [Rect]) = ([], [])
        for row in rows {
            for cell in row.cells {
                let edge = cell.edge(of: share(cell.syllable)), height = row.bottom - row.top
                let left = Rect(cell.left, row.top, edge - cell.left, height)
                let right = Rect(edge, row.top, cell.right - edge, height)
                sung.extend(cell.isRightToLeft ? right : left)
                plain.extend(cell.isRightToLeft ? left : right)
            }
        }
        return (sung, plain)
    }
}

extension [Rect] {
    /// Appends a rect, or widens the last one if the rect follows it.
    fileprivate mutating func extend(_ rect: Rect) {
        if rect.isEmpty { return }
        if let last, last.maxX == rect.x, last.y == rect.y, last.height == rect.height {
            self[count - 1].width += rect.width
        } else {
            append(rect)
        }
    }
}

// Lines of words. The colour of each syllable is its number, so libass's images show the syllable's place.
extension TextRenderer {
    /// Smallest factor for the height of a line that is too long. Below it the line is split into rows.
    private static let smallest = 0.7
    /// Wider than any line, since libass draws nothing outside of the frame.
    private static let areaWidth = 16_000
    private static let mostSyllables = 512

    func draw(_ order: LyricsLineOrder) -> LyricsLine {
        var order = order
        order.syllables = Array(order.syllables.prefix(Self.mostSyllables))
        let whole = [order.syllables.indices]
        let single = measure(whole, order, order.height)
        guard let width = single.extent?.width else { return .empty }
        if width <= order.maxWidth { return compose(whole, order, order.height) }
        let share = Double(order.maxWidth) / Double(width)
        if share >= Self.smallest {
            return compose(whole, order, max(8, Int(Double(order.height) * share)))
        }
        let rows = single.broken(order.syllables, to: Double(order.maxWidth) / Self.smallest)
        let height = max(8, Int(Double(order.height) * Self.smallest))
        let widest = measure(rows, order, height).extent?.width ?? order.maxWidth
        return compose(rows, order, widest <= order.maxWidth ? height : max(8, height * order.maxWidth / widest))
    }

    private func measure(_ rows: [Range<Int>], _ order: LyricsLineOrder, _ height: Int) -> SyllablePlaces {
        var places = SyllablePlaces()
        for image in images(of: rows, order, height) { places.add(image) }
        return places
    }

    private func compose(_ rows: [Range<Int>], _ order: LyricsLineOrder, _ height: Int) -> LyricsLine {
        let places = measure(rows, order, height)
        guard let extent = places.extent else { return .empty }
        let margin = Self.outline(height), size = Size(extent.width, rows.count * height + 2 * margin)
        var plain = ImageBlend(size, from: Point(extent.x, 0)), sung = plain
        for image in images(of: rows, order, height) {
            plain.add(image, rgb: image.isLetter ? order.color.argb & 0xFF_FFFF : 0)
            sung.add(image, rgb: image.isLetter ? order.sung.argb & 0xFF_FFFF : 0)
        }
        return LyricsLine(
            plain: plain.bitmap, sung: sung.bitmap,
            rows: rows.enumerated().map { number, row in
                LyricsLine.Row(
                    top: number == 0 ? 0 : margin + number * height,
                    bottom: number == rows.count - 1 ? size.height : margin + (number + 1) * height,
                    cells: places.cells(of: row, order.syllables, left: extent.x, width: extent.width))
            })
    }

    private static func outline(_ height: Int) -> Int { max(1, (height * 7 + 50) / 100) }

    /// Returns the images of the rows, which are below each other and centred. They hold until the next call.
    private func images(of rows: [Range<Int>], _ order: LyricsLineOrder, _ height: Int) -> [ASS_Image] {
        let area = Size(Self.areaWidth, (rows.count + 1) * height * 2)
        for syllable in order.syllables { measured.add(syllable.text, height: height, isBold: true) }
        return images(of: text(rows, order), in: area, height: height) { style in
            style.Bold = 1
            style.Outline = Double(Self.outline(height))
            style.Alignment = Int32(VALIGN_TOP | HALIGN_CENTER)
            style.MarginV = Int32(Self.outline(height))
        }
    }

    private func text(_ rows: [Range<Int>], _ order: LyricsLineOrder) -> String {
        rows.map { row in
            row.map { index in
                let syllable = order.syllables[index]
                let number = String(index + 1, radix: 16, uppercase: true)
                return "{\\1c&H\(number)&\\i\(syllable.isItalic ? 1 : 0)}" + literal(syllable.text)
            }.joined()
        }.joined(separator: "\\N")
    }
}

/// Places of a line's syllables, as libass has drawn them.
private struct SyllablePlaces {
    /// Rect of everything drawn.
    private(set) var extent: Rect?
    private var letters: [Int: Rect] = [:]

    mutating func add(_ image: ASS_Image) {
        guard let ink = image.ink else { return }
        extent = extent?.union(ink) ?? ink
        guard image.isLetter else { return }
        letters[image.number] = letters[image.number]?.union(ink) ?? ink
    }

    /// Returns each syllable's part of a row. Syllables without letters have none.
    func cells(of row: Range<Int>, _ syllables: [LyricsLineOrder.Syllable], left: Int, width: Int) -> [LyricsLine.Cell]
    {
        let seen = row.compactMap { index in letters[index].map { (index: index, ink: $0) } }.sorted {
            $0.ink.x < $1.ink.x
        }
        return seen.indices.map { place in
            let ink = seen[place].ink
            let start = place == 0 ? left : (seen[place - 1].ink.maxX + ink.x) / 2
            let end = place == seen.count - 1 ? left + width : (ink.maxX + seen[place + 1].ink.x) / 2
            return LyricsLine.Cell(
                syllable: seen[place].index, left: start - left, right: max(start, end) - left,
                ink: ink.x - left..<ink.maxX - left,
                isRightToLeft: syllables[seen[place].index].text.isRightToLeft)
        }
    }

    /// Splits the syllables into rows of about equal widths, each at most `width` where blanks allow it.
    func broken(_ syllables: [LyricsLineOrder.Syllable], to width: Double) -> [Range<Int>] {
        let widths = syllables.indices.map { Double(letters[$0]?.width ?? 0) }
        let whole = Double(extent?.width ?? 1)
        let goal = whole / (whole / width).rounded(.up)
        let blank = max(0, (whole - widths.reduce(0, +)) / Double(max(1, syllables.count - 1)))
        var rows: [Range<Int>] = []
        var (start, used) = (0, 0.0)
        for index in syllables.indices {
            let next = widths[index] + blank
            let mayBreak = index > start && (syllables[index].text.beginsBlank || syllables[index - 1].text.endsBlank)
            if mayBreak, used + next / 2 > goal || used + next > width {
                rows.append(start..<index)
                (start, used) = (index, 0)
            }
            used += next
        }
        return rows + [start..<syllables.count]
    }
}

extension ASS_Image {
    fileprivate var isLetter: Bool { type == IMAGE_TYPE_CHARACTER }

    /// Index of the syllable that the colour stands for.
    fileprivate var number: Int {
        let (red, green, blue) = (Int(color >> 24) & 0xFF, Int(color >> 16) & 0xFF, Int(color >> 8) & 0xFF)
        return red + green * 0x100 + blue * 0x1_0000 - 1
    }
}

extension String {
    fileprivate var beginsBlank: Bool { unicodeScalars.first?.properties.isWhitespace ?? true }
    fileprivate var endsBlank: Bool { unicodeScalars.last?.properties.isWhitespace ?? true }

    /// True if its first letter is of a right-to-left script: Hebrew, Arabic and related ones.
    fileprivate var isRightToLeft: Bool {
        let letter = unicodeScalars.first { $0.properties.isAlphabetic }
        return switch letter?.value ?? 0 {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
