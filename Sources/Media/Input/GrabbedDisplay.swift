import Base
import Glibc
import Threads

/// Detects a change of the size of a display that is shown whole. FFmpeg reads the size only once.
///
/// Used by the thread that reads the display. A check makes its own connection, which takes about a millisecond.
struct GrabbedDisplay {
    private let name: String
    private let size: Size
    private var next: Int64

    private static let interval: Int64 = 1_000_000_000

    /// Returns nil if `source` is no display, shows only a part of one, or its size is unknown.
    init?(_ source: String) {
        guard let address = DeviceAddress(source), address.kind == .x11grab, address.size == nil,
            let size = Self.size(of: address.name)
        else { return nil }
        (name, self.size, next) = (address.name, size, monotonicNanoseconds() + Self.interval)
    }

    /// Returns true if the size has changed. Checks once a second, and after a failed read.
    mutating func isOther(afterFailure hasFailed: Bool) -> Bool {
        let now = monotonicNanoseconds()
        guard hasFailed || now >= next else { return false }
        next = now + Self.interval
        return Self.size(of: name).map { $0 != size } ?? false
    }

    // MARK: the display

    private typealias Connect =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int32>?) -> OpaquePointer?
    private typealias Test = @convention(c) (OpaquePointer) -> Int32
    private typealias Setup = @convention(c) (OpaquePointer) -> UnsafeRawPointer?
    private typealias Disconnect = @convention(c) (OpaquePointer) -> Void

    /// Returns a function of libxcb, the library that FFmpeg's demuxer uses.
    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        guard let library = dlopen("libxcb.so.1", RTLD_NOW), let symbol = dlsym(library, name) else { return nil }
        return unsafeBitCast(symbol, to: type)
    }

    /// Returns the size of the display's first screen; nil if the display is missing or another screen is named.
    private static func size(of display: String) -> Size? {
        let server = display.prefix { $0 != "+" && $0 != "," }
        guard let connect = function("xcb_connect", Connect.self), let setup = function("xcb_get_setup", Setup.self),
            let hasError = function("xcb_connection_has_error", Test.self),
            let disconnect = function("xcb_disconnect", Disconnect.self)
        else { return nil }
        var screen: Int32 = 0
        guard let connection = connect(String(server), &screen) else { return nil }
        defer { disconnect(connection) }
        guard hasError(connection) == 0, screen == 0, display.utf8.count == server.utf8.count,
            let head = setup(connection)
        else { return nil }
        // Layout of the X protocol: forty bytes, the vendor's name, eight bytes for each format, then the first screen.
        func short(_ offset: Int) -> Int { Int(head.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
        let vendor = (short(24) + 3) & ~3, formats = Int(head.load(fromByteOffset: 29, as: UInt8.self))
        let root = 40 + vendor + 8 * formats
        return Size(short(root + 20), short(root + 22))
    }
}
