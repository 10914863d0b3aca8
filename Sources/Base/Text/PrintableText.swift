extension Unicode.Scalar {
    /// True if the character is visible, does not control a terminal, and does not reverse the text around it.
    public var isPrintable: Bool {
        switch self {
        case " "..."~": return true
        // Joiners: letters of several scripts and emoji of several persons need them.
        case "\u{200C}", "\u{200D}": return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return false
        default: return true
        }
    }

    /// The character, or its code point as `U+001B` if it is not printable.
    var printable: String {
        isPrintable ? String(self) : "U+" + String(value, radix: 16, uppercase: true).zeroPadded(to: 4)
    }
}

extension String {
    /// One line that any terminal can show: unprintable characters are replaced by their code points, `U+001B`.
    public var printable: String {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        return unicodeScalars.reduce(into: "") { $0 += $1.printable }
    }

    /// The name of a file as a shell reads it: in quotes, if it needs them.
    public var quotedForShell: String {
        let isPlain = utf8.allSatisfy { isLetter($0) || isDigit($0) || "/._-+=@%".utf8.contains($0) }
        if isPlain, !isEmpty, !hasPrefix("-") { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension BidirectionalCollection<Unicode.Scalar> where SubSequence == Self {
    /// The text without blanks at its ends.
    public var trimmed: Self {
        let rest = drop(while: \.properties.isWhitespace)
        return rest.lastIndex { !$0.properties.isWhitespace }.map { rest[...$0] } ?? rest
    }
}

/// Name of a file that belongs to a tile and an instant, without its extension. Names sort by time.
public enum DatedName {
    /// `instant`: for instance `2026-11-23T204305.123Z`.
    public static func of(_ tile: String, at instant: String) -> String {
        let plain = tile.unicodeScalars.map { $0.isPrintable && $0 != "/" ? Character($0) : "_" }
        var name = ""
        for character in plain.prefix(60) where name.utf8.count + character.utf8.count <= longestName {
            name.append(character)
        }
        return instant + "-" + name
    }

    /// Longest part of a file name that comes from the tile, in bytes. File systems allow 255 for all of it.
    private static let longestName = 180
}
