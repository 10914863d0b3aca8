import Base
import Heard
import Scene

// Parts that are drawn over a tile.
extension PartMaker {
    /// `panelHeight`: height of a panel behind the lines, as wide as they are; nil for a card without one.
    mutating func card(_ card: Card, top: Int, panelHeight: Int? = nil) {
        let heights = CardPlaces(in: rect), margin = panelHeight == nil ? 0 : places.margin
        let room = rect.width * 23 / 25 - 2 * margin
        let lines = [text(card.name, heights.name, room, .title), text(card.detail, heights.detail, room, .detail)]
        if let panelHeight, let widest = lines.compactMap({ $0?.size.width }).max() {
            let width = widest + 2 * margin
            let panel = Rect(rect.x + (rect.width - width) / 2, top, width, panelHeight)
            addPanel(panel, radius: places.badge / 3, .dark)
        }
        for (bitmap, y) in zip(lines, [top + margin, top + margin + heights.name + heights.gap]) {
            if let bitmap { add(bitmap, x: centred(bitmap), y: y) }
        }
    }

    mutating func nextUp(_ text: String, _ area: Rect) {
        let ends = places.text * 4 / 3
        guard let line = line(text, places.text, area.width - ends) else { return }
        add(line, onPill: Rect(area.x, area.y, line.width + ends, area.height))
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
        guard let bitmap = text(label, places.labelText, places.labelWidth, .label) else { return }
        add(bitmap, x: rect.x + places.margin, y: bottom - places.margin - bitmap.size.height)
    }

    mutating func bar(_ fill: Int, _ ends: [Int]) {
        let bar = places.bar
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
        let room = places.bar.width
        let right = item.flatMap { text($0, places.text, room / 3, .plain) }
        let left = text(time, places.text, room - (item == nil ? 0 : room / 3 + places.margin), .plain)
        if let left { add(left, x: places.bar.x, y: places.timesTop) }
        if let right { add(right, x: places.bar.maxX - right.size.width, y: places.timesTop) }
    }

    mutating func states(_ states: [Marks.StateMark], _ pace: String?) {
        let side = places.badge
        var x = rect.maxX - places.margin
        for state in states {
            x -= side
            add(.badge(state), at: Rect(x, rect.y + places.margin, side, side))
            x -= side / 6
        }
        guard let pace, let line = line(pace, places.text, places.paceWidth - places.text) else { return }
        let width = line.width + places.text
        add(line, onPill: Rect(x - width, rect.y + places.margin, width, side))
    }

    mutating func notes(_ reasons: [Marks.Reason]) {
        let side = places.badge, height = places.text, room = places.notesWidth - side - height
        for (number, reason) in reasons.enumerated() {
            // A countdown is drawn digit by digit, without new texts, if there is room.
            var made = reason.isCounted ? changingLine(reason.text, height, room) : nil
            if !reason.isCounted || made.map({ $0.width > room }) == true {
                made = self.line(reason.text, height, room)
            }
            guard let line = made else { continue }
            let width = side + line.width + height * 2 / 3
            let pill = Rect(
                rect.maxX - places.margin - width, places.notesTop + number * places.reasonPitch, width, side)
            add(.pill(.dark), at: pill)
            add(line, x: pill.x + side, y: pill.y + (side - height) / 2)
            icon(of: reason, at: Rect(pill.x, pill.y, side, side))
        }
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
        case .ownClock, .over: add(.icon(.ownClock), at: place.grown(by: -side / 12))
        }
    }

    mutating func time(_ time: String, _ top: Int) {
        guard let line = changingLine(time, places.text, places.notesWidth) else { return }
        let width = line.width + places.text * 4 / 3
        add(line, onPill: Rect(rect.maxX - places.margin - width, top, width, places.badge))
    }

    /// Draws the names of the compared frames. Each has an equal share of the width.
    mutating func sides(_ sides: [Marks.Side], _ bottom: Int) {
        let room = places.sideWidth(of: sides)
        for side in sides {
            guard let bitmap = text(side.name, places.text, room, .label) else { continue }
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

    mutating func figures(_ figures: Marks.Figures, _ height: Int, _ top: Int) {
        let lines = figures.lines.map { changingLine($0, height, rect.width) }
        panel(lines, height, top, figures.width > 0 ? figures.width : rect.width)
    }

    mutating func info(_ lines: [String], _ top: Int) {
        let height = places.text
        let lines = lines.map { line($0, height, places.notesWidth - height) }
        if top < rect.maxY { panel(lines, height, top, places.notesWidth) }
    }

    /// Draws lines on a panel at the right, at most `limit` wide.
    private mutating func panel(_ lines: [Line?], _ height: Int, _ top: Int, _ limit: Int) {
        guard let widest = lines.compactMap({ $0?.width }).max() else { return }
        let width = min(widest + height, rect.width - 2 * places.margin, limit)
        let panel = Rect(
            rect.maxX - places.margin - width, top, width, MarksPlaces.panelHeight(ofLines: lines.count, height))
        addPanel(panel, radius: places.badge / 3, .dark)
        for (number, line) in lines.enumerated() {
            let y = top + height / 2 + number * (height * 6 / 5)
            if let line { add(line, x: panel.x + height / 2, y: y, clip: panel) }
        }
    }

    /// Makes each digit a text of its own, in a place as wide as all others. nil until all of it is ready.
    private mutating func changingLine(_ text: String, _ height: Int, _ maxWidth: Int) -> Line? {
        let gap = max(1, height / 9)
        let zero = self.text("0", height, height * 2, .plain)
        // All texts are requested before the function returns nil for a missing one.
        let segments = text.changingSegments.map { segment in
            (segment, segment == " " ? nil : self.text(String(segment), height, maxWidth, .plain))
        }
        guard let zero, segments.allSatisfy({ $0.0 == " " || $0.1 != nil }) else { return nil }
        var line = Line(glyphs: [], width: 0, height: height)
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
