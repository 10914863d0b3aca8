import Base
import Layout

extension Layout {
    /// A line for each port of this machine on which tiles of several feeds are to receive, in the order of the tiles.
    /// Only one of them can have it.
    public var sharedPorts: [String] {
        var feeds: Set<FeedKey> = []
        let uses = tiles.filter { feeds.insert(FeedKey($0)).inserted }.flatMap { tile in
            let ports = Set(tile.play.flatMap { $0.segments.flatMap { ReceivingPort.all(of: $0.source) } })
            return ports.sorted().map { (port: $0, tile: tile.id) }
        }
        var users = Dictionary(grouping: uses, by: \.port)
        return uses.compactMap { port, _ in
            guard let tiles = users.removeValue(forKey: port)?.map(\.tile), tiles.count > 1 else { return nil }
            let count = tiles.count == 2 ? "two" : "\(tiles.count)"
            return "\(count) tiles receive on the same port: \(tiles.joined(separator: ", ")) (\(port))"
        }
    }
}

/// A port that opening a source occupies.
struct ReceivingPort: Hashable, Comparable, CustomStringConvertible {
    let transport: Transport
    let number: Int

    enum Transport: String { case udp, tcp }

    var description: String { "\(transport.rawValue) \(number)" }

    static func < (a: ReceivingPort, b: ReceivingPort) -> Bool {
        (a.number, a.transport.rawValue) < (b.number, b.transport.rawValue)
    }

    /// Returns the ports that a source occupies. A multicast address is left out, since several programs can receive
    /// from it.
    static func all(of source: String) -> [ReceivingPort] {
        guard let scheme = SourceName.scheme(of: source) else { return [] }
        let rest = source.utf8.dropFirst(scheme.utf8.count + "://".utf8.count)
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
        guard let colon = host.lastIndex(of: UInt8(ascii: ":")),
            let port = Int(String(Substring(host[host.index(after: colon)...])))
        else { return [] }
        let options = rest.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().first ?? rest.suffix(0)
        func value(of name: String) -> String? {
            let pairs = options.split(separator: UInt8(ascii: "&")).map { String(Substring($0)) }
            return pairs.first { $0.utf8.starts(with: "\(name)=".utf8) }.map { String($0.dropFirst(name.count + 1)) }
        }
        switch scheme {
        case "udp", "rtp":
            if isMulticast(String(Substring(host[..<colon]))) { return [] }
            let own = value(of: scheme == "udp" ? "localport" : "localrtpport").flatMap { Int($0) } ?? port
            // RTCP uses the port after RTP's own.
            return (scheme == "udp" ? [own] : [own, own + 1]).map { ReceivingPort(transport: .udp, number: $0) }
        case "srt": return value(of: "mode") == "listener" ? [ReceivingPort(transport: .udp, number: port)] : []
        case "tcp":
            let listens = value(of: "listen").map { $0 != "0" } ?? false
            return listens ? [ReceivingPort(transport: .tcp, number: port)] : []
        default: return []
        }
    }

    private static func isMulticast(_ host: String) -> Bool {
        if host.utf8.starts(with: "[".utf8) { return host.lowercased().utf8.starts(with: "[ff".utf8) }
        let first = host.utf8.prefix { $0 != UInt8(ascii: ".") }
        return Int(String(Substring(first))).map { (224...239).contains($0) } ?? false
    }
}
