import CX11
import Foundation

/// Drops files on a window, as a file manager does: by the XDND protocol, version 5.
public struct FileDrop {
    private let connection: OpaquePointer
    private let window: CX11.Window
    private let source: CX11.Window

    public enum Failure: Error { case noWindow, refused, notFetched, notFinished }

    /// Drops `paths` at this place of the screen. Returns when the window has taken them.
    public static func drop(
        _ paths: [String], on window: String, at place: (x: Int, y: Int), _ display: Display, isShiftDown: Bool = false
    ) throws {
        guard let number = UInt(window) else { throw Failure.noWindow }
        let keys = Keys(display)
        if isShiftDown { try keys.hold("shift") }
        defer { if isShiftDown { try? keys.release("shift") } }
        try keys.move(to: place)
        let connection = try XConnection.open(display)
        defer { XConnection.close(connection) }
        let source = XCreateSimpleWindow(connection, XDefaultRootWindow(connection), 0, 0, 1, 1, 0, 0, 0)
        try FileDrop(connection: connection, window: number, source: source).drop(paths, at: place)
    }

    private func drop(_ paths: [String], at place: (x: Int, y: Int)) throws {
        XSetSelectionOwner(connection, atom("XdndSelection"), source, UInt(CurrentTime))
        send("XdndEnter", (Int(source), 5 << 24, Int(atom("text/uri-list")), 0, 0))
        send("XdndPosition", (Int(source), 0, place.x << 16 | place.y, Int(CurrentTime), Int(atom("XdndActionCopy"))))
        guard let status = wait({ isMessage($0, "XdndStatus") }), status.xclient.data.l.1 & 1 == 1 else {
            throw Failure.refused
        }
        send("XdndDrop", (Int(source), 0, Int(CurrentTime), 0, 0))
        guard let request = wait({ $0.type == SelectionRequest })?.xselectionrequest else { throw Failure.notFetched }
        let list = paths.map { URL(fileURLWithPath: $0).absoluteString + "\r\n" }.joined()
        let bytes = Array(list.utf8)
        XChangeProperty(
            connection, request.requestor, request.property, request.target, 8, PropModeReplace, bytes,
            Int32(bytes.count))
        var answer = XEvent()
        answer.xselection.type = SelectionNotify
        answer.xselection.requestor = request.requestor
        answer.xselection.selection = request.selection
        answer.xselection.target = request.target
        answer.xselection.property = request.property
        answer.xselection.time = request.time
        XSendEvent(connection, request.requestor, 0, NoEventMask, &answer)
        XFlush(connection)
        guard wait({ isMessage($0, "XdndFinished") }) != nil else { throw Failure.notFinished }
    }

    private func atom(_ name: String) -> Atom { XInternAtom(connection, name, 0) }

    private func isMessage(_ event: XEvent, _ name: String) -> Bool {
        event.type == ClientMessage && event.xclient.message_type == atom(name)
    }

    private func send(_ name: String, _ data: (Int, Int, Int, Int, Int)) {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = atom(name)
        event.xclient.format = 32
        event.xclient.data.l = data
        XSendEvent(connection, window, 0, NoEventMask, &event)
        XFlush(connection)
    }

    /// Returns the next event that fits, within ten seconds.
    private func wait(_ fits: (XEvent) -> Bool) -> XEvent? {
        var found: XEvent?
        RealTime.wait(atMost: 10) {
            while found == nil, XPending(connection) > 0 {
                var event = XEvent()
                XNextEvent(connection, &event)
                if fits(event) { found = event }
            }
            return found != nil
        }
        return found
    }
}
