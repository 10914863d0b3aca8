/// An rtsp URL and its transport. The query may contain `tcp` or `udp`, which is not sent to the server.
struct RTSPAddress {
    let url: String
    /// FFmpeg's name; nil for TCP if the server supports it, else UDP.
    let transport: String?

    init(_ name: String) {
        guard let mark = name.lastIndex(of: "?") else {
            (url, transport) = (name, nil)
            return
        }
        let words = name[name.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let others = words.filter { !Self.transports.contains(String($0)) }
        url = name[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
        transport = words.map(String.init).last(where: Self.transports.contains)
    }

    private static let transports = ["tcp", "udp"]
}
