/// What the name of a source says: a file, or with a scheme before `://` a URL.
public enum SourceName {
    /// What stands before `://`, in lower case; nil: it names a file.
    public static func scheme(of source: String) -> String? {
        guard let scheme = schemeBeforeColon(of: source),
            source.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8)
        else { return nil }
        return scheme
    }

    /// The same, where `//` need not follow: what FFmpeg takes for a protocol.
    static func schemeBeforeColon(of source: String) -> String? {
        let scheme = source.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy(isOfScheme),
            scheme.count < source.utf8.count
        else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    public static func isURL(_ source: String) -> Bool { scheme(of: source) != nil }

    /// Of a file, also one that is named by a URL; nil: it is none.
    public static func path(of source: String) -> String? {
        switch scheme(of: source) {
        case nil: source
        case "file": String(source.dropFirst("file://".count))
        default: nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }
}
