import Foundation

/// Faults of a sound server: it is stopped, continued or killed.
extension SoundServer {
    public struct Gone: Error {}

    /// Sends a signal to the process that listens on the socket.
    public func signal(_ number: Int32) throws { kill(try process, number) }

    /// Kills the server and returns when no process listens any more. Removes its socket, so that another server can
    /// take its place.
    public func die() throws {
        let victim = try process
        kill(victim, SIGKILL)
        RealTime.wait(atMost: 5) { (try? process) == nil }
        unlink(path)
    }

    private var path: String { String(address.dropFirst("unix:".count)) }

    private var process: pid_t { get throws { try Self.listener(at: path) } }

    /// Process that listens on a socket. The kernel reports it even if that process hangs.
    static func listener(at path: String) throws -> pid_t {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
        let isConnected = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        // struct ucred: process, user and group.
        var peer = [Int32](repeating: 0, count: 3)
        var size = socklen_t(12)
        guard isConnected, getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { throw Gone() }
        return peer[0]
    }
}
