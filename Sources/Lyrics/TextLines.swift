import Base

/// The lines of a text file, ended by CR, LF or both. They are numbered from 1.
struct TextLines: Sequence, IteratorProtocol {
    /// nil to choose the encoding for each line: UTF-8 if the line is valid UTF-8, else Windows-1252. Programs add
    /// UTF-8 lines to older files.
    private let encoding: Encoding?
    private let bytes: [UInt8]
    private var number = 0
    /// Start of the next line.
    private var start = 0

    enum Encoding: Hashable, Sendable { case utf8, windows1252, windows1250 }

    /// A byte order mark overrides `encoding`, which is nil if unknown.
    init(_ bytes: [UInt8], _ encoding: Encoding? = nil) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let wide = TextEncoding.fromUTF16(bytes)
        let isMarked = bytes.starts(with: mark)
        self.bytes = wide ?? (isMarked ? Array(bytes.dropFirst(mark.count)) : bytes)
        self.encoding = isMarked || wide != nil ? .utf8 : encoding
    }

    mutating func next() -> (number: Int, text: String)? {
        guard start < bytes.count else { return nil }
        let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        let isPair = bytes[end...].starts(with: [0x0D, 0x0A]), line = text(start..<end)
        (number, start) = (number + 1, end + (isPair ? 2 : 1))
        return (number, line)
    }

    private func text(_ range: Range<Int>) -> String {
        let encoding = encoding ?? (TextEncoding.isUTF8(bytes[range]) ? .utf8 : .windows1252)
        switch encoding {
        case .utf8: return String(decoding: bytes[range], as: UTF8.self)
        case .windows1252, .windows1250:
            let upper = encoding == .windows1252 ? Self.upper1252 : Self.upper1250
            let scalars = bytes[range].map { $0 < 0x80 ? Unicode.Scalar($0) : upper[Int($0) - 0x80] }
            return String(String.UnicodeScalarView(scalars))
        }
    }

    /// Characters from 0x80 on. Unused codes map to the replacement character. Code around the C library's iconv would
    /// be longer than the tables, because iconv stops at unused codes. The converters of iconv are files that small
    /// systems leave out.
    private static let upper1252 = Array(
        """
        €\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """.unicodeScalars)
    private static let upper1250 = Array(
        """
        €\u{FFFD}‚\u{FFFD}„…†‡\u{FFFD}‰Š‹ŚŤŽŹ\u{FFFD}‘’“”•–—\u{FFFD}™š›śťžź\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """.unicodeScalars)
}

/// Detects the encoding of text files.
public enum TextEncoding {
    public static func isUTF8(_ bytes: some Sequence<UInt8>) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Returns the text in UTF-8; nil if no byte order mark of UTF-16 begins it.
    static func fromUTF16(_ bytes: [UInt8]) -> [UInt8]? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place -> UInt16 in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// True if a byte order mark of UTF-8 or UTF-16 begins the text.
    public static func isMarked(_ bytes: [UInt8]) -> Bool {
        [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]].contains { bytes.starts(with: $0) }
    }
}

/// Prepares SRT and WebVTT files for FFmpeg: in UTF-8, and without the WebVTT blocks at which FFmpeg 5 stops.
public enum SubtitleText {
    public enum Format: String, Sendable { case srt, webvtt }

    /// Returns the format by content; nil if it is neither. `named`: the format that the file's name suggests.
    public static func format(of bytes: [UInt8], named: Format) -> Format? {
        var isFirst = true
        for (_, line) in TextLines(bytes) {
            if isFirst, line.hasPrefix("WEBVTT") { return .webvtt }
            if line.contains("-->") { return named }
            if !line.isEmpty { isFirst = false }
        }
        return nil
    }

    public static func plain(_ bytes: [UInt8], _ format: Format) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var (isFirstOfBlock, isLeftOut) = (true, false)
        for (_, line) in TextLines(bytes) {
            let isBlank = line.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isFirstOfBlock { isLeftOut = format == .webvtt && isStyle(line) }
            isFirstOfBlock = isBlank
            if isBlank { isLeftOut = false }
            if isLeftOut { continue }
            text += line.utf8
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// True if the block sets the style of cues, or the place of regions.
    private static func isStyle(_ line: String) -> Bool {
        let word = line.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return ["STYLE", "REGION"].contains(String(word))
    }
}
