import Media
import WallCore

/// The words over one view: what was drawn of them last, and where they are otherwise now. Main thread only.
final class LyricsDecoration {
    private(set) var marks: [Mark] = []
    /// When they are to be drawn anew, in their own time.
    private(set) var change: LyricsDisplay.Change = .never
    private var display: (key: DisplayKey, display: LyricsDisplay)?

    private struct DisplayKey: Equatable {
        var reading: Int
        var voice: Int?
        var lines: Int
    }

    /// So long before they are to be seen lines are drawn.
    private static let ahead = Time.seconds(3)

    /// Takes in what is to be seen now, over the picture at `frame`; returns where that differs.
    func follow(_ view: LyricsView, _ frame: Rect, _ texts: TextMaker) -> [Rect] {
        var next: [Mark] = []
        change = .never
        let found = texts.lyrics.words(of: view.source, version: view.version)
        switch found?.words {
        case nil, .some(.none): break
        case .lines(let lyrics): next = lines(display(of: lyrics, found!.reading, view), view, frame, texts)
        case .script(let script):
            // What is on its way stays as it was until it is ready.
            next = subtitles(script, view, frame, texts) ?? marks
        }
        defer { marks = next }
        return next.differences(from: marks)
    }

    // MARK: subtitles

    private func subtitles(_ script: SubtitleScript, _ view: LyricsView, _ frame: Rect, _ texts: TextMaker) -> [Mark]? {
        let moment = script.moment(at: view.time)
        change = moment.change
        // The next one is drawn in time.
        if case .at(let next) = moment.change, next - view.time < Self.ahead, view.speed > 0 {
            _ = drawing(script, at: next, view, frame, texts)
        }
        if moment.change == .always, view.speed > 0 {
            for step in 1...6 {
                let later = script.moment(at: view.time + Self.step * Int64(step))
                if let since = later.since { _ = drawing(script, at: since, view, frame, texts) }
            }
        }
        guard let since = moment.since else { return [] }
        guard let drawn = drawing(script, at: since, view, frame, texts) else { return nil }
        guard let bitmap = drawn.bitmap else { return [] }
        let rect = Rect(frame.x + drawn.origin.x, frame.y + drawn.origin.y, bitmap.size.width, bitmap.size.height)
        return [Mark(bitmap, at: rect, clip: rect.intersection(frame))]
    }

    private static let step = Time(ticks: Time.ticksPerSecond / 60)

    private func drawing(
        _ script: SubtitleScript, at time: Time, _ view: LyricsView, _ frame: Rect, _ texts: TextMaker
    ) -> SubtitleFrame? {
        texts.frame(
            SubtitleOrder(script: script, count: script.count, time: time, size: frame.size, layout: view.layout.look))
    }

    // MARK: lines

    private func display(of lyrics: Lyrics, _ reading: Int, _ view: LyricsView) -> LyricsDisplay {
        let key = DisplayKey(reading: reading, voice: view.voice, lines: view.layout.lines)
        if let display, display.key == key { return display.display }
        let made = LyricsDisplay(lyrics, voice: view.voice, rows: view.layout.lines)
        display = (key, made)
        return made
    }

    private func lines(_ display: LyricsDisplay, _ view: LyricsView, _ frame: Rect, _ texts: TextMaker) -> [Mark] {
        let places = LyricsPlaces(view.layout, blocks: display.blocks.count, in: frame)
        change = display.nextChange(after: view.time)
        for line in display.coming(after: view.time, within: Self.ahead) {
            for block in display.blocks.indices where display.isSung(line, inBlock: block) {
                _ = texts.line(order(of: display.lyrics.lines[line], block, view.layout, places))
            }
        }
        var drawn: [LyricsPlaces.Drawn] = []
        for block in display.blocks.indices {
            let rows = display.rows(of: block, at: view.time)
            for (row, line) in rows.lines.enumerated() {
                guard let line else { continue }
                let words = display.lyrics.lines[line]
                guard let bitmap = texts.line(order(of: words, block, view.layout, places)) else { continue }
                let numbers = words.pieces.map(\.syllable)
                let parts = bitmap.parts { words.sung(of: numbers[$0], at: view.time) }
                drawn.append(LyricsPlaces.Drawn(block: block, row: row, bitmap, sung: parts.sung, plain: parts.plain))
            }
            guard let dots = rows.dots, let bitmap = texts.line(Self.dots(block, view.layout, places)) else { continue }
            let left = bitmap.parts { $0 < dots.count ? 0 : 1 }.plain
            drawn.append(LyricsPlaces.Drawn(block: block, row: dots.row, bitmap, sung: [], plain: left, isAbove: true))
        }
        return places.marks(of: drawn)
    }

    private func order(
        of line: Lyrics.Line, _ block: Int, _ layout: LyricsLayout, _ places: LyricsPlaces
    ) -> LyricsLineOrder {
        LyricsLineOrder(
            syllables: line.pieces.map { .init(text: $0.text, isItalic: line.syllables[$0.syllable].kind == .free) },
            height: places.height, maxWidth: places.maxWidth, color: layout.color(ofBlock: block),
            sung: layout.sung(inBlock: block))
    }

    private static func dots(_ block: Int, _ layout: LyricsLayout, _ places: LyricsPlaces) -> LyricsLineOrder {
        LyricsLineOrder(
            syllables: Array(repeating: .init(text: "\u{25CF} "), count: LyricsDisplay.dots), height: places.height / 2,
            maxWidth: places.maxWidth, color: layout.color(ofBlock: block), sung: layout.sung(inBlock: block))
    }
}

extension Lyrics.Line {
    /// What is drawn by itself: a syllable, or each word of a line whose words have no times.
    fileprivate var pieces: [(text: String, syllable: Int)] {
        syllables.enumerated().flatMap { index, syllable in
            isTimedByWord ? [(syllable.text, index)] : syllable.text.words.map { ($0, index) }
        }
    }
}

extension String {
    /// Each with the blanks ahead of it.
    fileprivate var words: [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView(), hasLetters = false
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace, hasLetters {
                words.append(String(word))
                (word, hasLetters) = (String.UnicodeScalarView(), false)
            }
            if !scalar.properties.isWhitespace { hasLetters = true }
            word.append(scalar)
        }
        return word.isEmpty ? words : words + [String(word)]
    }
}

extension LyricsLayout {
    /// Of what is drawn by libass alone: nothing but what it looks like.
    fileprivate var look: LyricsLayout {
        var look = self
        (look.source, look.offset, look.lines) = (.auto, .zero, 1)
        return look
    }

    /// The voices of a duet have colours of their own.
    fileprivate func sung(inBlock block: Int) -> Color {
        block == 0 ? sung : Self.others[(block - 1) % Self.others.count]
    }

    /// Of a duet, with some of the voice's own.
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
    /// Where these look otherwise than others did.
    fileprivate func differences(from others: [Mark]) -> [Rect] {
        func isSame(_ a: Mark, _ b: Mark) -> Bool { a.bitmap === b.bitmap && a.rect == b.rect }
        func rest(of marks: [Mark], without others: [Mark]) -> [Rect] {
            marks.flatMap { mark in
                others.lazy.filter { isSame(mark, $0) }.reduce([mark.clip]) { left, other in
                    left.flatMap { $0.subtracting(other.clip) }
                }
            }
        }
        return rest(of: self, without: others) + rest(of: others, without: self)
    }
}
