import Foundation

/// A terminal to which a program under test writes. Belongs to one thread.
public final class PseudoTerminal {
    /// Path of the terminal's device, for a program to open.
    public let path: String
    private let reader: Int32
    private let device: Int32
    private var bytes: [UInt8] = []

    /// `columns`: its width in characters.
    public init(columns: Int) throws {
        var (reader, device): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&reader, &device, nil, nil, &size) == 0, let name = ttyname(device) else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        path = String(cString: name)
        (self.reader, self.device) = (reader, device)
        for descriptor in [reader, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(reader, F_SETFL, fcntl(reader, F_GETFL) | O_NONBLOCK)
        // Bytes arrive as they were written.
        var attributes = termios()
        tcgetattr(device, &attributes)
        cfmakeraw(&attributes)
        tcsetattr(device, TCSANOW, &attributes)
    }

    /// Everything that was written so far. The terminal holds only some pages until they are read.
    public var text: String {
        var block = [UInt8](repeating: 0, count: 1 << 12)
        while case let count = read(reader, &block, block.count), count > 0 { bytes += block[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit { [reader, device].forEach { close($0) } }
}
