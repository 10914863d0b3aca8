import Base
import Expectations
import Layout
import Testing

private func wall(
    _ places: [TileLayout.Place], window: Size = Size(1280, 720), columns: Int = 1, rows: Int = 1, gap: Int = 0,
    margin: Int = 0
) -> Layout {
    var layout = Layout(
        title: "", tiles: places.enumerated().map { TileLayout(id: "tile\($0)", place: $1, play: []) })
    layout.window.size = window
    (layout.grid.columns, layout.grid.rows, layout.grid.gap, layout.grid.margin) = (columns, rows, gap, margin)
    return layout
}

private func cell(_ column: Int, _ row: Int, _ columns: Int = 1, _ rows: Int = 1) -> TileLayout.Place {
    .cell(column: column, row: row, columns: columns, rows: rows)
}

@Test func cellsShareTheWindow() {
    let layout = wall([cell(0, 0), cell(1, 0), cell(0, 1), cell(1, 1), cell(0, 0, 2, 2)], columns: 2, rows: 2)
    let table: [(Size, [Rect])] = [
        (
            Size(1280, 720),
            [
                Rect(0, 0, 640, 360), Rect(640, 0, 640, 360), Rect(0, 360, 640, 360), Rect(640, 360, 640, 360),
                Rect(0, 0, 1280, 720),
            ]
        ),
        (
            Size(641, 361),
            [
                Rect(0, 0, 321, 181), Rect(321, 0, 320, 181), Rect(0, 181, 321, 180), Rect(321, 181, 320, 180),
                Rect(0, 0, 641, 361),
            ]
        ),
        (Size(1, 1), [Rect(0, 0, 1, 1), Rect(1, 0, 0, 1), Rect(0, 1, 1, 0), Rect(1, 1, 0, 0), Rect(0, 0, 1, 1)]),
    ]
    for (window, rects) in table { expect(TileGeometry.rects(of: layout, in: window), equals: rects) }
}

@Test func gapAndMarginGrowWithTheWindow() {
    let layout = wall([cell(0, 0), cell(1, 0), cell(0, 0, 2, 1)], columns: 2, rows: 1, gap: 20, margin: 10)
    expect(
        TileGeometry.rects(of: layout, in: Size(1280, 720)),
        equals: [
            Rect(10, 10, 620, 700), Rect(650, 10, 620, 700), Rect(10, 10, 1260, 700),
        ])
    expect(
        TileGeometry.rects(of: layout, in: Size(2560, 1440)),
        equals: [
            Rect(20, 20, 1240, 1400), Rect(1300, 20, 1240, 1400), Rect(20, 20, 2520, 1400),
        ])
    expect(
        TileGeometry.rects(of: layout, in: Size(640, 1440)),
        equals: [
            Rect(5, 20, 310, 1400), Rect(325, 20, 310, 1400), Rect(5, 20, 630, 1400),
        ])
}

@Test func rectanglesStandByFractionsOrPixels() {
    let table: [(TileLayout.Place, Size, Rect)] = [
        (.fractions(.all), Size(641, 361), Rect(0, 0, 641, 361)),
        (.fractions(Fractions(0.5, 0, 0.5, 1)), Size(641, 361), Rect(321, 0, 320, 361)),
        (.fractions(Fractions(0.5, 0.5, 1, 1)), Size(100, 100), Rect(50, 50, 100, 100)),
        (.fractions(Fractions(0, 0, 0.001, 1)), Size(100, 100), Rect(0, 0, 0, 100)),
        (.pixels(Rect(0, 0, 640, 360)), Size(1280, 720), Rect(0, 0, 640, 360)),
        (.pixels(Rect(100, 50, 640, 360)), Size(2560, 720), Rect(200, 50, 1280, 360)),
        (.pixels(Rect(-3, -3, 640, 360)), Size(640, 360), Rect(-1, -1, 320, 180)),
        (.pixels(Rect(-100, 700, 200, 200)), Size(1280, 720), Rect(-100, 700, 200, 200)),
    ]
    for (place, window, rect) in table {
        expect(TileGeometry.rects(of: wall([place]), in: window), equals: [rect], "\(place) in \(window)")
    }
}

@Test func fractionsThatMeetMeetOnTheScreen() {
    let edges = (0...20).map { Double($0) / 20 }
    for width in 1...400 {
        for first in edges.indices.dropLast(2) {
            let (a, b, c) = (edges[first], edges[first + 1], edges[first + 2])
            // Fractions with few digits, as users write them: the start plus the size is rarely exactly the next start.
            let rects = TileGeometry.rects(
                of: wall([.fractions(Fractions(a, 0, b - a, 1)), .fractions(Fractions(b, 0, c - b, 1))]),
                in: Size(width, 10))
            expect(rects[0].maxX, equals: rects[1].x)
        }
    }
}

/// Every cell of a grid alone, at every window size.
@Test(arguments: [
    (1, 0, 0), (2, 0, 0), (3, 0, 0), (5, 0, 0), (7, 0, 0), (13, 0, 0), (64, 0, 0), (3, 1, 0), (5, 3, 7), (7, 13, 1),
])
func cellsNeverOverlapNorLeaveAGap(_ count: Int, _ gap: Int, _ margin: Int) {
    let places = (0..<count).map { cell($0, $0) } + [cell(0, 0, count, count)]
    let layout = wall(places, window: Size(321, 203), columns: count, rows: count, gap: gap, margin: margin)
    var faults: [String] = []
    for length in 16...400 {
        let window = Size(length, 416 - length)
        let rects = TileGeometry.rects(of: layout, in: window)
        for (a, b) in zip(rects.dropLast(), rects.dropLast().dropFirst()) {
            let (across, down) = (b.x - a.maxX, b.y - a.maxY)
            if across < 0 || down < 0 { faults.append("overlap in \(window)") }
            if gap == 0 && (across != 0 || down != 0) { faults.append("gap in \(window)") }
            let widest = Double(gap * window.width) / 321 + 1
            if Double(across) > widest { faults.append("wide gap in \(window)") }
        }
        let whole = rects[count]
        if rects[0].x != whole.x || rects[count - 1].maxX != whole.maxX { faults.append("edges in \(window)") }
        if margin == 0 && whole != Rect(window) { faults.append("not filled in \(window)") }
        if !Rect(window).contains(whole) { faults.append("outside of \(window)") }
    }
    expect(faults.isEmpty, "\(faults.prefix(3))")
}

@Test func spansShareTheEdgesOfTheirCells() {
    let layout = wall(
        [cell(1, 0), cell(3, 0), cell(1, 0, 3, 1)], window: Size(333, 100), columns: 5, rows: 1, gap: 7, margin: 3)
    for width in 16...400 {
        let rects = TileGeometry.rects(of: layout, in: Size(width, 100))
        expect(rects[2].x == rects[0].x && rects[2].maxX == rects[1].maxX)
    }
}
