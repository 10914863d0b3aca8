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

    /// Applies border, mode, size and place to the window, where they differ from those of the layout before.
    func arrangeWindow(before: WindowLayout) {
        let after = layout.window
        if before.isBorderless != after.isBorderless { window.setBorder(isShown: !after.isBorderless) }
        if before.fullscreen != after.fullscreen { window.setMode(after.fullscreen == .off ? .windowed : .fullscreen) }
        guard window.mode == .windowed else { return }
        let fit = window.fit(after)
        if before.size != after.size {
            window.resize(to: fit)
            if let remark = fit.sizeRemark { report(remark) }
        }
        if before.position != after.position || before.display != after.display {
            window.move(to: after.position, fit)
            if before.display != after.display, let remark = fit.displayRemark { report(remark) }
        }
    }
}
