import Base
import Measurement

/// A figure of all films over time, as SVG. Each curve is the middle of a column, in a band from its least to its
/// greatest value.
struct MeasurePlot {
    private let name: FrameFigures.Name
    private let curves: [Curve]
    private let films: [MeasuredFilm]
    private let title: String

    /// Colours that differ on white and on black, also for colour-blind users.
    static let colours = [
        (light: "#0062b8", dark: "#5db3ff"), ("#c24a00", "#ff9a52"), ("#00785a", "#3fcfa2"), ("#9a2f8f", "#ec86e0"),
        ("#8a6d00", "#e6c229"), ("#4b4bd0", "#a3a3ff"), ("#b0203a", "#ff7c90"), ("#4d6b00", "#a9d13c"),
    ].map { (light: $0.0, dark: $0.1) }

    private static let (width, height) = (1000.0, 260.0)
    private static let (left, right, top, bottom) = (56.0, 8.0, 10.0, 26.0)
    private static let mostColumns = 900

    /// Width of the drawing, and left edge and width of the curves in it, in units of the drawing.
    static var widthInUnits: Int { Int(width) }
    static var inside: (left: Int, width: Int) { (Int(left), Int(width - left - right)) }

    init(_ name: FrameFigures.Name, of films: [MeasuredFilm], title: String) {
        (self.name, self.films, self.title) = (name, films, title)
        curves = films.map { Curve(name, of: $0, columns: Self.mostColumns) }
    }

    /// True if all frames equal the reference's, so that there is nothing to draw.
    var isEmpty: Bool { curves.allSatisfy { $0.least == nil } }

    /// Columns of the plot, with their places from 0 to 1 and their frames.
    static func columns(of films: [MeasuredFilm]) -> [(place: Double, frames: Range<Int>)] {
        guard let rows = films.first?.rows else { return [] }
        return Curve.columns(of: rows, most: mostColumns)
    }

    var svg: String {
        guard let least = curves.compactMap(\.least).min(), let most = curves.compactMap(\.most).max() else {
            return "<p>Every frame is equal to the reference's.</p>"
        }
        let scale = Scale(from: least, to: most)
        let lines = scale.marks.map { mark -> String in
            let y = place(mark, scale)
            return "<path class=\"grid\" d=\"M\(number(Self.left)) \(number(y))H\(number(Self.width - Self.right))\"/>"
                + "<text x=\"\(number(Self.left - 6))\" y=\"\(number(y + 4))\" text-anchor=\"end\">"
                + "\(fixed(mark, scale.decimals))</text>"
        }
        let bounds = "0 0 \(number(Self.width)) \(number(Self.height))", foot = number(Self.height - Self.bottom)
        return """
            <svg viewBox="\(bounds)" role="img" aria-label="\(title.escapedForHTML)">
            \(lines.joined(separator: "\n"))
            \(times.joined(separator: "\n"))
            \(curves.indices.map { drawn($0, scale) }.joined(separator: "\n"))
            <line class="pointer" y1="\(number(Self.top))" y2="\(foot)" visibility="hidden"/>
            </svg>
            """
    }

    private var times: [String] {
        guard let first = films.first?.rows.first?.time, let last = films.first?.rows.last?.time else { return [] }
        return (0...4).map { quarter in
            let share = Double(quarter) / 4
            let seconds = first.seconds + (last - first).seconds * share
            let anchor = quarter == 0 ? "start" : quarter == 4 ? "end" : "middle"
            return "<text x=\"\(number(across(share)))\" y=\"\(number(Self.height - 8))\" text-anchor=\"\(anchor)\">"
                + "\(fixed(seconds, 2)) s</text>"
        }
    }

    private func drawn(_ film: Int, _ scale: Scale) -> String {
        let paths = curves[film].runs.map { run -> String in
            let line = run.map { "\(number(across($0.place))) \(number(place(($0.least + $0.most) / 2, scale)))" }
            let upper = run.map { "\(number(across($0.place))) \(number(place($0.most, scale)))" }
            let lower = run.reversed().map { "\(number(across($0.place))) \(number(place($0.least, scale)))" }
            // A run of one column would be invisible.
            let dot = run.count == 1 ? "h1" : ""
            return "<path class=\"band\" d=\"M\((upper + lower).joined(separator: "L"))Z\"/>"
                + "<path class=\"curve\" d=\"M\(line.joined(separator: "L"))\(dot)\"/>"
        }
        let title = "<title>\(films[film].source.escapedForHTML)</title>"
        return "<g class=\"f\(film % Self.colours.count)\">\(title)\(paths.joined())</g>"
    }

    private func across(_ share: Double) -> Double { Self.left + (Self.width - Self.left - Self.right) * share }

    private func place(_ value: Double, _ scale: Scale) -> Double {
        let share = (value - scale.low) / (scale.high - scale.low)
        return Self.height - Self.bottom - (Self.height - Self.top - Self.bottom) * share
    }

    private func number(_ value: Double) -> String { fixed(value, 1) }
}

/// Round numbers around the drawn values.
private struct Scale {
    let low: Double
    let high: Double
    let marks: [Double]
    let decimals: Int

    init(from least: Double, to most: Double) {
        let range = max(most - least, 1e-4)
        var (step, decimals) = (1000.0, 0)
        var steps = [2.0, 2.5, 2].makeIterator()
        // 1000, 500, 200, 100, 50, …
        while range / step < 3 {
            guard let divisor = steps.next() else {
                steps = [2.0, 2.5, 2].makeIterator()
                continue
            }
            step /= divisor
        }
        var whole = step
        while whole < 0.999 {
            whole *= 10
            decimals += 1
        }
        let first = (least / step).rounded(.down), last = max((most / step).rounded(.up), first + 1)
        (low, high, self.decimals) = (first * step, last * step, decimals)
        marks = stride(from: first, through: last, by: 1).map { $0 * step }
    }
}
