import Base

/// Decides what an open source may open in turn: the lists and segments that a playlist names.
///
/// The demuxer asks before each nested open. The source's own first opening does not count.
public struct NestedOpens: Sendable {
    private let origin: Origin
    private var isOpening = true
    private var count = 0
    /// Number of requests for the same part of the same file: its name, and where the part begins.
    private var requests: [[String?]: Int] = [:]
    /// Time at which the current counting window began.
    private var start = Time.zero

    /// Origin of the playlist.
    public enum Origin: Sendable, Hashable {
        /// A file in this folder. Symbolic links are resolved.
        case folder(String)
        case network
    }

    public enum Target: Hashable, Sendable {
        /// A file by its path, with symbolic links resolved.
        case file(String)
        /// An http or https URL, as requested.
        case url
    }

    public enum Refusal: Error, Hashable {
        case scheme(String)
        case notAFile, outsideItsFolder
        /// The same request was made too often, as by a list that names itself.
        case repeated
        case tooMany
    }

    /// Most nested opens until the source is open: an adaptive stream has some dozens of lists and opens a segment of
    /// each.
    static let mostWhileOpening = 100
    static let mostOfOneWhileOpening = 8
    /// Most equal requests in one `window`: a scrub opens the same segment twenty times a second.
    static let mostOfOne = 64
    static let window = Time.seconds(2)

    public init(_ origin: Origin) { self.origin = origin }

    /// Called when the source is open: from now on only repeated requests are limited.
    public mutating func sourceIsOpen(at now: Time) {
        isOpening = false
        (requests, start) = ([:], now)
    }

    /// `offset`: where the part begins, if only a part of the file is requested. `resolve`: returns the path of a
    /// regular file with all links resolved, and nil for anything else.
    public mutating func decide(
        _ name: String, offset: String?, at now: Time, resolve: (String) -> String?
    ) throws(Refusal) -> Target {
        let target = try target(of: name, resolve)
        try countIn([name, offset], at: now)
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

    private mutating func countIn(_ request: [String?], at now: Time) throws(Refusal) {
        if !isOpening, now - start >= NestedOpens.window { (requests, start) = ([:], now) }
        let most = isOpening ? NestedOpens.mostOfOneWhileOpening : NestedOpens.mostOfOne
        requests[request, default: 0] += 1
        guard requests[request]! <= most else { throw .repeated }
        guard isOpening else { return }
        count += 1
        guard count <= NestedOpens.mostWhileOpening else { throw .tooMany }
    }
}
