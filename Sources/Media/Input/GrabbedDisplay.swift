import Base
import CXCB
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
    mutating func hasResized(afterFailure hasFailed: Bool) -> Bool {
        let now = monotonicNanoseconds()
        guard hasFailed || now >= next else { return false }
        next = now + Self.interval
        return Self.size(of: name).map { $0 != size } ?? false
    }

    // MARK: the display

    /// Returns the size of the display's first screen; nil if the display is missing or another screen is named.
    private static func size(of display: String) -> Size? {
        let server = display.prefix { $0 != "+" && $0 != "," }
        var number: Int32 = 0
        // Never nil: a connection that failed must be closed too.
        let connection = xcb_connect(String(server), &number)
        defer { xcb_disconnect(connection) }
        guard xcb_connection_has_error(connection) == 0, number == 0, display.utf8.count == server.utf8.count,
            let screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data
        else { return nil }
        return Size(Int(screen.pointee.width_in_pixels), Int(screen.pointee.height_in_pixels))
    }
}
