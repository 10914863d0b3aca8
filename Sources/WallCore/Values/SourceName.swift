/// What the name of a source says: a file, or with a scheme before `://` a URL.
public enum SourceName {
    /// Of the URLs that are opened.
    public static let schemes = [
        "file", "http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "udp", "rtp", "srt", "tcp", "v4l2", "x11grab",
        "pulse",
    ]
    /// Whether it comes at the pace of whoever sends it, as its scheme says.
    public static func isPushed(_ source: String) -> Bool {
        DeviceAddress.isDevice(source)
            || scheme(of: source).map(["rtsp", "rtsps", "rtmp", "rtmps", "udp", "rtp", "srt", "tcp"].contains) ?? false
    }

    /// In bytes; the system opens no longer one.
    static let longestPath = 4096

    /// No file can have it. A URL may be as long as any text of a layout.
    static func isTooLong(_ source: String) -> Bool { !isURL(source) && source.utf8.count > longestPath }

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

    /// The scheme and the host of a URL; nil for a file.
    static func server(of source: String) -> Substring? {
        guard path(of: source) == nil, let start = endOfScheme(in: source) else { return nil }
        return source[..<(source.utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? source.endIndex)]
    }

    /// By its ending a still image; what a query says does not count.
    static func isImage(_ source: String) -> Bool {
        let ending = fileName(of: source).split(separator: ".").last?.lowercased() ?? ""
        return ["jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "avif", "heic", "jxl"].contains(ending)
    }

    /// Its last part, for people: without secrets.
    public static func fileName(of source: String) -> String {
        let isURL = endOfScheme(in: source) != nil
        let shown = isURL ? withoutSecrets(source).utf8.prefix { !"?#".utf8.contains($0) } : source.utf8[...]
        guard let slash = shown.lastIndex(of: UInt8(ascii: "/")) else { return String(Substring(shown)) }
        let name = shown[shown.index(after: slash)...]
        return String(Substring(name.isEmpty ? shown : name))
    }

    /// The file names of several sources; where two are alike, with as many folders as tell them apart.
    static func distinctNames(of sources: [String]) -> [String] {
        let paths = sources.map { source -> [String] in
            let isURL = endOfScheme(in: source) != nil
            let shown = isURL ? withoutSecrets(source).prefix { $0 != "?" && $0 != "#" } : source[...]
            return shown.split(separator: "/").map(String.init)
        }
        return sources.indices.map { place in
            let rivals = sources.indices.filter { paths[$0] != paths[place] }.map { paths[$0] }
            let own = paths[place]
            let parts = (1...max(1, own.count)).first { count in
                !rivals.contains { $0.suffix(count) == own.suffix(count) }
            }
            guard let parts, parts > 1 else { return fileName(of: sources[place]) }
            return own.suffix(parts).joined(separator: "/")
        }
    }

    /// A file's name without what follows its last point, if that stands in its last part.
    public static func withoutEnding(_ path: String) -> String {
        let bytes = path.utf8
        guard let point = bytes.lastIndex(of: UInt8(ascii: ".")) else { return path }
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        guard slash.map({ point > bytes.index(after: $0) }) ?? (point > bytes.startIndex) else { return path }
        return String(Substring(bytes[..<point]))
    }

    // MARK: secrets

    /// A source's name for people: without `user:password@`, and `…` for what a query or a fragment says.
    ///
    /// In a password may stand what ends it: `@`, `/`, `?`, `#`. Where it can't be told from a path or a query, only
    /// the scheme is left.
    public static func withoutSecrets(_ source: String) -> String {
        guard let start = endOfScheme(in: source) else { return source }
        let (scheme, rest) = (source[..<start], source.utf8[start...])
        let at = UInt8(ascii: "@")
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        guard let last = rest.lastIndex(of: at) else { return scheme + withoutValues(rest) }
        let host = rest[rest.index(after: last)...]
        if last < authority.endIndex { return scheme + withoutValues(host) }
        // Nobody's password: a path such as /@name, or an address in a query.
        if !rest[..<last].contains(UInt8(ascii: ":")), !authority.contains(at) { return scheme + withoutValues(rest) }
        guard !couldBeHost(authority), rest.count(where: { $0 == at }) == 1 else { return scheme + "…" }
        return scheme + withoutValues(host)
    }

    /// Each URL of a text that was made of more than a name: one that begins a word, up to the next blank.
    public static func withoutSecrets(in text: String) -> String {
        guard endOfScheme(in: text) != nil else { return text }
        let words = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
        return words.map { withoutSecrets(String($0)) }.joined(separator: " ")
    }

    /// Behind the first `://`; nil: there is none. What stands before it may be more than a scheme, a blank or a folder.
    private static func endOfScheme(in text: String) -> String.Index? {
        let bytes = text.utf8
        return bytes.indices.first { bytes[$0...].starts(with: "://".utf8) }.map { bytes.index($0, offsetBy: 3) }
    }

    private static func withoutValues(_ text: Substring.UTF8View) -> String {
        guard let mark = text.indices.first(where: { beginsValues(text[$0...]) }) else {
            return String(Substring(text))
        }
        let values = text[text.index(after: mark)...]
        // There are none, or they were left out before.
        if values.isEmpty || values.starts(with: "…".utf8) { return String(Substring(text)) }
        return String(Substring(text[...mark])) + "…"
    }

    /// A query or a fragment, also one of a server that takes other marks for it, or that was escaped on the way.
    private static func beginsValues(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first else { return false }
        if "?#;&".utf8.contains(first) { return true }
        return first == UInt8(ascii: "%")
            && ["3f", "23", "3b", "26"].contains(Substring(text.dropFirst().prefix(2)).lowercased())
    }

    /// Not if what stands behind its colon is no port.
    private static func couldBeHost(_ authority: Substring.UTF8View) -> Bool {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return true }
        return authority.first == UInt8(ascii: "[") || authority[colon...].dropFirst().allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
    }
}
