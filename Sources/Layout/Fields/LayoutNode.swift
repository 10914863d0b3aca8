import Base

/// A value of the file with its path. Functions that read it note a mistake if it is wrong, and return nil.
struct LayoutNode {
    let value: JSONValue
    let place: String
    let mistakes: MistakeList

    func refuse(_ text: @autoclosure () -> String) { mistakes.add(text(), at: value.position, place: place) }

    func refuse(as reason: @autoclosure () -> String = "wrong here", right: @autoclosure () -> String) {
        refuse("\(shown) is \(reason()); \(right())")
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

    var number: Double? {
        if case .number(let number, _) = value.content { number } else { nil }
    }
    var string: String? {
        if case .string(let text) = value.content { text } else { nil }
    }
    var bool: Bool? {
        if case .bool(let flag) = value.content { flag } else { nil }
    }
    var isObject: Bool {
        if case .object = value.content { true } else { false }
    }

    func number(_ range: ClosedRange<Double>, right: String) -> Double? {
        guard let number else {
            refuse(right: right)
            return nil
        }
        guard range.contains(number) else {
            refuse(as: number < range.lowerBound ? "too small" : "too large", right: right)
            return nil
        }
        return number
    }

    /// `instead`: what is allowed other than a number, for the message.
    func whole(_ range: ClosedRange<Int>, instead: String = "") -> Int? {
        let right = "a whole number from \(range.lowerBound) to \(range.upperBound)\(instead) would be right"
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        guard let number = number(bounds, right: right) else { return nil }
        guard number == number.rounded() else {
            refuse(as: "not whole", right: right)
            return nil
        }
        return Int(number)
    }

    func flag() -> Bool? {
        if bool == nil { refuse(right: "true or false would be right") }
        return bool
    }

    func text(right: String) -> String? {
        guard let string, !string.isEmpty else {
            refuse(right: right)
            return nil
        }
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
        if let string, let word = Word(rawValue: string) { return word }
        refuseWord(among: words.map(\.rawValue), instead: instead)
        return nil
    }

    func refuseWord(among words: [String], instead: [String] = []) {
        refuse(complaint(among: words, instead: instead))
    }

    private func complaint(among words: [String], instead: [String]) -> String {
        let right = alternatives(instead + words.map(\.quoted)) + " would be right"
        guard let string, let near = nearest(to: string, among: words) else {
            return "\(shown) is wrong here; \(right)"
        }
        return "\(shown) is not known; did you mean \(near.quoted)? \(right)"
    }

    func time(from least: Time, to most: Time = .longestWritten) -> Time? {
        let read: Time
        if let string {
            guard let time = Time(text: string) else {
                refuse(as: "not a time", right: LayoutNode.timeForms)
                return nil
            }
            read = time
        } else if let number {
            // Stays a valid `Time`, and is far out of range.
            read = Time(seconds: min(max(number, -1e9), 1e9))
        } else {
            refuse(right: LayoutNode.timeForms)
            return nil
        }
        guard (least...most).contains(read) else {
            let right = "a time from \(least.seconds.plain) to \(most.seconds.plain) s would be right"
            refuse(as: read < least ? "too small" : "too large", right: right)
            return nil
        }
        return read
    }

    /// Reads a time, or false.
    func timeLimit() -> TimeLimit? {
        if let bool {
            if !bool { return .never }
            refuse(right: "seconds, or false, would be right")
            return nil
        }
        return time(from: TimeLimit.shortest, to: TimeLimit.longest).map(TimeLimit.after)
    }

    private static let timeForms = "seconds as 83.5, or \"1:23.5\" or \"1:02:03\" would be right"

    /// Reads `#rrggbb`.
    func color() -> Color? {
        let bytes = Array((string ?? "").utf8)
        let digits = bytes.dropFirst().compactMap(hexDigit)
        guard bytes.count == 7, bytes[0] == UInt8(ascii: "#"), digits.count == 6 else {
            refuse(right: "a colour such as \"#1a2b3c\" would be right")
            return nil
        }
        return Color(
            red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3], blue: digits[4] << 4 | digits[5])
    }

    /// Reads a file or a URL, and returns it in the form in which it is opened.
    func source(in base: SourceBase, or more: String = "") -> String? {
        guard let text = text(right: "a file or a URL\(more) would be right") else { return nil }
        guard !text.unicodeScalars.contains("\0") else {
            refuse("\(shown) has a character that is not allowed in file names; a file or a URL\(more) would be right")
            return nil
        }
        if let complaint = SourceName.complaint(aboutSchemeOf: text) {
            refuse(complaint)
            return nil
        }
        if text.first == "~", text.contains("/") {
            refuse("\(shown): \"~\" is not expanded; the whole path from \"/\" on would be right")
            return nil
        }
        guard !SourceName.isTooLong(text) else {
            refuse(
                as: "too long", right: "at most \(SourceName.longestPath.grouped) bytes of a file's name would be right"
            )
            return nil
        }
        return base.resolved(text)
    }

    // MARK: Lists and objects

    var elements: [LayoutNode]? {
        guard case .array(let values) = value.content else { return nil }
        return values.enumerated().map { LayoutNode(value: $1, place: "\(place)[\($0)]", mistakes: mistakes) }
    }

    /// Elements of a list of any length up to `most`; nil if it is no list, which the caller refuses.
    func elements(atMost most: Int, _ name: String) -> [LayoutNode]? {
        guard case .array(let values) = value.content, values.count > most else { return elements }
        refuse("a list of \(values.count.grouped) is too long; at most \(most.grouped) \(name) would be right")
        return LayoutNode(
            value: JSONValue(position: value.position, bytes: value.bytes, content: .array(Array(values.prefix(most)))),
            place: place, mistakes: mistakes
        ).elements
    }

    func elements(count: Int, right: String) -> [LayoutNode]? {
        guard let elements else {
            refuse(right: right)
            return nil
        }
        guard elements.count == count else {
            refuse("a list of \(elements.count) is wrong here; \(right)")
            return nil
        }
        return elements
    }

    /// Reads a list of two whole numbers.
    func pair(_ range: ClosedRange<Int>, right: String) -> (Int, Int)? {
        guard let elements = elements(count: 2, right: right) else { return nil }
        let (first, second) = (elements[0].whole(range), elements[1].whole(range))
        guard let first, let second else { return nil }
        return (first, second)
    }

    /// Returns the members of an object with free names as keys.
    func namedFields(right: String) -> LayoutFields? {
        guard case .object(let members) = value.content else {
            refuse(right: right)
            return nil
        }
        return LayoutFields(
            node: self, members, if: { !$0.isEmpty }, else: { _ in "a name that is not empty would be right" })
    }
}

extension Double {
    /// Text for messages, without a fraction if the number is whole.
    public var plain: String { self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self) }
}
