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
        (spec, self.read) = (OptionValueSpec(placeholder: placeholder, kind: kind, names: names), read)
    }

    /// One of these words. Each stands for a value.
    public static func oneOf(_ values: KeyValuePairs<String, Value>) -> OptionValue {
        let pairs = values.map { ($0.key, $0.value) }
        return oneOf(pairs.map(\.0), nil) { word in pairs.first { $0.0 == word }?.1 }
    }

    fileprivate static func oneOf(
        _ words: [String], _ placeholder: String?, _ make: @escaping @Sendable (String) -> Value?
    ) -> OptionValue {
        OptionValue(.words(words), placeholder ?? words.joined(separator: "|")) { text, option throws(UsageMistake) in
            if words.contains(text), let value = make(text) { return value }
            throw UsageMistake("\(option) \(text): one of \(words.joined(separator: ", "))")
        }
    }
}

extension OptionValue where Value: RawRepresentable, Value.RawValue == String {
    /// One of some words. Without a placeholder, the help lists them.
    public static func oneOf(_ words: [String], _ placeholder: String? = nil) -> OptionValue {
        oneOf(words, placeholder) { Value(rawValue: $0) }
    }
}

extension OptionValue where Value == String {
    public static func text(_ placeholder: String, names: NameKind? = nil) -> OptionValue {
        OptionValue(.text, placeholder, names: names) { text, _ in text }
    }
    public static func file(_ placeholder: String, names: NameKind? = nil) -> OptionValue {
        OptionValue(.file, placeholder, names: names) { text, _ in text }
    }
    public static var folder: OptionValue { OptionValue(.folder, "FOLDER") { text, _ in text } }
}

extension OptionValue where Value == Int {
    public static func whole(
        _ range: ClosedRange<Int>, _ placeholder: String, names: NameKind? = nil
    ) -> OptionValue {
        OptionValue(.whole(range, or: nil), placeholder, names: names) { text, option throws(UsageMistake) in
            if let value = Int(text), range.contains(value) { return value }
            throw UsageMistake("\(option) \(text): a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

extension OptionValue where Value == Int? {
    /// A whole number, or a word, which is read as nil.
    public static func whole(_ range: ClosedRange<Int>, or word: String, _ placeholder: String) -> OptionValue {
        let number = OptionValue<Int>.whole(range, placeholder)
        return OptionValue(.whole(range, or: word), placeholder) { text, option throws(UsageMistake) in
            if text == word { return nil }
            do throws(UsageMistake) { return try number.read(text, option) } catch {
                throw UsageMistake("\(error.text), or \(word)")
            }
        }
    }
}

extension OptionValue where Value == Size {
    public static var size: OptionValue {
        OptionValue(.size, "WxH") { text, option throws(UsageMistake) in
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            if sides.count == 2, let width = sides[0], let height = sides[1],
                (16...16384).contains(width), (16...16384).contains(height)
            {
                return Size(width, height)
            }
            throw UsageMistake("\(option) \(text): width x height, each from 16 to 16384, as in 1280x720")
        }
    }
}

extension OptionValue where Value == Point {
    static var position: OptionValue {
        OptionValue(.position, "X,Y") { text, option throws(UsageMistake) in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            if parts.count == 2, let x = parts[0], let y = parts[1], abs(x) <= 65536, abs(y) <= 65536 {
                return Point(x, y)
            }
            throw UsageMistake("\(option) \(text): two whole numbers, as in 0,0")
        }
    }
}

extension OptionValue where Value == Time {
    public static func time(_ placeholder: String = "TIME") -> OptionValue {
        OptionValue(.time, placeholder) { text, option throws(UsageMistake) in
            if let time = Time(text: text), time >= .zero { return time }
            throw UsageMistake("\(option) \(text): seconds, or 1:23.5, or 1:02:03")
        }
    }

    /// A time above 0.
    public static var length: OptionValue {
        let any = time()
        return OptionValue(.length, "TIME") { text, option throws(UsageMistake) in
            let time = try any.read(text, option)
            if time > .zero { return time }
            throw UsageMistake("\(option) \(text): a time above 0")
        }
    }

    /// A time, below 0 if the film is behind.
    public static var offset: OptionValue {
        OptionValue(.offset, "TIME") { text, option throws(UsageMistake) in
            if let time = Time(text: text) { return time }
            throw UsageMistake(
                "\(option) \(text): seconds, or 1:23.5; with - before it where the film is behind")
        }
    }
}

extension OptionValue where Value == Crop {
    /// A part of a frame, or the word for all of it.
    public static var crop: OptionValue {
        OptionValue(.text, "CROP") { text, option throws(UsageMistake) in
            if text == "none" { return .all }
            if let crop = Crop(text) { return crop }
            throw UsageMistake(
                "\(option) \(text): width, height, left and top in pixels, as in 640x360+10+20; or left, top, width and "
                    + "height in fractions, as in 0.1,0,0.8,1; or none")
        }
    }
}

extension OptionValue where Value == FrameRate {
    /// A whole number, a fraction, or a decimal number. The decimal rates of television become exact fractions.
    public static var frameRate: OptionValue {
        OptionValue(.frameRate, "N") { text, option throws(UsageMistake) in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            if let first = parts[0], parts.count == 1, (1...1000).contains(first) { return FrameRate(first, 1) }
            if parts.count == 2, let over = parts[0], let under = parts[1], under > 0, over > 0,
                over <= 1_000_000, under <= 1_000_000, over <= under * 1000
            {
                return FrameRate(over, under)
            }
            if parts.count == 1, let value = Double(text), value.isFinite, value > 0, value <= 1000 {
                for whole in [24, 30, 48, 60, 120] where abs(value - Double(whole) / 1.001) < 0.005 {
                    return FrameRate(whole * 1000, 1001)
                }
                return FrameRate(max(1, Int((value * 1000).rounded())), 1000)
            }
            throw UsageMistake("\(option) \(text): frames a second, as in 30, 23.976 or 30000/1001")
        }
    }
}

extension OptionValue where Value == Rate {
    static var rate: OptionValue {
        OptionValue(.number(0.25...4), "R") { text, option throws(UsageMistake) in
            if let value = Double(text), value >= 0.25, value <= 4 { return Rate(value) }
            throw UsageMistake("\(option) \(text): a number from 0.25 to 4")
        }
    }
}
