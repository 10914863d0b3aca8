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

/// A line of a table of keys, as people read it.
public struct KeyLine: Hashable, Sendable {
    /// Keys to press, as on the keycaps, separated by two spaces.
    public let keys: String
    public let description: String

    public init(_ keys: String, _ description: String) { (self.keys, self.description) = (keys, description) }

    /// The line as a row of the manual's table of keys.
    public var row: String {
        "| \(keys.split(separator: "  ").joined(separator: " ")) | \(description) |"
    }
}

/// Returns the one of `words` that `word` probably meant; nil if none is near. Case is ignored.
public func nearest(to word: String, among words: [String]) -> String? {
    let letters = Array(word.lowercased().unicodeScalars.prefix(64))
    let reach = letters.count <= 4 ? 1 : letters.count <= 8 ? 2 : 3
    var best: (word: String, distance: Int)?
    for candidate in words {
        let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
        guard abs(other.count - letters.count) <= reach else { continue }
        let distance = editDistance(letters, other)
        // A candidate that shares no letter with a short word is not near, although their distance is small.
        guard distance <= reach, distance < letters.count, distance < best?.distance ?? .max else { continue }
        best = (candidate, distance)
    }
    return best?.word
}

/// Number of letters inserted, deleted, replaced, or swapped with their neighbour.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
            row.append(least)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
