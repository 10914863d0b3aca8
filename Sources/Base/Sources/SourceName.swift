/// Functions on names of sources. A name is a file's path, or a URL if it has a scheme before `://`.
///
/// Names leave the player without secrets (`withoutSecrets`): `Event`, `SourceTrouble`, `Item.Segment.name`, `fileName`
/// and the quoted texts of mistakes remove them. The schemes of URLs are checked where names come in: layouts, the
/// command line, `loadfile` (`schemes`).
public enum SourceName {
    /// Schemes of the URLs that can be opened.
    public static let schemes = [
        "file", "http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "udp", "rtp", "srt", "tcp", "v4l2", "x11grab",
        "pulse",
    ]
    /// True if sources with this scheme send at their own pace.
    public static func isPushed(_ source: String) -> Bool {
        DeviceAddress.isDevice(source)
            || scheme(of: source).map(["rtsp", "rtsps", "rtmp", "rtmps", "udp", "rtp", "srt", "tcp"].contains) ?? false
    }

    /// Longest path that the system opens, in bytes.
    public static let longestPath = 4096

    /// True if no file can have this name. A URL may be as long as any text of a layout.
    public static func isTooLong(_ source: String) -> Bool { !isURL(source) && source.utf8.count > longestPath }

    /// Scheme before `://`, in lower case; nil if `source` is a file.
    public static func scheme(of source: String) -> String? {
        guard let scheme = schemeBeforeColon(of: source),
            source.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8)
        else { return nil }
        return scheme
    }

    /// Scheme before a colon, also without `//`: FFmpeg takes it for a protocol.
    public static func schemeBeforeColon(of source: String) -> String? {
        let scheme = source.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy(isOfScheme),
            scheme.count < source.utf8.count
        else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    public static func isURL(_ source: String) -> Bool { scheme(of: source) != nil }

    /// Path of a file, also of a `file://` URL; nil for other URLs.
    public static func path(of source: String) -> String? {
        switch scheme(of: source) {
        case nil: source
        case "file": String(source.dropFirst("file://".count))
        default: nil
        }
    }

    /// The scheme and the host of a URL; nil for a file.
    public static func server(of source: String) -> Substring? {
        guard path(of: source) == nil, let start = endOfScheme(in: source) else { return nil }
        return source[..<(source.utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? source.endIndex)]
    }

    /// True if the extension is that of a still image; a query does not count.
    public static func isImage(_ source: String) -> Bool {
        ["jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "avif", "heic", "jxl"]
            .contains(ending(of: fileName(of: source)))
    }

    /// Last component of the name, for display: without secrets.
    public static func fileName(of source: String) -> String {
        let shown = path(shownOf: source)
        guard let slash = shown.lastIndex(of: UInt8(ascii: "/")) else { return String(Substring(shown)) }
        let name = shown[shown.index(after: slash)...]
        return String(Substring(name.isEmpty ? shown : name))
    }

    /// The name without secrets, and without a query or a fragment.
    private static func path(shownOf source: String) -> Substring.UTF8View {
        if endOfScheme(in: source) == nil { return source.utf8[...] }
        return withoutSecrets(source).utf8.prefix { !"?#".utf8.contains($0) }
    }

    /// File names of several sources. Names that are alike get as many folders as are needed to distinguish them.
    public static func distinctNames(of sources: [String]) -> [String] {
        let paths = sources.map { Substring(path(shownOf: $0)).split(separator: "/").map(String.init) }
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

    /// The path without the extension of its last component.
    public static func withoutEnding(_ path: String) -> String {
        let bytes = path.utf8
        guard let point = bytes.lastIndex(of: UInt8(ascii: ".")) else { return path }
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        guard slash.map({ point > bytes.index(after: $0) }) ?? (point > bytes.startIndex) else { return path }
        return String(Substring(bytes[..<point]))
    }

    /// The extension of the last component of a path, in lower case; empty if there is none.
    public static func ending(of path: String) -> String {
        Substring(path.utf8.dropFirst(withoutEnding(path).utf8.count + 1)).lowercased()
    }

    // MARK: secrets

    /// Name of a source for display: without `user:password@`, and with `…` for the contents of a query or a fragment.
    ///
    /// A password may contain the characters that end it: `@`, `/`, `?`, `#`. If it can't be distinguished from a path
    /// or a query, only the scheme is left.
    public static func withoutSecrets(_ source: String) -> String {
        guard let start = endOfScheme(in: source) else { return source }
        let (scheme, rest) = (source[..<start], source.utf8[start...])
        let at = UInt8(ascii: "@")
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        guard let last = rest.lastIndex(of: at) else { return scheme + withoutValues(rest) }
        let host = rest[rest.index(after: last)...]
        if last < authority.endIndex { return scheme + withoutValues(host) }
        // No password: a path such as /@name, or an address in a query.
        if !rest[..<last].contains(UInt8(ascii: ":")), !authority.contains(at) { return scheme + withoutValues(rest) }
        guard !couldBeHost(authority), rest.count(where: { $0 == at }) == 1 else { return scheme + "…" }
        return scheme + withoutValues(host)
    }

    /// Removes the secrets from each URL in a text. URLs end at a blank.
    public static func withoutSecrets(in text: String) -> String {
        guard endOfScheme(in: text) != nil else { return text }
        let words = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
        return words.map { withoutSecrets(String($0)) }.joined(separator: " ")
    }

    /// Index after the first `://`; nil if there is none. The text before it may be more than a scheme.
    private static func endOfScheme(in text: String) -> String.Index? {
        let bytes = text.utf8
        return bytes.indices.first { bytes[$0...].starts(with: "://".utf8) }.map { bytes.index($0, offsetBy: 3) }
    }

    private static func withoutValues(_ text: Substring.UTF8View) -> String {
        guard let mark = text.indices.first(where: { beginsValues(text[$0...]) }) else {
            return String(Substring(text))
        }
        let values = text[text.index(after: mark)...]
        // There are no values, or they were already replaced.
        if values.isEmpty || values.starts(with: "…".utf8) { return String(Substring(text)) }
        return String(Substring(text[...mark])) + "…"
    }

    /// True if `text` begins a query or a fragment, with any usual separator, also percent-escaped.
    private static func beginsValues(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first else { return false }
        if "?#;&".utf8.contains(first) { return true }
        return first == UInt8(ascii: "%")
            && ["3f", "23", "3b", "26"].contains(Substring(text.dropFirst().prefix(2)).lowercased())
    }

    /// False if the text after its last colon is not a port.
    private static func couldBeHost(_ authority: Substring.UTF8View) -> Bool {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return true }
        return authority.first == UInt8(ascii: "[") || authority[colon...].dropFirst().allSatisfy(isDigit)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
    }
}
