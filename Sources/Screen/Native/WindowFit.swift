import Base
import Layout

/// Chooses the display and the size of a new window. Pure.
///
/// Without a layout, `GridLayout.windowSize(for:)` computes the size of the window from the films. The main thread
/// waits for their sizes for 300 ms at most, and never for a network (`Snapshot.awaitsShapes`).
public struct WindowFit: Hashable, Sendable {
    public let display: Int
    public let size: Size
    /// Message for the user if the requested display does not exist.
    public let displayRemark: String?
    /// Message for the user if there is no room for the requested size.
    public let sizeRemark: String?

    public struct Display: Hashable, Sendable {
        /// The display's area on the desktop.
        public var bounds: Rect
        /// The display's area without panels and the like.
        public var usable: Rect
    }

    /// A size larger than the display is reduced and keeps its shape. A borderless window may cover panels and several
    /// displays.
    public init(_ window: WindowLayout, of displays: [Display]) {
        let wanted = window.size, number = window.display, isThere = displays.indices.contains(number)
        display = isThere ? number : 0
        let known = displays.count == 1 ? "only 0 exists" : "there are 0 to \(displays.count - 1)"
        displayRemark =
            isThere || displays.isEmpty ? nil : "display \(number) does not exist (\(known)); using display 0"
        let whole = displays.reduce(Rect(0, 0, 0, 0)) { $0.union($1.bounds) }
        let room = window.isBorderless || displays.isEmpty ? whole : displays[display].usable
        guard !room.isEmpty, wanted.width > room.width || wanted.height > room.height else {
            (size, sizeRemark) = (wanted, nil)
            return
        }
        let isWider = wanted.width * room.height > wanted.height * room.width
        size =
            isWider
            ? Size(room.width, max(1, wanted.height * room.width / wanted.width))
            : Size(max(1, wanted.width * room.height / wanted.height), room.height)
        sizeRemark =
            "the window is \(size.width)x\(size.height); the display has no room for \(wanted.width)x\(wanted.height)"
    }
}

public enum WindowMode: Sendable, Hashable { case windowed, fullscreen }

public enum CanvasChoice: String, Sendable, Hashable { case auto, cpu, gpu }

/// Reason why there is no window: one line, with what to do.
public struct ScreenTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    public var kind: Kind
    public var description: String

    public enum Kind: Sendable, Hashable { case noDisplay, noWindow, noCanvas }

    init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}
