import Engine
import Layout
import Player
import Screen

/// The layout that the window is set up for. Main thread only.
struct WindowSetup {
    private let window: Window
    private let runner: LockedWall
    /// Prints a line on standard error.
    private let report: @Sendable (String) -> Void
    private(set) var layout: Layout
    /// True while the wall has another layout.
    private var isBehind = false
    /// True while the wall has the layout that it was started with.
    private(set) var isFirstLayout = true

    init(_ layout: Layout, _ window: Window, _ runner: LockedWall, report: @escaping @Sendable (String) -> Void) {
        (self.layout, self.window, self.runner, self.report) = (layout, window, runner, report)
    }

    mutating func layoutChanged() { (isBehind, isFirstLayout) = (true, false) }

    /// Takes the wall's new layout over. Returns the layout before, and the new one; nil if there is no new one. While
    /// the window is small, a new layout is left for later.
    mutating func takeChange(isSmall: Bool) -> (before: Layout, after: Layout)? {
        guard isBehind, !isSmall else { return nil }
        let before = layout
        (layout, isBehind) = (runner.read { wall, _ in wall.layout }, false)
        return (before, layout)
    }

    /// Applies the layout to the window, where it differs from the layout before.
    func arrangeWindow(before: WindowLayout) { window.follow(layout.window, after: before).forEach(report) }
}
