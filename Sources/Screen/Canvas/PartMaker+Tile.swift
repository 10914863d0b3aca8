import Base
import Heard
import Scene

// Parts that are drawn over a tile.
extension PartMaker {
    private var places: MarksPlaces { MarksPlaces(in: rect) }

    mutating func card(_ name: String, _ detail: String, top: Int) {
        let heights = CardPlaces(in: rect), room = rect.width * 23 / 25
        if let bitmap = text(name, heights.name, room, .title) { add(bitmap, x: centred(bitmap), y: top) }
        if let bitmap = text(detail, heights.detail, room, .detail) {
            add(bitmap, x: centred(bitmap), y: top + heights.name + heights.gap)
        }
    }

    /// Draws a card over the frame, on a panel as wide as its lines.
    mutating func announcement(_ card: Marks.Announcement, _ area: Rect) {
        let heights = CardPlaces(in: rect), margin = places.margin, room = rect.width * 23 / 25 - 2 * margin
        let title = text(card.title, heights.name, room, .title)
        let detail = text(card.detail, heights.detail, room, .detail)
        guard let widest = [title, detail].compactMap({ $0?.size.width }).max() else { return }
        let width = widest + 2 * margin
        addPanel(
            Rect(area.x + (area.width - width) / 2, area.y, width, area.height), radius: places.badge / 3, .dark)
        if let title { add(title, x: centred(title), y: area.y + margin) }
        if let detail { add(detail, x: centred(detail), y: area.y + margin + heights.name + heights.gap) }
    }

    mutating func nextUp(_ line: String, _ area: Rect) {
        let height = places.text
        guard let bitmap = text(line, height, area.width - 4 * height / 3, .plain) else { return }
        add(.pill(.dark), at: Rect(area.x, area.y, bitmap.size.width + 4 * height / 3, area.height))
        add(bitmap, x: area.x + 2 * height / 3, y: area.y + (area.height - height) / 2)
    }

    /// Draws the meter of a recording. A level at full scale is red.
    mutating func level(_ level: InputLevel, _ area: Rect) {
        add(.pill(.dark), at: area)
        let inset = max(2, area.height / 4)
        let bar = area.grown(by: -inset)
        guard !bar.isEmpty else { return }
        add(.pill(.track), at: bar)
        let width = Int((Double(bar.width) * level.fraction).rounded())
        if level.isFull {
            add(.solid(.init(rgb: 0xE0_3030, alpha: 255)), at: bar)
        } else if width > 0 {
            add(.pill(.white), at: bar, clip: Rect(bar.x, bar.y, width, bar.height))
        }
    }

    mutating func label(_ label: String, _ bottom: Int) {
        let places = places
        guard let bitmap = text(label, places.labelText, places.labelWidth, .label) else { return }
        add(bitmap, x: rect.x + places.margin, y: bottom - places.margin - bitmap.size.height)
    }

    mutating func bar(_ fill: Int, _ ends: [Int]) {
        let places = places, bar = places.bar
        if bar.isEmpty { return }
        add(.pill(.track), at: bar)
        add(.pill(.white), at: bar, clip: Rect(bar.x, bar.y, fill, bar.height))
        let knob = places.knob
        let dot = Rect(bar.x + fill - knob / 2, bar.y + bar.height / 2 - knob / 2, knob, knob)
        add(.pill(.white), at: dot, clip: dot.intersection(rect))
        let width = max(2, bar.height * 2 / 3)
        for end in ends {
            let mark = Rect(bar.x + end - width / 2, bar.y - bar.height, width, bar.height * 3)
            add(.solid(.init(rgb: 0x35_A6FF, alpha: 255)), at: mark.intersection(rect))
        }
    }

    mutating func times(_ time: String, _ item: String?) {
        let places = places, room = places.bar.width
        let right = item.flatMap { text($0, places.text, room / 3, .plain) }
        let left = text(time, places.text, room - (item == nil ? 0 : room / 3 + places.margin), .plain)
        if let left { add(left, x: places.bar.x, y: places.timesTop) }
        if let right { add(right, x: places.bar.maxX - right.size.width, y: places.timesTop) }
    }

    mutating func states(_ states: [Marks.StateMark], _ pace: String?) {
        let places = places, side = places.badge
        var x = rect.maxX - places.margin
        for state in states {
            x -= side
            add(.badge(state.icon), at: Rect(x, rect.y + places.margin, side, side))
            x -= side / 6
        }
        guard let pace, let bitmap = text(pace, places.text, places.paceWidth - places.text, .plain) else { return }
        let width = bitmap.size.width + places.text
        x -= width
        add(.pill(.dark), at: Rect(x, rect.y + places.margin, width, side))
        add(bitmap, x: x + places.text / 2, y: rect.y + places.margin + (side - places.text) / 2)
    }

    mutating func notes(_ reasons: [Marks.Reason]) {
        let places = places
        var y = places.notesTop
        for reason in reasons {
            note(reason, at: y)
            y += places.reasonPitch
        }
    }

    private mutating func note(_ reason: Marks.Reason, at y: Int) {
        let places = places, side = places.badge, height = places.text
        let room = places.notesWidth - side - height, right = rect.maxX - places.margin
        func left(_ width: Int) -> Int { right - side - width - height * 2 / 3 }
        func panel(_ width: Int) -> Rect { Rect(left(width), y, side + width + height * 2 / 3, side) }
        // A countdown is drawn digit by digit, without new texts.
        if reason.isCounted {
            guard let line = changing(reason.text, height, room) else { return }
            if line.width <= room {
                add(.pill(.dark), at: panel(line.width))
                add(line, x: left(line.width) + side, y: y + (side - height) / 2)
                return icon(of: reason, at: Rect(left(line.width), y, side, side))
            }
        }
        guard let bitmap = text(reason.text, height, room, .plain) else { return }
        add(.pill(.dark), at: panel(bitmap.size.width))
        add(bitmap, x: left(bitmap.size.width) + side, y: y + (side - height) / 2)
        icon(of: reason, at: Rect(left(bitmap.size.width), y, side, side))
    }

    private mutating func icon(of reason: Marks.Reason, at place: Rect) {
        let side = place.width
        switch reason {
        case .trouble, .noNewFrame, .frozen, .noSignal:
            let size = side * 3 / 4, inset = (side - size) / 2
            add(.warning, at: Rect(place.x + inset, place.y + inset, size, size))
        case .waiting, .waitsForDecoder: add(.icon(.waiting), at: place.grown(by: -side / 12))
        case .black: add(.icon(.screen), at: place.grown(by: -side / 12))
        case .sound: add(.icon(.muted), at: place.grown(by: -side / 12))
        case .ownClock, .over: add(.icon(.clock), at: place.grown(by: -side / 12))
        }
    }

    mutating func time(_ time: String, _ top: Int) {
        let places = places, height = places.text
        guard let line = changing(time, height, places.notesWidth) else { return }
        let width = line.width + height * 4 / 3, left = rect.maxX - places.margin - width
        add(.pill(.dark), at: Rect(left, top, width, places.badge))
        add(line, x: left + height * 2 / 3, y: top + (places.badge - height) / 2)
    }

    /// Draws the names of the compared frames. Each has an equal share of the width.
    mutating func sides(_ sides: [Marks.Side], _ bottom: Int) {
        let places = places
        let room = places.sideWidth(of: sides)
        for side in sides {
            guard let bitmap = text(side.name, places.sideText, room, .label) else { continue }
            add(
                bitmap, x: places.sideLeft(of: side, width: bitmap.size.width),
                y: places.sideTop(of: side, height: bitmap.size.height, bottom: bottom))
        }
    }

    /// Draws a white line with dark edges, which is visible over any frame.
    mutating func wipe(_ lines: WipeLines) {
        let area = lines.target.intersection(rect)
        for stroke in lines.strokes(in: area, thickness: 3) { add(.solid(.init(rgb: 0, alpha: 120)), at: stroke) }
        for stroke in lines.strokes(in: area, thickness: 1) { add(.solid(.white), at: stroke) }
    }

    mutating func figures(_ lines: [String], _ height: Int, _ top: Int, _ limit: Int) {
        let places = places
        let made = lines.map { changing($0, height, rect.width) }
        guard let widest = made.compactMap({ $0?.width }).max() else { return }
        let width = min(widest + height, rect.width - 2 * places.margin, limit), pitch = height * 6 / 5
        let panel = Rect(rect.maxX - places.margin - width, top, width, lines.count * pitch + height * 4 / 5)
        addPanel(panel, radius: places.badge / 3, .dark)
        for (number, line) in made.enumerated() {
            if let line { add(line, x: panel.x + height / 2, y: top + height / 2 + number * pitch, panel) }
        }
    }

    /// A line with digits that change with each frame.
    private struct ChangingLine {
        var glyphs: [(bitmap: TextBitmap, x: Int)] = []
        var width = 0
    }

    /// Makes each digit a text of its own, in a place as wide as all others. nil until all of it is ready.
    private mutating func changing(_ text: String, _ height: Int, _ maxWidth: Int) -> ChangingLine? {
        let gap = max(1, height / 9)
        let zero = self.text("0", height, height * 2, .plain)
        // All texts are requested before the function returns nil for a missing one.
        let segments = text.changingSegments.map { segment in
            (segment, segment == " " ? nil : self.text(String(segment), height, maxWidth, .plain))
        }
        guard let zero, segments.allSatisfy({ $0.0 == " " || $0.1 != nil }) else { return nil }
        var line = ChangingLine()
        var x = 0
        for (segment, bitmap) in segments {
            guard let bitmap else {
                x += height / 3
                continue
            }
            let width = segment.utf8.first!.isDigitOrSpace ? zero.size.width : bitmap.size.width
            line.glyphs.append((bitmap, x + (width - bitmap.size.width) / 2))
            x += width + gap
        }
        line.width = max(0, x - gap)
        return line
    }

    private mutating func add(_ line: ChangingLine, x: Int, y: Int, _ bounds: Rect? = nil) {
        for glyph in line.glyphs {
            let place = Rect(x + glyph.x, y, glyph.bitmap.size.width, glyph.bitmap.size.height)
            add(glyph.bitmap, x: place.x, y: y, clip: bounds.map(place.intersection))
        }
    }

    mutating func info(_ lines: [String], _ top: Int) {
        let places = places, height = places.text
        let bitmaps = lines.map { text($0, height, places.notesWidth - height, .plain) }
        let widest = bitmaps.compactMap { $0?.size.width }.max() ?? 0
        guard widest > 0, top < rect.maxY else { return }
        let width = widest + height
        let panel = Rect(
            rect.maxX - places.margin - width, top, width, places.infoHeight(ofLines: lines.count))
        addPanel(panel, radius: places.badge / 3, .dark)
        for (number, bitmap) in bitmaps.enumerated() {
            if let bitmap {
                add(bitmap, x: panel.x + height / 2, y: top + height / 2 + number * places.infoPitch)
            }
        }
    }

    /// Each plot is drawn once, so the store of shapes would keep it in vain.
    mutating func plot(_ plot: FigurePlot) {
        let area = places.plot
        if !area.isEmpty { add(Shape.plot(plot).bitmap(area.size), x: area.x, y: area.y) }
    }

    mutating func spinner(_ spinner: Marks.Spinner) { add(.spinner(turn: spinner.step), at: places.spinner(spinner)) }

    mutating func focusBorder(_ opacity: Double) {
        let line = places.line, alpha = UInt32(max(0, min(1, opacity)) * 255)
        let inner = rect.grown(by: -line.bright)
        for edge in rect.edges(line.bright) { add(.solid(.init(rgb: 0x35_A6FF, alpha: alpha)), at: edge) }
        for edge in inner.edges(line.dark) { add(.solid(.init(rgb: 0, alpha: alpha / 2)), at: edge) }
    }

    func centred(_ bitmap: TextBitmap) -> Int { rect.x + (rect.width - bitmap.size.width) / 2 }
}

extension String {
    /// Digits, spaces, and the text between them.
    fileprivate var changingSegments: [Substring] {
        var segments: [Substring] = []
        var start = startIndex
        for index in utf8.indices where utf8[index].isDigitOrSpace {
            if start < index { segments.append(self[start..<index]) }
            start = utf8.index(after: index)
            segments.append(self[index..<start])
        }
        return start < endIndex ? segments + [self[start...]] : segments
    }
}

extension UInt8 {
    fileprivate var isDigitOrSpace: Bool { self == 0x20 || 0x30...0x39 ~= self }
}

extension Marks.StateMark {
    fileprivate var icon: Shape.Icon {
        switch self {
        case .recording: .recording
        case .microphone: .microphone
        case .paused: .pause
        case .heard: .heard
        case .muted: .muted
        case .focus: .focus
        case .ownClock: .clock
        }
    }
}
