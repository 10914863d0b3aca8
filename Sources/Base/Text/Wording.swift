extension Int {
    /// Formats as 1,234,567.
    public var grouped: String {
        let digits = Array(String(self))
        return digits.indices.reduce(into: "") { text, place in
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digits[place])
        }
    }
}

extension String {
    /// In double quotes, on one line, with passwords and invisible characters replaced, cut to 40 characters.
    public var quoted: String {
        var text = "\""
        for scalar in SourceName.withoutSecrets(self).cut().unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text += scalar.printable
            }
        }
        return text + "\""
    }

    /// Returns its first 40 Unicode scalars, and an ellipsis if there are more.
    public func cut() -> String {
        if utf8.count <= 40 { return self }
        var short = String.UnicodeScalarView(unicodeScalars.prefix(40))
        if unicodeScalars.dropFirst(40).first != nil { short.append("…") }
        return String(short)
    }
}

/// "a", "a or b", "a, b or c". `conjunction`: the word before the last one.
public func alternatives(_ words: [String], _ conjunction: String = "or") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
