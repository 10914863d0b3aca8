import Foundation

/// Unused ports of 127.0.0.1, for programs that take a port's number.
public enum FreePort {
    public static func udp() throws -> Int { try free(SOCK_DGRAM) }
    public static func tcp() throws -> Int { try free(SOCK_STREAM) }

    /// An even port; the next one is used with it.
    public static func evenUDP() throws -> Int { try udp() / 2 * 2 }

    /// Waits until a process has the port open, to receive datagrams or to accept connections. The wait does not connect,
    /// since some servers serve the first connection only.
    @discardableResult
    public static func waitUntilTaken(udp port: Int, atMost limit: Double = 5) -> Bool {
        RealTime.wait(atMost: limit) { isTaken(port, in: ["udp", "udp6"], state: "07") }
    }

    @discardableResult
    public static func waitUntilTaken(tcp port: Int, atMost limit: Double = 5) -> Bool {
        RealTime.wait(atMost: limit) { isTaken(port, in: ["tcp", "tcp6"], state: "0A") }
    }

    /// True if one of the kernel's tables of sockets has the port, as `NUMBER: ADDRESS:PORT PEER STATE ...`.
    private static func isTaken(_ port: Int, in tables: [String], state: String) -> Bool {
        let ending = String(format: ":%04X", port)
        return tables.contains { table in
            let text = (try? String(contentsOfFile: "/proc/net/\(table)", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").contains { line in
                let fields = line.split(separator: " ")
                return fields.count > 3 && fields[1].hasSuffix(ending) && fields[3] == state
            }
        }
    }

    private static func free(_ kind: __socket_type) throws -> Int {
        let descriptor = socket(AF_INET, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                guard bind(descriptor, raw, size) == 0 else { return -1 }
                return getsockname(descriptor, raw, &size)
            }
        }
        guard descriptor >= 0, result == 0 else { throw WebServer.CannotListen(number: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
