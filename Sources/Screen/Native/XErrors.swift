import CSDL2
import Glibc
import Threads

/// Handles the X server's errors. By default Xlib ends the program at the first one.
///
/// An error for a window or drawable means that another client has destroyed a window of ours (`hasLost`). Any other
/// error is reported once for each kind, and its request has no effect.
public enum XErrors {
    private static let state = Monitor(State())

    private struct State {
        /// X11's number of the last window for which a request failed.
        var lost: UInt = 0
        /// Reported errors, by error and request.
        var reported: Set<[UInt8]> = []
        var report: (@Sendable (String) -> Void)?
        var loss: (@Sendable () -> Void)?
    }

    private static let badWindow: UInt8 = 3
    private static let badDrawable: UInt8 = 9

    /// `report`: called on the thread that talks to the server. It must only store the message.
    public static func onOthers(_ report: (@Sendable (String) -> Void)?) { state.locked { $0.report = report } }

    /// `loss`: called when the X server is gone, on the thread that talked to it. It must only store that. The thread
    /// never returns, since Xlib would end the program. With nil, Xlib ends the program.
    public static func onLoss(_ loss: (@Sendable () -> Void)?) { state.locked { $0.loss = loss } }

    private typealias LossHandler = @convention(c) (OpaquePointer?) -> Int32
    private typealias LossSetter = @convention(c) (LossHandler?) -> LossHandler?
    private typealias Handler = @convention(c) (OpaquePointer?, UnsafeRawPointer?) -> Int32
    private typealias Setter = @convention(c) (Handler?) -> Handler?

    /// Called once SDL has a connection to an X server.
    static func watch() {
        guard let set = XServer.function("XSetErrorHandler", Setter.self) else { return }
        _ = set { _, event in
            if let event { XErrors.note(event) }
            return 0
        }
        guard let setLoss = XServer.function("XSetIOErrorHandler", LossSetter.self) else { return }
        _ = setLoss { _ in
            guard let loss = XErrors.state.locked({ $0.loss }) else { return 0 }
            loss()
            while true { pause() }
        }
    }

    /// struct XErrorEvent: the resource's number at 16, the error at 32, the request at 33.
    private static func note(_ event: UnsafeRawPointer) {
        let error = event.load(fromByteOffset: 32, as: UInt8.self)
        let request = event.load(fromByteOffset: 33, as: UInt8.self)
        let report = state.locked { state -> (@Sendable (String) -> Void)? in
            if [badWindow, badDrawable].contains(error) {
                state.lost = event.load(fromByteOffset: 16, as: UInt.self)
                return nil
            }
            return state.reported.insert([error, request]).inserted ? state.report : nil
        }
        report?("quadrille: the X server refused request \(request) with error \(error); the request has no effect")
    }

    /// True if another client has destroyed this window.
    static func hasLost(_ window: OpaquePointer) -> Bool {
        let lost = state.locked { $0.lost }
        return lost != 0 && lost == qd_x11_window(window)
    }
}
