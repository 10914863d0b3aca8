/// Replacements in a text, all made at once. Each range refers to the text before any of them.
struct TextEdit {
    let bytes: [UInt8]
    private var replacements: [(range: Range<Int>, text: [UInt8])] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Ranges must not overlap. Insertions at the same place are in the order of the calls.
    mutating func replace(_ range: Range<Int>, with text: [UInt8]) { replacements.append((range, text)) }

    mutating func insert(_ text: [UInt8], at place: Int) { replace(place..<place, with: text) }

    var result: [UInt8] {
        let inOrder = replacements.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        var result: [UInt8] = []
        var copied = 0
        for (_, replacement) in inOrder {
            precondition(replacement.range.lowerBound >= copied, "replacements overlap at byte \(copied)")
            result += bytes[copied..<replacement.range.lowerBound]
            result += replacement.text
            copied = replacement.range.upperBound
        }
        return result + bytes[copied...]
    }
}
