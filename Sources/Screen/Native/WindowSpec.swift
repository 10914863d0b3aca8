import Base

/// Properties of a window to be opened.
public struct WindowSpec: Sendable {
    public var title: String
    public var size: Size
    /// Offset from the display's corner; nil to centre the window.
    public var position: Point?
    /// Index of the display. A missing display counts as the first.
    public var display = 0
    public var mode = Mode.windowed
    public var border = WindowFit.Border.decorated
    public var sizing = Sizing.resizable

    public init(title: String, size: Size) { (self.title, self.size) = (title, size) }

    public enum Mode: Sendable, Hashable { case windowed, fullscreen }
    public enum Sizing: Sendable, Hashable { case resizable, fixed }
}

public enum CanvasChoice: String, Sendable, Hashable { case auto, cpu, gpu }

/// Reason why there is no window: one line, with what to do.
public struct ScreenTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    public var kind: Kind
    public var description: String

    public enum Kind: Sendable, Hashable { case noDisplay, noWindow, noCanvas }

    init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}
