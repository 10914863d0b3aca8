import Foundation

/// A client of the program's control socket, like a script. Waits for each answer, at most 10 s.
public final class ControlClient {
    private let file: Int32
    private var unread = Data()
    private var requests = 0
    /// Events that came while the client waited for an answer.
    public private(set) var events: [[String: Any]] = []

    /// nil if no program listens there within `limit` seconds.
    public init?(_ path: String, within limit: Double = 10) {
        var connected: Int32 = -1
        RealTime.wait(atMost: limit) {
            let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if status == 0 { connected = file } else { close(file) }
            return status == 0
        }
        guard connected >= 0 else { return nil }
        file = connected
        var wait = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(file) }

    /// Returns the whole answer; empty if none came.
    @discardableResult
    public func ask(_ command: Any...) -> [String: Any] { answer(command) }

    /// "success", or the error.
    @discardableResult
    public func error(_ command: Any...) -> String? { answer(command)["error"] as? String }

    public func get(_ property: String) -> Any? { answer(["get_property", property])["data"] }

    public func number(_ property: String) -> Double? { (get(property) as? NSNumber)?.doubleValue }

    /// Waits for an event of this name.
    public func waitForEvent(_ name: String, atMost limit: Double = 5) -> [String: Any]? {
        let end = RealTime.now + limit
        while RealTime.now < end {
            if let place = events.firstIndex(where: { $0["event"] as? String == name }) {
                return events.remove(at: place)
            }
            guard let object = next() else { return nil }
            events.append(object)
        }
        return nil
    }

    @discardableResult
    public func answer(_ command: [Any]) -> [String: Any] {
        requests += 1
        let request: [String: Any] = ["command": command, "request_id": requests]
        guard var line = try? JSONSerialization.data(withJSONObject: request) else { return [:] }
        line.append(0x0A)
        _ = line.withUnsafeBytes { send(file, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
        while let object = next() {
            if object["event"] == nil, object["request_id"] as? Int == requests { return object }
            events.append(object)
        }
        return [:]
    }

    private func next() -> [String: Any]? {
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                let line = unread[unread.startIndex..<end]
                unread = Data(unread[(end + 1)...])
                return (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
            }
            var bytes = [UInt8](repeating: 0, count: 65536)
            let count = recv(file, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            unread.append(contentsOf: bytes[..<count])
        }
    }
}
