import Foundation

/// A web server for tests on 127.0.0.1, HTTP/1.1, with a thread for each connection.
///
/// Ends with all its connections when it is released. Any thread may call any method.
public final class WebServer: Sendable {
    /// The manner in which a file is served.
    public enum Manner: Sendable {
        /// Serves ranges, as a correct server does.
        case ranges
        /// The whole file, whatever range was requested, without mentioning ranges.
        case whole
        /// Bytes from this place on are never sent. The connection stays open.
        case stalling(at: Int)
        /// The connection is closed at this place.
        case dropping(at: Int)
        /// The first connection that reaches this place is closed there. The others are not.
        case droppingOnce(at: Int)
        /// Each connection is closed after this number of bytes, wherever it began.
        case portions(of: Int)
        /// The request is read and never answered.
        case silent
        /// The request is refused (403).
        case refusing
        /// Redirects to this address, whatever the page's file.
        case redirecting(to: String)
    }

    /// A file, and the manner in which it is served.
    public struct Page: Sendable {
        let file: String
        let manner: Manner

        public init(_ file: String, _ manner: Manner) { (self.file, self.manner) = (file, manner) }

        public func with(_ manner: Manner) -> Page { Page(file, manner) }
    }

    public struct CannotListen: Error { let number: Int32 }

    public let port: Int
    private let host: String
    private let listener: Listener

    private let visits = Counter()
    private let drops = Counter()

    /// Serves all files of a folder, each in its state at the request.
    public convenience init(folder: String) throws {
        try self.init {
            FileManager.default.fileExists(atPath: "\(folder)/\($0)") ? Page("\(folder)/\($0)", .ranges) : nil
        }
    }

    /// Serves pages by their names, without a slash. `host`: an IPv4 address of this machine.
    public convenience init(_ pages: [String: Page], host: String = "127.0.0.1") throws {
        try self.init(host: host) { pages[$0] }
    }

    private init(host: String = "127.0.0.1", _ pages: @escaping @Sendable (String) -> Page?) throws {
        self.host = host
        listener = try Listener(host) { [visits, drops] descriptor in
            visits.next()
            Visit(descriptor, pages, drops).serve()
        }
        port = listener.port
    }

    /// Number of connections so far.
    public var connections: Int { visits.count }

    public func address(of name: String) -> String { "http://\(host):\(port)/\(name)" }

    deinit { listener.end() }
}

/// A request on one connection, from its first byte to the close.
private struct Visit {
    private let descriptor: Int32
    private let pages: (String) -> WebServer.Page?
    private let drops: Counter

    init(_ descriptor: Int32, _ pages: @escaping (String) -> WebServer.Page?, _ drops: Counter) {
        (self.descriptor, self.pages, self.drops) = (descriptor, pages, drops)
    }

    func serve() {
        guard let head = request() else { return }
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[0] == "GET" || words[0] == "HEAD" else {
            return send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        }
        let name = String(words[1].dropFirst().prefix { $0 != "?" })
        let page = pages(name)
        if case .redirecting(let target) = page?.manner {
            return send(
                "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        if case .refusing = page?.manner {
            return send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        guard let page, let bytes = FileManager.default.contents(atPath: page.file) else {
            return send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        answer(bytes, page.manner, from: rangeStart(lines), isHead: words[0] == "HEAD", kind: kind(of: name))
    }

    private func answer(_ bytes: Data, _ manner: WebServer.Manner, from asked: Int?, isHead: Bool, kind: String) {
        var first = 0
        var end = bytes.count
        var takesRanges = true
        switch manner {
        case .ranges: break
        case .whole: takesRanges = false
        case .droppingOnce(let place): if drops.count == 0 { end = min(place, end) }
        case .portions(let count): end = min((asked ?? 0) + count, end)
        case .stalling(let place), .dropping(let place): end = min(place, end)
        case .silent: return waitForTheOther()
        case .redirecting, .refusing: return
        }
        var status = "200 OK"
        var ranges = ""
        if takesRanges {
            ranges = "Accept-Ranges: bytes\r\n"
            if let asked, asked < bytes.count {
                first = asked
                status = "206 Partial Content"
                ranges += "Content-Range: bytes \(first)-\(bytes.count - 1)/\(bytes.count)\r\n"
            }
        }
        send(
            "HTTP/1.1 \(status)\r\nContent-Type: \(kind)\r\nContent-Length: \(bytes.count - first)\r\n\(ranges)"
                + "Connection: close\r\n\r\n")
        if isHead { return }
        if first < end, send([UInt8](bytes[first..<end])), end < bytes.count { drops.next() }
        if case .stalling = manner, end < bytes.count { waitForTheOther() }
    }

    /// Start of the requested range. Players leave its end open, so the end is not read.
    private func rangeStart(_ lines: [String]) -> Int? {
        let header = lines.first { $0.lowercased().hasPrefix("range: bytes=") }
        return header.flatMap { Int($0.dropFirst("range: bytes=".count).prefix { $0 != "-" }) }
    }

    private func kind(of name: String) -> String {
        name.hasSuffix(".m3u8") ? "application/vnd.apple.mpegurl" : "application/octet-stream"
    }

    /// Reads up to the empty line; nil if the client disconnects before.
    private func request() -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 65536 {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            bytes += chunk[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") { return String(text[..<end.lowerBound]) }
        }
        return nil
    }

    private func send(_ text: String) { send(Array(text.utf8)) }

    /// Returns true if the client took all bytes.
    @discardableResult
    private func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.send(
                    descriptor, buffer.baseAddress! + done, buffer.count - done, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    private func waitForTheOther() {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) > 0 {}
    }
}
