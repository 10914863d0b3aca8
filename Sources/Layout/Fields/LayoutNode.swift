import Base

/// Mistakes and sources that are noted while a layout is read.
final class LayoutNotes {
    let mistakes = MistakeList()
    /// Directory of relative sources.
    let base: SourceBase
    /// The values that name files or URLs.
    var sources: [JSONValue] = []
    /// Byte ranges of the sources that stand where a tile's id may stand.
    var sourcesAmongIDs: Set<Range<Int>> = []

    init(base: SourceBase) { self.base = base }
}

/// A value of the file with its path. Functions that read it note a mistake if it is wrong, and return nil.
struct LayoutNode {
    let value: JSONValue
    let place: String
    let notes: LayoutNotes

    func refuse(_ text: @autoclosure () -> String) { notes.mistakes.add(text(), at: value.position, place: place) }

    func refuse(as reason: @autoclosure () -> String = "wrong here", right: @autoclosure () -> String) {
        refuse("\(shown) is \(reason()); \(right())")
    }

    /// Refuses the value, and returns nil for it.
    func refused<Value>(_ text: @autoclosure () -> String) -> Value? {
        refuse(text())
        return nil
    }

    func refused<Value>(
        as reason: @autoclosure () -> String = "wrong here", right: @autoclosure () -> String
    ) -> Value? {
        refused("\(shown) is \(reason()); \(right())")
    }

    /// A value inside of this one.
    func inner(_ value: JSONValue, _ place: String) -> LayoutNode {
        LayoutNode(value: value, place: place, notes: notes)
    }

    /// Text of the value in messages.
    var shown: String {
        switch value.content {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(_, let text): text
        case .string(let text): text.quoted
        case .array(let values): values.isEmpty ? "an empty list" : "a list"
        case .object: "an object"
        }
    }

    // MARK: Simple values

    var number: Double? { if case .number(let number, _) = value.content { number } else { nil } }
    var string: String? { if case .string(let text) = value.content { text } else { nil } }
    var bool: Bool? { if case .bool(let flag) = value.content { flag } else { nil } }
    var isObject: Bool { if case .object = value.content { true } else { false } }

    func number(_ range: ClosedRange<Double>, right: String) -> Double? {
        guard let number else { return refused(right: right) }
        guard range.contains(number) else {
            return refused(as: number < range.lowerBound ? "too small" : "too large", right: right)
        }
        return number
    }

    /// `instead`: what is allowed other than a number, for the message.
    func whole(_ range: ClosedRange<Int>, instead: String = "") -> Int? {
        let right = "a whole number from \(range.lowerBound) to \(range.upperBound)\(instead) would be right"
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        guard let number = number(bounds, right: right) else { return nil }
        guard number == number.rounded() else { return refused(as: "not whole", right: right) }
        return Int(number)
    }

    func flag() -> Bool? { bool ?? refused(right: "true or false would be right") }

    func text(right: String) -> String? {
        guard let string, !string.isEmpty else { return refused(right: right) }
        return isShort(string) ? string : nil
    }

    /// Returns true if the text is short enough for a reply to a client of the socket and for a tile. Notes a mistake
    /// if not.
    func isShort(_ text: String) -> Bool {
        guard text.utf8.count > LayoutNode.longestText else { return true }
        refuse(as: "too long", right: "a text of at most \(LayoutNode.longestText.grouped) bytes would be right")
        return false
    }

    private static let longestText = 65536

    /// `words`: the words allowed. `instead`: what is allowed other than a word, for the message.
    func word<Word: RawRepresentable<String>>(_ words: [Word], instead: [String] = []) -> Word? {
        string.flatMap(Word.init(rawValue:)) ?? refusedWord(among: words.map(\.rawValue), instead: instead)
    }

    func refusedWord<Value>(among words: [String], instead: [String] = []) -> Value? {
        var complaint: String {
            let right = alternatives(instead + words.map(\.quoted)) + " would be right"
            guard let near = string.flatMap({ nearest(to: $0, among: words) }) else {
                return "\(shown) is wrong here; \(right)"
            }
            return "\(shown) is not known; did you mean \(near.quoted)? \(right)"
        }
        return refused(complaint)
    }

    func time(from least: Time, to most: Time = .longestWritten) -> Time? {
        let read: Time
        if let string {
            guard let time = Time(text: string) else { return refused(as: "not a time", right: LayoutNode.timeForms) }
            read = time
        } else if let number {
            // Stays a valid `Time`, and is far out of range.
            read = Time(seconds: min(max(number, -1e9), 1e9))
        } else {
            return refused(right: LayoutNode.timeForms)
        }
        guard (least...most).contains(read) else {
            let right = "a time from \(least.seconds.plain) to \(most.seconds.plain) s would be right"
            return refused(as: read < least ? "too small" : "too large", right: right)
        }
        return read
    }

    private static let timeForms = "seconds as 83.5, or \"1:23.5\" or \"1:02:03\" would be right"

    /// Reads a file or a URL, and returns it in the form in which it is opened.
    func source(or more: String = "") -> String? {
        guard let text = text(right: "a file or a URL\(more) would be right") else { return nil }
        guard !text.unicodeScalars.contains("\0") else {
            return refused(
                "\(shown) has a character that is not allowed in file names; a file or a URL\(more) would be right")
        }
        if let complaint = SourceName.complaint(aboutSchemeOf: text) {
            return refused(complaint)
        }
        if text.first == "~", text.contains("/") {
            return refused("\(shown): \"~\" is not expanded; the whole path from \"/\" on would be right")
        }
        guard !SourceName.isTooLong(text) else {
            return refused(
                as: "too long", right: "at most \(SourceName.longestPath.grouped) bytes of a file's name would be right"
            )
        }
        notes.sources.append(value)
        return notes.base.resolved(text)
    }

    // MARK: Lists and objects

    /// nil if the value is no list.
    var elements: [LayoutNode]? { if case .array = value.content { elements(from: 0, right: "") } else { nil } }

    /// Reads a list of `least` elements or more. Refuses those after `most`. `name`: that of the elements in messages.
    func elements(
        from least: Int = 1, upTo most: Int = .max, _ name: String = "elements", right: @autoclosure () -> String
    ) -> [LayoutNode]? {
        guard case .array(let values) = value.content, values.count >= least else { return refused(right: right()) }
        if values.count > most {
            refuse("a list of \(values.count.grouped) is too long; at most \(most.grouped) \(name) would be right")
        }
        return values.prefix(most).enumerated().map { inner($1, "\(place)[\($0)]") }
    }

    func elements(count: ClosedRange<Int>, right: String) -> [LayoutNode]? {
        guard let elements else { return refused(right: right) }
        guard count.contains(elements.count) else {
            return refused("a list of \(elements.count) is wrong here; \(right)")
        }
        return elements
    }

    /// Reads [x, y, w, h], of which w and h are above 0. Returns the numbers with their nodes.
    func rect(_ range: ClosedRange<Double>, right: String) -> (nodes: [LayoutNode], numbers: [Double])? {
        let inRange = "a number from \(range.lowerBound.plain) to \(range.upperBound.plain) would be right"
        guard let nodes = elements(count: 4...4, right: right) else { return nil }
        let numbers = nodes.compactMap { $0.number(range, right: inRange) }
        guard numbers.count == 4 else { return nil }
        let empty = (2...3).filter { numbers[$0] <= 0 }
        for place in empty { nodes[place].refuse(as: "too small", right: "a number above 0 would be right") }
        return empty.isEmpty ? (nodes, numbers) : nil
    }

    /// Reads a list of two whole numbers.
    func pair(_ range: ClosedRange<Int>, right: String) -> (Int, Int)? {
        guard let elements = elements(count: 2...2, right: right) else { return nil }
        let (first, second) = (elements[0].whole(range), elements[1].whole(range))
        guard let first, let second else { return nil }
        return (first, second)
    }

    /// Returns the members of an object with free names as keys.
    func namedFields(right: String) -> LayoutFields? {
        guard case .object(let members) = value.content else { return refused(right: right) }
        return LayoutFields(
            node: self, members, if: { !$0.isEmpty }, else: { _ in "a name that is not empty would be right" })
    }
}

extension Double {
    /// Text for messages, without a fraction if the number is whole.
    public var plain: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }
}
