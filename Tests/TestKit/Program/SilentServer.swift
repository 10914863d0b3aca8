import Foundation

/// A server on 127.0.0.1 that queues connections and never answers.
public final class SilentServer: Sendable {
    public let port: Int
    private let socketNumber: Int32

    public struct CannotListen: Error {}

    public init() throws {
        socketNumber = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = socketNumber
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                guard bind(number, raw, size) == 0, listen(number, 8) == 0 else { return -1 }
                return getsockname(number, raw, &size)
            }
        }
        guard result == 0 else { throw CannotListen() }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socketNumber) }
}
