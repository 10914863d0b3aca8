import CX11
import Foundation

/// Keys and the pointer through the X server's test extension. Each event takes microseconds, so that its effect can be
/// timed; `Keys` starts a process for each. Used by one thread at a time.
public final class Fingers {
    private typealias FakeKey = @convention(c) (OpaquePointer, UInt32, Int32, UInt) -> Int32
    private typealias FakeMotion = @convention(c) (OpaquePointer, Int32, Int32, Int32, UInt) -> Int32

    private let connection: OpaquePointer
    private let display: Display
    private let fakeKey: FakeKey
    private let fakeButton: FakeKey
    private let fakeMotion: FakeMotion

    public struct Missing: Error { let what: String }

    public init(_ display: Display) throws {
        // The headers are not installed; xdotool brings the library.
        guard let library = dlopen("libXtst.so.6", RTLD_NOW), let key = dlsym(library, "XTestFakeKeyEvent"),
            let button = dlsym(library, "XTestFakeButtonEvent"), let motion = dlsym(library, "XTestFakeMotionEvent")
        else { throw Missing(what: "libXtst.so.6, which xdotool brings") }
        let connection = try XConnection.open(display)
        self.connection = connection
        self.display = display
        fakeKey = unsafeBitCast(key, to: FakeKey.self)
        fakeButton = unsafeBitCast(button, to: FakeKey.self)
        fakeMotion = unsafeBitCast(motion, to: FakeMotion.self)
    }

    /// Presses and releases a key, by its X name. Returns the time before the press.
    @discardableResult
    public func press(_ key: String) -> Double {
        let code = XConnection.alone { UInt32(XKeysymToKeycode(connection, XStringToKeysym(key))) }
        return now {
            _ = fakeKey(connection, code, 1, 0)
            _ = fakeKey(connection, code, 0, 0)
        }
    }

    @discardableResult
    public func move(to x: Int, _ y: Int) -> Double { now { _ = fakeMotion(connection, 0, Int32(x), Int32(y), 0) } }

    public enum Button: Int32, Sendable { case up = 0, down = 1 }

    /// Presses or releases the left button.
    @discardableResult
    public func button(_ state: Button) -> Double { now { _ = fakeButton(connection, 1, state.rawValue, 0) } }

    private func now(_ send: () -> Void) -> Double {
        XConnection.alone {
            let before = RealTime.now
            send()
            XFlush(connection)
            return before
        }
    }

    deinit { XConnection.close(connection) }
}
