import Base

/// Input from the window. Places are in the window's pixels.
public enum InputEvent: Hashable, Sendable {
    case keyDown(Key, Modifiers, Press)
    /// A typed character. Its key differs between keyboard layouts. `by`: the key that was reported as `keyDown`
    /// before; nil if there was none.
    case typed(Key, by: Key?, Press)
    case pointerMoved(Point)
    /// `clicks`: 2 for the second of a double click.
    case pointerDown(Point, Button, clicks: Int)
    case pointerUp(Point, Button, clicks: Int)
    /// Notches; positive: to the right, and away from the user.
    case wheel(Double, Double)
    /// `milliseconds`: on a clock of its own, to detect double taps.
    case touchDown(finger: Int64, Point, milliseconds: Int64)
    case touchMoved(finger: Int64, Point)
    case touchUp(finger: Int64, Point, milliseconds: Int64)
    /// Files and URLs were dropped on the window. The place is nil if it is not known.
    case dropped([String], at: Point?, Modifiers)
    case window(WindowEvent)
    /// The display is gone, and nothing is shown. The loss of an X server is reported by `XErrors.onLoss`.
    case displayIsGone
    /// `Waker.wake` was called.
    case wake

    public enum Press: Hashable, Sendable { case first, repeated }
    public enum Button: Hashable, Sendable { case left, middle, right }
}

public enum WindowEvent: Hashable, Sendable {
    /// The new size, in pixels.
    case resized(Size)
    /// The window must be redrawn: the next present draws everything.
    case exposed
    case minimised, restored, hidden, shown
    case focusGained, focusLost
    /// The pointer or finger left the window: a drag is over.
    case pointerLeft
    case closeRequested
}
