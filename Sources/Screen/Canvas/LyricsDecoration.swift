import Base
import Lyrics
import Media
import Scene

/// The lyrics or subtitles over one view: the marks drawn last, and the areas that change. Main thread only.
///
/// The text thread draws a line once, unsung and sung. The colour of each syllable is its number, so libass's images
/// show the syllable's place (`LyricsLine.swift`). The decoration shows the due parts of both drawings and
/// returns the strip that changed. A line that is being sung therefore costs a few columns of pixels a frame.
final class LyricsDecoration {
    private(set) var marks: [Mark] = []
    /// Time at which the words must be redrawn, in the time of the lyrics: the present one if they change with every
    /// present. nil if they don't change any more.
    private(set) var change: Time?
    private let texts: TextMaker
    private var display: (key: (reading: Int, voice: Int?, lines: Int), display: LyricsDisplay)?
    /// Bitmaps of the lines that are shown.
    private var bitmaps: [Place: LyricsLine] = [:]
    /// The subtitles that were due and not ready. They are shown when ready, if that is not too late.
    private var late: SubtitleOrder?

    private struct Place: Hashable {
        var block: Int
        /// nil for the dots.
        var line: Int?
    }

    /// Lines are drawn this long before they are shown.
    private static let ahead = Time.seconds(3)

    init(_ texts: TextMaker) { self.texts = texts }

    deinit { texts.want(WordsWanted(), by: ObjectIdentifier(self)) }

    /// Updates the marks to the present instant, over the frame in `rect`. `area`: the part of it that other marks leave
    /// free. Returns the areas that changed.
    func follow(_ view: LyricsView, _ rect: Rect, _ area: Rect) -> [Rect] {
        var next: [Mark] = []
        var wanted = WordsWanted()
        change = nil
        let found = texts.lyrics.words(of: view.source, version: view.version)
        switch found?.words {
        case nil, .some(.none): break
        case .lines(let lyrics): next = lines(display(of: lyrics, found!.reading, view), view, (rect, area), &wanted)
        case .script(let script):
            // Subtitles keep their old look until the new ones are ready.
            next = subtitles(script, view, rect, &wanted)?.moved(into: area) ?? marks
        }
        texts.want(wanted, by: ObjectIdentifier(self))
        defer { marks = next }
        return next.differences(from: marks)
    }

    // MARK: subtitles

    /// nil until they are ready.
    private func subtitles(
        _ script: SubtitleScript, _ view: LyricsView, _ rect: Rect, _ wanted: inout WordsWanted
    ) -> [Mark]? {
        let moment = script.moment(at: view.time)
        change = moment.change
        let (count, look) = (script.count, view.layout.look)
        func order(_ time: Time) -> SubtitleOrder {
            SubtitleOrder(script: script, count: count, time: time, size: rect.size, film: view.film, layout: look)
        }
        wanted.soon = view.speed > 0 ? coming(script, moment, view.time).map { .frame(order($0)) } : []
        guard let since = moment.since else {
            late = nil
            return []
        }
        let due = order(since)
        let drawn = ready(due)
        wanted.now = [.frame(late ?? due)]
        return drawn?.bands.map { band in
            let place = Rect(
                rect.x + band.origin.x, rect.y + band.origin.y, band.bitmap.size.width, band.bitmap.size.height)
            return Mark(band.bitmap, at: place, clip: place.intersection(rect))
        }
    }

    /// Returns the frame that is due now, else the late frame that was ordered before; nil if neither is ready. A frame
    /// that takes longer to draw than it lasts is shown late. Otherwise it would never be shown.
    private func ready(_ due: SubtitleOrder) -> SubtitleFrame? {
        if let frame = texts.frame(due) {
            late = nil
            return frame
        }
        if let late, late.isShortly(before: due) {
            guard let frame = texts.frame(late) else { return nil }
            self.late = due
            return frame
        }
        late = due
        return nil
    }

    private static let step = Time(ticks: Time.ticksPerSecond / 60)
    private static let steps: ClosedRange<Int64> = 1...6

    /// Times of the frames that are drawn in advance, the next one first.
    private func coming(_ script: SubtitleScript, _ moment: SubtitleScript.Moment, _ now: Time) -> [Time] {
        guard let next = moment.change else { return [] }
        if next > now { return next - now < Self.ahead ? [next] : [] }
        return Self.steps.compactMap { script.moment(at: now + Self.step * $0).since }
    }

    // MARK: lines

    private func display(of lyrics: Lyrics, _ reading: Int, _ view: LyricsView) -> LyricsDisplay {
        let key = (reading: reading, voice: view.voice, lines: view.layout.lines)
        if let display, display.key == key { return display.display }
        let made = LyricsDisplay(lyrics, voice: view.voice, rows: view.layout.lines)
        display = (key, made)
        bitmaps = [:]
        return made
    }

    private func lines(
        _ display: LyricsDisplay, _ view: LyricsView, _ room: (rect: Rect, area: Rect), _ wanted: inout WordsWanted
    ) -> [Mark] {
        let places = LyricsPlaces(view.layout, blocks: display.blocks.count, in: room.rect, room.area)
        change = display.nextChange(after: view.time)
        for line in display.coming(after: view.time, within: Self.ahead) {
            for block in display.blocks.indices where display.isSung(line, inBlock: block) {
                wanted.soon.append(.line(places.order(of: display.lyrics.lines[line], block)))
            }
        }
        let before = bitmaps
        bitmaps = [:]
        var drawn: [LyricsPlaces.Drawn] = []
        func draw(_ order: LyricsLineOrder, at place: Place, row: Int?, _ share: (Int) -> Double) {
            wanted.now.append(.line(order))
            // Until the line is ready as ordered, it is shown as it was last.
            guard let bitmap = texts.line(order) ?? before[place] else { return }
            bitmaps[place] = bitmap
            let parts = bitmap.parts(share)
            drawn.append(
                LyricsPlaces.Drawn(
                    block: place.block, row: row, bitmap: bitmap, sung: row == nil ? [] : parts.sung,
                    plain: parts.plain))
        }
        for block in display.blocks.indices {
            let rows = display.rows(of: block, at: view.time)
            for case (let row, let line?) in rows.lines.enumerated() {
                let words = display.lyrics.lines[line], numbers = words.segments.map(\.syllable)
                draw(places.order(of: words, block), at: Place(block: block, line: line), row: row) {
                    words.sung(of: numbers[$0], at: view.time)
                }
            }
            guard rows.dots > 0 else { continue }
            let dots = Array(repeating: LyricsLineOrder.Syllable(text: "\u{25CF} "), count: LyricsDisplay.dots)
            draw(places.order(dots, places.height / 2, block), at: Place(block: block, line: nil), row: nil) {
                $0 < rows.dots ? 0 : 1
            }
        }
        return places.marks(of: drawn)
    }
}

extension LyricsPlaces {
    fileprivate func order(of line: Lyrics.Line, _ block: Int) -> LyricsLineOrder {
        let syllables = line.segments.map {
            LyricsLineOrder.Syllable(text: $0.text, isItalic: line.syllables[$0.syllable].kind == .free)
        }
        return order(syllables, height, block)
    }

    fileprivate func order(_ syllables: [LyricsLineOrder.Syllable], _ height: Int, _ block: Int) -> LyricsLineOrder {
        LyricsLineOrder(
            syllables: syllables, height: height, maxWidth: maxWidth, color: layout.color(ofBlock: block),
            sung: layout.sung(inBlock: block))
    }
}

extension Lyrics.Line {
    /// Units that are drawn separately: syllables, or words if a line has no times for its words.
    fileprivate var segments: [(text: String, syllable: Int)] {
        let segments = syllables.enumerated().flatMap { index, syllable in
            isTimedByWord ? [(text: syllable.text, index)] : syllable.text.words.map { ($0, index) }
        }
        // Many files have a blank on both sides of a word's time.
        var isBehindBlank = false
        return segments.map { text, syllable in
            let shown = isBehindBlank ? String(text.unicodeScalars.drop(while: \.properties.isWhitespace)) : text
            if let last = shown.unicodeScalars.last { isBehindBlank = last.properties.isWhitespace }
            return (shown, syllable)
        }
    }
}

extension String {
    /// Words, each with the blanks before it.
    fileprivate var words: [String] {
        var words: [String] = [], isAfterBlank = true
        for scalar in unicodeScalars {
            let isBlank = scalar.properties.isWhitespace
            if words.isEmpty || isBlank && !isAfterBlank { words.append("") }
            words[words.count - 1].unicodeScalars.append(scalar)
            isAfterBlank = isBlank
        }
        return words
    }
}

extension LyricsLayout {
    /// Settings that determine how libass draws. The others have fixed values.
    fileprivate var look: LyricsLayout {
        var look = self
        (look.source, look.offset, look.lines) = (.auto, .zero, 1)
        return look
    }

    /// Colour of sung words. Each further voice of a duet has its own.
    fileprivate func sung(inBlock block: Int) -> Color {
        block == 0 ? sung : Self.others[(block - 1) % Self.others.count]
    }

    /// Colour of unsung words. In a duet it has some of the voice's colour.
    fileprivate func color(ofBlock block: Int) -> Color {
        block == 0 ? color : color.mixed(with: sung(inBlock: block), 0.3)
    }

    private static let others = [
        Color(red: 0x4F, green: 0xC3, blue: 0xFF), Color(red: 0x7C, green: 0xE3, blue: 0x8B),
        Color(red: 0xFF, green: 0x8A, blue: 0xC4),
    ]
}

extension Color {
    fileprivate func mixed(with other: Color, _ share: Double) -> Color {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(Double(a) * (1 - share) + Double(b) * share) }
        return Color(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}

extension [Mark] {
    /// Returns the marks of subtitles, those beyond the lower or the upper edge of the area moved into it.
    fileprivate func moved(into area: Rect) -> [Mark] {
        let middle = area.y + area.height / 2
        let low = filter { $0.rect.y >= middle }, high = filter { $0.rect.maxY < middle }
        let up = Swift.max(0, (low.map(\.clip.maxY).max() ?? 0) - area.maxY)
        let down = Swift.max(0, area.y - (high.map(\.clip.y).min() ?? area.y))
        return map { mark in
            let shift = mark.rect.y >= middle ? -up : mark.rect.maxY < middle ? down : 0
            if shift == 0 { return mark }
            func moved(_ rect: Rect) -> Rect { Rect(rect.x, rect.y + shift, rect.width, rect.height) }
            return Mark(mark.bitmap, at: moved(mark.rect), clip: moved(mark.clip))
        }
    }
}
