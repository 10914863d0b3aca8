import CX11
import Glibc
import Threads

/// Handles the X server's errors. By default Xlib ends the program at the first one.
///
/// An error for a window or drawable means that another client has destroyed a window of ours (`hasLost`). Any other
/// error is reported once for each kind, and its request has no effect.
public enum XErrors {
    private static let state = Locked(State())

    private struct State {
        /// X11's number of the last window for which a request failed.
        var lost: XID = 0
        /// Reported errors, by error and request.
        var reported: Set<[UInt8]> = []
        var report: (@Sendable (String) -> Void)?
        var loss: (@Sendable () -> Void)?
    }

    /// `report`: called on the thread that talks to the server. It must only store the message.
    public static func onOthers(_ report: (@Sendable (String) -> Void)?) { state.locked { $0.report = report } }

    /// `loss`: called when the X server is gone, on the thread that talked to it. It must only store the fact. The
    /// thread never returns from the error handler, since Xlib would then end the program. With nil, Xlib ends the
    /// program.
    public static func onLoss(_ loss: (@Sendable () -> Void)?) { state.locked { $0.loss = loss } }

    /// Called once SDL has a connection to an X server.
    static func watch() {
        XSetErrorHandler { _, event in
            if let event { XErrors.note(event.pointee) }
            return 0
        }
        XSetIOErrorHandler { _ in
            guard let loss = XErrors.state.locked({ $0.loss }) else { return 0 }
            loss()
            while true { pause() }
        }
    }

    private static func note(_ event: XErrorEvent) {
        let (error, request) = (event.error_code, event.request_code)
        let report = state.locked { state -> (@Sendable (String) -> Void)? in
            if [BadWindow, BadDrawable].contains(Int32(error)) {
                state.lost = event.resourceid
                return nil
            }
            return state.reported.insert([error, request]).inserted ? state.report : nil
        }
        report?("quadrille: the X server refused request \(request) with error \(error); the request has no effect")
    }

    /// True if another client has destroyed this window.
    static func hasLost(_ window: OpaquePointer) -> Bool {
        let lost = state.locked { $0.lost }
        return lost != 0 && lost == XServer.connection(of: window).window
    }
}
