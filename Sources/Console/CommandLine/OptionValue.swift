import Base
import Media

/// Value of an option: its description, and how a text becomes a `Value`. Each mistake states what would be right.
public struct OptionValue<Value: Sendable>: Sendable {
    let spec: OptionValueSpec
    /// Reads a text. The option's name, with its dashes, begins the mistake.
    let read: @Sendable (_ text: String, _ option: String) throws(UsageMistake) -> Value

    public init(
        _ kind: OptionValueSpec.Kind, _ placeholder: String, names: NameKind? = nil,
        read: @escaping @Sendable (_ text: String, _ option: String) throws(UsageMistake) -> Value
    ) {
        spec = OptionValueSpec(placeholder: placeholder, kind: kind, bounds: nil, words: [], names: names)
        self.read = read
    }

    /// `expected`: what would be right in place of a text for which `parse` returns nil.
    fileprivate init(
        _ kind: OptionValueSpec.Kind, _ placeholder: String, bounds: (PropertyValue, PropertyValue)? = nil,
        words: [String] = [], names: NameKind? = nil, expected: String, parse: @escaping @Sendable (String) -> Value?
    ) {
        spec = OptionValueSpec(placeholder: placeholder, kind: kind, bounds: bounds, words: words, names: names)
        read = { text, option throws(UsageMistake) in
            if let value = parse(text) { return value }
            throw UsageMistake("\(option) \(text): \(expected)")
        }
    }
}

// Kinds of values. Each states its type, so that one list has them all.
extension OptionValue {
    /// One of some words. Without a placeholder, the help lists them.
    public static func oneOf(_ words: [String], _ placeholder: String? = nil) -> OptionValue
    where Value: RawRepresentable, Value.RawValue == String {
        OptionValue(
            .word, placeholder ?? words.joined(separator: "|"), words: words,
            expected: "one of \(words.joined(separator: ", "))"
        ) { words.contains($0) ? Value(rawValue: $0) : nil }
    }

    public static func text(_ placeholder: String, names: NameKind? = nil) -> OptionValue<String> {
        .init(.text, placeholder, names: names) { text, _ in text }
    }
    public static func file(_ placeholder: String, names: NameKind = .file) -> OptionValue<String> {
        .init(.file, placeholder, names: names) { text, _ in text }
    }
    /// A folder's name, without a slash at its end.
    public static var folder: OptionValue<String> {
        .init(.folder, "FOLDER", names: .folder) { text, option throws(UsageMistake) in
            if text.isEmpty { throw UsageMistake("\(option) needs the name of a folder") }
            return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
        }
    }

    public static func whole(
        _ range: ClosedRange<Int>, _ placeholder: String, names: NameKind? = nil
    ) -> OptionValue<Int> {
        .init(
            .whole, placeholder, bounds: (.integer(range.lowerBound), .integer(range.upperBound)), names: names,
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// A whole number, or a word, which is read as nil.
    public static func whole(_ range: ClosedRange<Int>, or word: String, _ placeholder: String) -> OptionValue<Int?> {
        .init(
            .whole, placeholder, bounds: (.integer(range.lowerBound), .integer(range.upperBound)), words: [word],
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound), or \(word)"
        ) { text in
            if text == word { return .some(nil) }
            guard let number = Int(text), range.contains(number) else { return nil }
            return .some(number)
        }
    }

    public static var size: OptionValue<Size> {
        .init(.size, "WxH", expected: "width x height, each from 16 to 16384, as in 1280x720") {
            pair($0, "x", 16...16384).map { Size($0, $1) }
        }
    }

    static var position: OptionValue<Point> {
        .init(.position, "X,Y", expected: "two whole numbers, as in 0,0") {
            pair($0, ",", -65536...65536).map { Point($0, $1) }
        }
    }

    public static func time(_ placeholder: String = "TIME") -> OptionValue<Time> {
        .init(.time, placeholder, expected: "seconds, or 1:23.5, or 1:02:03") { text in
            Time(text: text).flatMap { $0 >= .zero ? $0 : nil }
        }
    }

    /// A time above 0.
    public static var length: OptionValue<Time> {
        let any = time()
        return .init(.length, "TIME") { text, option throws(UsageMistake) in
            let time = try any.read(text, option)
            if time > .zero { return time }
            throw UsageMistake("\(option) \(text): a time above 0")
        }
    }

    /// A time, below 0 if the film is behind.
    public static var offset: OptionValue<Time> {
        .init(.offset, "TIME", expected: "seconds, or 1:23.5; with - before it where the film is behind") {
            Time(text: $0)
        }
    }

    /// A part of a frame, or the word for all of it.
    public static var crop: OptionValue<Crop> {
        .init(
            .text, "CROP",
            expected: "width, height, left and top in pixels, as in 640x360+10+20; or left, top, width and height in "
                + "fractions, as in 0.1,0,0.8,1; or none"
        ) { $0 == "none" ? Crop.all : Crop($0) }
    }

    /// A whole number, a fraction, or a decimal number. The decimal rates of television become exact fractions.
    public static var frameRate: OptionValue<FrameRate> {
        .init(.frameRate, "N", expected: "frames a second, as in 30, 23.976 or 30000/1001") { text in
            if text.contains("/") {
                return pair(text, "/", 1...1_000_000).flatMap { $0 <= $1 * 1000 ? FrameRate($0, $1) : nil }
            }
            if let whole = Int(text), (1...1000).contains(whole) { return FrameRate(whole, 1) }
            guard let value = Double(text), value > 0, value <= 1000 else { return nil }
            for whole in [24, 30, 48, 60, 120] where abs(value - Double(whole) / 1.001) < 0.005 {
                return FrameRate(whole * 1000, 1001)
            }
            return FrameRate(max(1, Int((value * 1000).rounded())), 1000)
        }
    }

    static var rate: OptionValue<Rate> {
        .init(.number, "R", bounds: (.number(0.25), .number(4)), expected: "a number from 0.25 to 4") { text in
            Double(text).flatMap { (0.25...4).contains($0) ? Rate($0) : nil }
        }
    }
}

/// Returns two whole numbers with a character between them; nil for any other text.
private func pair(_ text: String, _ separator: Character, _ range: ClosedRange<Int>) -> (Int, Int)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let one = parts[0], let other = parts[1], range.contains(one), range.contains(other)
    else { return nil }
    return (one, other)
}
