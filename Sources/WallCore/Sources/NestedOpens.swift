/// What an open source may open by itself: the lists and segments that a playlist names.
///
/// It is asked before each of them; the source's own first opening does not count.
public struct NestedOpens: Sendable {
    private let origin: Origin
    private var isOpening = true
    private var count = 0
    private var requests: [Request: Int] = [:]
    /// Since when they are counted.
    private var start = Time.zero

    /// Where the playlist came from.
    public enum Origin: Sendable, Hashable {
        /// From a file in this folder. Links are resolved.
        case folder(String)
        case network
    }

    /// Two are the same if they ask for the same part of the same file.
    private struct Request: Hashable {
        let name: String
        let offset: String?
    }

    public enum Target: Hashable, Sendable {
        /// A file by its path, links resolved.
        case file(String)
        /// An http or https URL, as it was asked for.
        case url
    }

    public enum Refusal: Error, Hashable {
        case scheme(String)
        case notAFile, outsideItsFolder
        /// The same again and again, as a list does that names itself.
        case repeated
        case tooMany
    }

    /// An adaptive stream has some dozens of lists and opens a segment of each.
    static let mostWhileOpening = 100
    static let mostOfOneWhileOpening = 8
    /// A scrub opens the same segment twenty times a second.
    static let mostOfOne = 64
    static let window = Time.seconds(2)

    public init(_ origin: Origin) { self.origin = origin }

    /// The source is open; from now on it may open as much as playing takes.
    public mutating func sourceIsOpen(at now: Time) {
        isOpening = false
        (requests, start) = ([:], now)
    }

    /// `offset` is where in the file the part begins, if it is only a part. `resolve` gives the path of a regular file
    /// with all links resolved, and nil for anything else.
    public mutating func decide(
        _ name: String, offset: String?, at now: Time, resolve: (String) -> String?
    ) throws(Refusal) -> Target {
        let target = try target(of: name, resolve)
        try countIn(Request(name: name, offset: offset), at: now)
        return target
    }

    private func target(of name: String, _ resolve: (String) -> String?) throws(Refusal) -> Target {
        let name = ["crypto+", "crypto:"].reduce(Substring(name)) { name, prefix in
            name.utf8.starts(with: prefix.utf8) ? name.dropFirst(prefix.count) : name
        }
        let scheme = SourceName.schemeBeforeColon(of: String(name))
        switch scheme {
        case "http", "https":
            return .url
        case nil, "file":
            guard case .folder(let folder) = origin else { throw .scheme("file") }
            var path = scheme == nil ? name : name.dropFirst("file:".count)
            if path.utf8.starts(with: "//".utf8) { path = path.dropFirst(2) }
            guard let resolved = resolve(String(path)) else { throw .notAFile }
            guard folder == "/" || resolved.utf8.starts(with: (folder + "/").utf8) else { throw .outsideItsFolder }
            return .file(resolved)
        case .some(let scheme):
            throw .scheme(scheme)
        }
    }

    private mutating func countIn(_ request: Request, at now: Time) throws(Refusal) {
        if !isOpening, now - start >= NestedOpens.window { (requests, start) = ([:], now) }
        let most = isOpening ? NestedOpens.mostOfOneWhileOpening : NestedOpens.mostOfOne
        requests[request, default: 0] += 1
        guard requests[request]! <= most else { throw .repeated }
        guard isOpening else { return }
        count += 1
        guard count <= NestedOpens.mostWhileOpening else { throw .tooMany }
    }
}
