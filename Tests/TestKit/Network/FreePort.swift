import Foundation

/// Unused ports of 127.0.0.1, for programs that take a port's number.
public enum FreePort {
    public static func udp() throws -> Int { try free(SOCK_DGRAM) }
    public static func tcp() throws -> Int { try free(SOCK_STREAM) }

    /// An even port; the next one is used with it.
    public static func evenUDP() throws -> Int { try udp() / 2 * 2 }

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
