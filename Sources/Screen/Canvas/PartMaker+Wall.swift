import WallCore

// What is drawn over the whole wall.
extension PartMaker {
    mutating func help(_ lines: [HelpLine]) {
        let places = OverlayPlaces(in: frame.size).help(of: lines.count)
        addPanel(places.panel, radius: places.pitch * 2 / 3, .darkest)
        for (number, line) in lines.enumerated() {
            let column = number / places.rows, row = number % places.rows
            let x = places.panel.x + places.padding + column * (places.columnWidth + places.pitch)
            let y = places.panel.y + places.padding + row * places.pitch
            let middle = (places.pitch - places.text) / 2
            if let keys = text(line.keys, places.text, places.keysWidth - places.pitch / 2, .title) {
                add(keys, x: x, y: y + middle)
            }
            if let does = text(line.does, places.text, places.columnWidth - places.keysWidth, .plain) {
                add(does, x: x + places.keysWidth, y: y + middle)
            }
        }
    }

    mutating func wallInfo(_ lines: [String]) {
        let places = OverlayPlaces(in: frame.size)
        let area = places.info(of: lines.count), height = places.infoText
        for (number, line) in lines.enumerated() {
            guard let bitmap = text(line, height, area.width * 9 / 10 - 2 * height, .plain) else { continue }
            let pill = Rect(
                (area.width - bitmap.size.width) / 2 - height, area.y + number * places.infoPitch,
                bitmap.size.width + 2 * height, height * 7 / 4)
            add(.pill(.dark), at: pill)
            add(bitmap, x: pill.x + height, y: pill.y + (pill.height - height) / 2)
        }
    }
}
