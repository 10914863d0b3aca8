import Base

extension KeyTable {
    /// Keys of a blind test: those that reveal nothing about the two clips.
    public static let blind = KeyTable(
        [
            KeyRow("a  b", "see A, see B", ["a": "blind-show a", "b": "blind-show b"]),
            KeyRow("x", "see X, which is one of them", ["x": "blind-show x"]),
            KeyRow("Enter", "X is what is seen now: A or B", ["ENTER": "blind-answer"]),
            KeyRow("Space", "pause or go on", ["SPACE": "cycle pause"]),
            KeyRow(".  ,", "one frame on, one back", [".": "frame-step", ",": "frame-back-step"]),
            KeyRow(
                "\u{2190}  \u{2192}", "5 s back or on; Shift: 1 s",
                ["LEFT": "seek -5", "RIGHT": "seek 5", "Shift+LEFT": "seek -1", "Shift+RIGHT": "seek 1"]),
            KeyRow("Home", "to the start", ["HOME": "home"]),
            KeyRow("[  ]", "slower, faster", ["[": "speed-down", "]": "speed-up"]),
            KeyRow("Backspace", "rate 1", ["BS": "set speed 1"]),
            KeyRow("+  \u{2212}", "frames larger, smaller", ["+": "magnify-step 1", "-": "magnify-step -1"]),
            KeyRow("0", "all of the frames", ["0": "magnify-reset"]),
            KeyRow("Wheel, pinch", "frames larger, smaller there; right drag: move"),
            KeyRow("f  F11", "full screen", ["f": "cycle fullscreen", "F11": "cycle fullscreen"]),
            KeyRow("h  ?", "these keys", ["h": "cycle-help", "?": "cycle-help"]),
            KeyRow("Esc  q", "the end, and the score so far", ["ESC": "escape", "q": "quit"]),
        ], pointer: .magnifying)
}
