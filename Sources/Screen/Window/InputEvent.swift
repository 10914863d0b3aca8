import WallCore

/// What came in from the window. Places are in its pixels.
public enum InputEvent: Hashable, Sendable {
    case keyDown(Key, Modifiers, Press)
    /// A sign that was typed: it lies elsewhere on other keyboards. `by`: the key whose `keyDown` came before it; nil if
    /// there was none.
    case typed(Key, by: Key?, Press)
    case pointerMoved(Point)
    /// `clicks`: 2 for the second of a double click.
    case pointerDown(Point, Button, clicks: Int)
    case pointerUp(Point, Button, clicks: Int)
    /// Notches; positive: to the right, and away from the user.
    case wheel(Double, Double)
    /// `milliseconds`: on a clock of its own, for telling double taps.
    case touchDown(finger: Int64, Point, milliseconds: Int64)
    case touchMoved(finger: Int64, Point)
    case touchUp(finger: Int64, Point, milliseconds: Int64)
    case window(WindowEvent)
    /// Nothing is shown any more. An X server that goes away is told by `XErrors.onLoss`.
    case displayIsGone
    /// Somebody called `Waker.wake`.
    case wake

    public enum Press: Hashable, Sendable { case first, repeated }
    public enum Button: Hashable, Sendable { case left, middle, right }
}

public enum WindowEvent: Hashable, Sendable {
    /// In pixels.
    case resized(Size)
    /// Has to be drawn anew: the next present draws everything.
    case exposed
    case minimised, restored, hidden, shown
    case focusGained, focusLost
    /// Its contact with a pointer or a finger was lost: a drag is over.
    case pointerLeft
    case closeRequested
}
