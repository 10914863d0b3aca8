import Glibc

/// A separate connection to a Wayland compositor, at the level of the wire protocol: 32-bit words in host byte order,
/// and strings. Waits at most five seconds for an answer. Belongs to one thread.
public final class WaylandConnection {
    /// A received event, with its body after the header.
    struct Event {
        let object: UInt32
        let code: UInt16
        fileprivate let body: [UInt8]

        func word(_ offset: Int) -> UInt32 {
            guard offset + 4 <= body.count else { return 0 }
            return body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        }

        /// Returns the string at `offset`. Its length comes first, and includes the final zero.
        func text(_ offset: Int) -> String {
            let length = Int(word(offset))
            guard length > 0, offset + 4 + length <= body.count else { return "" }
            return String(decoding: body[(offset + 4)..<(offset + 3 + length)], as: UTF8.self)
        }

        /// Returns the offset after the string at `offset`.
        func end(ofTextAt offset: Int) -> Int { offset + 4 + (Int(word(offset)) + 3) & ~3 }
    }

    static let display: UInt32 = 1
    private static let patience: Int32 = 5000
    private static let longest = 1 << 20

    private let file: Int32
    private var received: [UInt8] = []
    private var last = display

    /// Socket of the compositor that the environment names; nil if it names none.
    static var path: String? {
        guard let name = value("WAYLAND_DISPLAY") else { return nil }
        if name.hasPrefix("/") { return name }
        return value("XDG_RUNTIME_DIR").map { $0 + "/" + name }
    }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// nil if no compositor answers there.
    init?(_ path: String) {
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard fits, status == 0 else { return nil }
    }

    deinit { if file >= 0 { close(file) } }

    /// Returns a number for an object that a request creates.
    func newObject() -> UInt32 {
        last += 1
        return last
    }

    static func bytes(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8) + [0]
        return Self.bytes(of: [UInt32(bytes.count)]) + bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    static func bytes(of words: [UInt32]) -> [UInt8] { words.flatMap { withUnsafeBytes(of: $0, Array.init) } }

    /// Returns false if the compositor is gone.
    func request(_ object: UInt32, _ code: UInt16, _ arguments: [UInt8]) -> Bool {
        let head = Self.bytes(of: [object, UInt32(8 + arguments.count) << 16 | UInt32(code)])
        let message = head + arguments
        return send(file, message, message.count, Int32(MSG_NOSIGNAL)) == message.count
    }

    /// Waits until the compositor has carried out all requests. Returns the events that came; nil if it does not
    /// answer.
    func settle() -> [Event]? {
        let callback = newObject()
        guard request(Self.display, 0, Self.bytes(of: [callback])) else { return nil }
        var events: [Event] = []
        while true {
            while let event = next() {
                if event.object == callback { return events }
                events.append(event)
            }
            guard receive() else { return nil }
        }
    }

    /// nil until the whole event has come.
    private func next() -> Event? {
        guard received.count >= 8 else { return nil }
        let (object, head) = received.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        }
        let length = max(8, Int(head >> 16))
        guard received.count >= length else { return nil }
        defer { received.removeFirst(length) }
        return Event(object: object, code: UInt16(truncatingIfNeeded: head), body: Array(received[8..<length]))
    }

    private func receive() -> Bool {
        var block = [UInt8](repeating: 0, count: 4096)
        guard received.count < Self.longest else { return false }
        while true {
            var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Self.patience)
            let count = ready == 1 ? recv(file, &block, block.count, 0) : 0
            if min(Int(ready), count) < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            received += block[..<count]
            return true
        }
    }
}
