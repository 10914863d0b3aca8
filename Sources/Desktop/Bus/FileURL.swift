import Base
import Files

/// Paths of files as `file://` URLs, as the desktop writes them.
enum FileURL {
    /// The URL of a source: of a file its absolute path, else the source itself.
    static func url(of source: String) -> String {
        guard let path = SourceName.path(of: source) else { return source }
        return "file://" + escaped(absolute(path) ?? path)
    }

    /// The source that a URL names: a path for a `file://` URL, else the URL itself. nil if it names no file here.
    static func source(of url: String) -> String? {
        guard SourceName.scheme(of: url) == "file" else { return url }
        let rest = url.dropFirst("file://".count)
        guard let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")), ["", "localhost"].contains(rest[..<slash]) else {
            return nil
        }
        return unescaped(rest[slash...])
    }

    /// Replaces all bytes but letters, digits and `-_./~` by `%` and their numbers.
    static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            if isLetter(byte) || isDigit(byte) || "-_./~".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// nil if the bytes are no text, or end it.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = [], rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                number != 0
            else { return nil }
            bytes.append(number)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
