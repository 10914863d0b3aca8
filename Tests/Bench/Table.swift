/// A table as Markdown that is also readable as plain text.
struct Table {
    var lead = ""
    let head: [String]
    var rows: [[String]] = []
    var notes: [String] = []

    init(_ head: [String], lead: String = "") { (self.head, self.lead) = (head, lead) }

    var text: String {
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max()! }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).enumerated().map { column, cell in
                let room = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + room : room + cell.0
            }
            return "| " + padded.joined(separator: " | ") + " |\n"
        }
        let rule = widths.enumerated().map { column, width in
            column == 0 ? String(repeating: "-", count: width) : String(repeating: "-", count: width - 1) + ":"
        }
        let body = line(head) + line(rule) + rows.map(line).joined()
        return (lead.isEmpty ? "" : lead + "\n\n") + body + notes.map { "\n\($0)\n" }.joined()
    }
}

extension Double {
    /// The value with `places` decimals.
    func text(_ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let units = Int((magnitude * scale).rounded())
        let sign = self < 0 && units > 0 ? "-" : ""
        guard places > 0 else { return sign + String(units) }
        let fraction = String(units % Int(scale))
        return sign + "\(units / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    var ratio: String { isFinite ? text(2) + " x" : "-" }
}

/// Values of one quantity measured several times.
struct Sample {
    let values: [Double]

    init(_ values: [Double]) { self.values = values.sorted() }

    var median: Double { at(0.5) }
    var least: Double { values.first ?? .nan }
    var most: Double { values.last ?? .nan }

    /// Interpolates between the two values nearest to this share of all.
    func at(_ share: Double) -> Double {
        guard let last = values.last else { return .nan }
        let place = share * Double(values.count - 1)
        let index = Int(place)
        guard index + 1 < values.count else { return last }
        return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
    }

    /// "5.98 (5.90 to 6.05)"
    func text(_ places: Int) -> String {
        values.isEmpty ? "-" : "\(median.text(places)) (\(least.text(places)) to \(most.text(places)))"
    }
}
