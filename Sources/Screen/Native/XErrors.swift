import CSDL2
import Glibc
import Threads

/// What an X server answers with an error. Xlib would end the program at the first one.
///
/// Errors of windows and drawables say that somebody else has destroyed a window of ours (`hasLost`); any other is
/// reported once for each kind, and what was asked for is simply not done.
public enum XErrors {
    private static let state = Monitor(State())

    private struct State {
        /// X11's number of the window that a request failed for last.
        var lost: UInt = 0
        /// By error and request: already reported.
        var reported: Set<[UInt8]> = []
        var report: (@Sendable (String) -> Void)?
        var loss: (@Sendable () -> Void)?
    }

    private static let badWindow: UInt8 = 3
    private static let badDrawable: UInt8 = 9

    /// `report` is called on the thread that speaks with the server; it must only store what it is told.
    public static func onOthers(_ report: (@Sendable (String) -> Void)?) { state.locked { $0.report = report } }

    /// `loss` is called when the X server is gone, on the thread that spoke with it, which never comes back: Xlib ends the
    /// program where it does. It must only store what it is told. nil: Xlib ends the program.
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
        report?("quadrille: the X server refused request \(request) with error \(error); it is left out")
    }

    /// Somebody else has destroyed this window.
    static func hasLost(_ window: OpaquePointer) -> Bool {
        let lost = state.locked { $0.lost }
        return lost != 0 && lost == qd_x11_window(window)
    }
}
