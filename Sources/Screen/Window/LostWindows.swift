import CSDL2
import Synchronization

/// Windows of ours that somebody else has destroyed. Xlib would end the program at the first request for one.
enum LostWindows {
    /// X11's number of the window that a request failed for last.
    private static let last = Atomic<UInt>(0)

    private typealias Handler = @convention(c) (OpaquePointer?, UnsafeRawPointer?) -> Int32
    private typealias Setter = @convention(c) (Handler?) -> Handler?

    /// Called once SDL has a connection to an X server.
    static func watch() {
        guard let set = XServer.function("XSetErrorHandler", Setter.self) else { return }
        let note: Handler = { _, event in
            // struct XErrorEvent: the resource's number at 16, the kind of error at 32 (BadWindow, BadDrawable).
            if let event, [3, 9].contains(event.load(fromByteOffset: 32, as: UInt8.self)) {
                LostWindows.last.store(event.load(fromByteOffset: 16, as: UInt.self), ordering: .relaxed)
            }
            return 0
        }
        _ = set(note)
    }

    static func contain(_ window: OpaquePointer) -> Bool {
        let lost = last.load(ordering: .relaxed)
        return lost != 0 && lost == qd_x11_window(window)
    }
}
