import Base
import Scene

// Parts that are drawn over the whole wall.
extension PartMaker {
    /// Draws the name in the height of a tile's card, and the lines below it.
    mutating func idle(_ card: IdleCard) {
        let name = max(14, min(rect.height / 9, rect.width / 14, 160))
        let line = max(11, min(rect.height / 24, rect.width / 38, 60)), pitch = line * 8 / 5
        let room = rect.width * 23 / 25
        let block = name + (card.lines.isEmpty ? 0 : name / 2 + card.lines.count * pitch)
        let top = rect.y + (rect.height - block) / 2, first = top + name + name / 2
        if let bitmap = text(card.name, name, room, .title) { add(bitmap, x: centred(bitmap), y: top) }
        for (number, words) in card.lines.enumerated() {
            guard let bitmap = text(words, line, room, .detail) else { continue }
            add(bitmap, x: centred(bitmap), y: first + number * pitch)
        }
    }

    mutating func help(_ lines: [KeyLine]) {
        let places = OverlayPlaces(in: rect.size).help(of: lines)
        addPanel(places.panel, radius: places.pitch * 2 / 3, .darkest)
        for (number, line) in lines.enumerated() {
            let column = number / places.rows, row = number % places.rows
            let x = places.panel.x + places.pitch + column * (places.columnWidth + places.pitch)
            let y = places.panel.y + places.pitch + row * places.pitch
            keyCaps(line.keys, x, y, places)
            if let description = text(line.description, places.text, places.columnWidth - places.keysWidth, .plain) {
                add(description, x: x + places.keysWidth, y: y + (places.pitch - places.text) / 2)
            }
        }
    }

    /// Draws a cap for each key. Keys are separated by two spaces.
    private mutating func keyCaps(_ keys: String, _ left: Int, _ y: Int, _ places: OverlayPlaces.Help) {
        let height = places.pitch * 7 / 8, inset = max(2, places.text / 3)
        var x = left
        for key in keys.split(separator: "  ") {
            guard let bitmap = text(String(key), places.text, places.keysWidth - 3 * inset, .title) else { continue }
            let width = max(height, bitmap.size.width + 2 * inset)
            add(.panel(radius: height / 4, .key), at: Rect(x, y + (places.pitch - height) / 2, width, height))
            add(bitmap, x: x + (width - bitmap.size.width) / 2, y: y + (places.pitch - places.text) / 2)
            x += width + inset
        }
    }

    mutating func wallInfo(_ lines: [String], _ top: Int) {
        let places = OverlayPlaces(in: rect.size)
        for (number, line) in lines.enumerated() { pill(line, places.infoText, top + number * places.infoPitch) }
    }

    /// Drawn on the right, since labels are on the left.
    mutating func foot(_ line: String, _ top: Int) {
        pill(line, OverlayPlaces(in: rect.size).footText, top, isOnTheRight: true)
    }

    /// Draws a line on a pill, in the middle or on the right.
    private mutating func pill(_ line: String, _ height: Int, _ top: Int, isOnTheRight: Bool = false) {
        guard let line = self.line(line, height, rect.width * 9 / 10 - 2 * height) else { return }
        let width = line.width + 2 * height
        let left = isOnTheRight ? rect.width - width - height : (rect.width - width) / 2
        add(line, onPill: Rect(left, top, width, height * 7 / 4))
    }
}
