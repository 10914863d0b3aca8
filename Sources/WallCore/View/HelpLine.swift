/// Keys, and what they do.
public struct HelpLine: Hashable, Sendable {
    public var keys: String
    public var does: String
    public init(_ keys: String, _ does: String) { (self.keys, self.does) = (keys, does) }

    /// All that keys and pointer do on a wall.
    public static let wall = [
        HelpLine("Space", "pause or go on"),
        HelpLine(".  ,", "one picture on, one back"),
        HelpLine("\u{2190}  \u{2192}", "5 s back or on; Shift: 1 s"),
        HelpLine("Home", "to the start, all in step"),
        HelpLine("[  ]", "slower, faster"),
        HelpLine("Backspace", "rate 1"),
        HelpLine("Ctrl + \u{2026}", "the focused tile alone"),
        HelpLine("n  p", "next or previous item"),
        HelpLine("Drag", "scrub through the item"),
        HelpLine("1 \u{2026} 9", "focus on that tile"),
        HelpLine("Tab", "focus on the next tile"),
        HelpLine("Click", "focus on the tile there"),
        HelpLine("m  M", "mute the tile, the wall"),
        HelpLine("\u{2191}  \u{2193}", "volume"),
        HelpLine("a", "next sound track"),
        HelpLine("z", "fill the wall, and back"),
        HelpLine("w", "picture in picture"),
        HelpLine("f  F11", "full screen"),
        HelpLine("Esc", "back"),
        HelpLine("i", "what each tile is doing"),
        HelpLine("h  ?", "these keys"),
        HelpLine("q", "quit"),
    ]
}
