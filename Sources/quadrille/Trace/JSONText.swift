import WallCore

/// Values as JSON text, which any terminal can show; an object keeps the order of its keys.
indirect enum JSONText {
    case text(String)
    case number(Int)
    /// With so many decimals.
    case decimal(Double, places: Int)
    case bool(Bool)
    case null
    case list([JSONText])
    case object([(String, JSONText)])

    var rendered: String {
        switch self {
        case .text(let text): quoted(text)
        case .number(let value): String(value)
        case .decimal(let value, let places): fixed(value, places)
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        case .list(let values): "[" + values.map(\.rendered).joined(separator: ",") + "]"
        case .object(let fields):
            "{" + fields.map { quoted($0.0) + ":" + $0.1.rendered }.joined(separator: ",") + "}"
        }
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.isPrintable: result.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result + "\""
    }
}

/// A number with so many decimals, rounded; no locale, no exponent.
func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "0" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let units = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && units > 0 ? "-" : ""
    guard places > 0 else { return sign + String(units) }
    let fraction = String(units % scale)
    return "\(sign)\(units / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
}
