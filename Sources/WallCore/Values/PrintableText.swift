extension Unicode.Scalar {
    /// It can be seen, a terminal does not obey it, and it does not turn what stands around it.
    public var isPrintable: Bool {
        switch self {
        case " "..."~": return true
        // Letters are joined by them in several scripts, and frames of several persons are made with them.
        case "\u{200C}", "\u{200D}": return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return false
        default: return true
        }
    }

    /// Itself, or its number as `U+001B`.
    var printable: String {
        if isPrintable { return String(self) }
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension String {
    /// One line that any terminal can show: what can't be printed stands in it by its number, `U+001B`.
    public var printable: String {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        return unicodeScalars.reduce(into: "") { $0 += $1.printable }
    }
}
