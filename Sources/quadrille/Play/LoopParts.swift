import Base
import Console
import Engine
import Layout
import Player
import Scene
import Screen

/// Beginning and end of the main loop. Main thread only.
///
/// At the beginning the window stays empty until the first frames are complete, or for a moment. A wall that can play
/// nothing gives up.
struct LoopSpan {
    private let ending: Ending
    private let options: RunOptions
    /// Time until which the window stays empty at most; nil once something was presented.
    private var emptyUntil: Time? = Time.now + .milliseconds(150)
    /// Time at which the loop ends by itself; nil if it does not.
    private(set) var endsAt: Time?
    /// Exit status; nil while the loop goes on.
    private(set) var status: Int32?

    init(_ ending: Ending, _ options: RunOptions) { (self.ending, self.options) = (ending, options) }

    mutating func begin() {
        endsAt = options.length.map { Time.now + $0 }
        if let endsAt { ending.expect(by: endsAt.nanoseconds) }
    }

    /// Returns the time until which nothing is presented; nil if the scene is. Ends the loop if the wall gives up.
    mutating func pause(_ outlook: Snapshot.Outlook, _ setup: WindowSetup) -> Time? {
        if outlook == .barren, givesUp(setup) {
            status = ExitStatus.failed
            return .distantFuture
        }
        if let emptyUntil, outlook == .incomplete, Time.now < emptyUntil { return emptyUntil }
        emptyUntil = nil
        return nil
    }

    /// Returns true if all sources are on this machine, and reports that nothing could be played.
    private func givesUp(_ setup: WindowSetup) -> Bool {
        let sources = setup.layout.playingTiles.flatMap { $0.play.flatMap { $0.segments.map(\.source) } }
        // Only the layout that the wall was started with counts, not layouts loaded later.
        guard !options.waitsForSources, !options.isIdle, setup.isFirstLayout,
            !sources.contains(where: { SourceName.path(of: $0) == nil })
        else { return false }
        printLine("quadrille: nothing could be played; with --wait the program keeps trying")
        return true
    }

    /// Ends the loop. A later call replaces the status.
    mutating func end(_ status: Int32) { self.status = status }

    /// Ends the loop if another thread asked for that, or its time is over. A status that was set before stays.
    mutating func update() {
        if let asked = ending.status { status = status ?? asked }
        if let endsAt, Time.now >= endsAt { status = status ?? ExitStatus.done }
    }
}

/// Records the counts of the wall in the trace from time to time. Main thread only.
struct PeriodicCounts {
    private let record: (() -> Void)?
    /// Time of the next counts; nil if there is no trace.
    private(set) var dueAt: Time?

    /// A power cut loses no more than the counts of this time.
    private static let interval = Time.seconds(600)

    /// `record`: nil if there is no trace.
    init(_ record: (() -> Void)?) {
        self.record = record
        dueAt = record.map { _ in Time.now + Self.interval }
    }

    mutating func update() {
        guard let due = dueAt, Time.now >= due else { return }
        record?()
        dueAt = Time.now + Self.interval
    }
}

/// Marks that lie over the wall for some time. Main thread only.
struct Overlay {
    var marks = MarksVisibility()
    /// True until the first frames of a comparison are shown, if the wall was begun as one.
    private var awaitsComparison: Bool

    init(begins content: WallContent) {
        if case .comparison = content { awaitsComparison = true } else { awaitsComparison = false }
    }

    /// Adds the visible marks to a scene. `next` becomes the time at which they change, if that is earlier.
    mutating func mark(_ scene: inout Scene, _ next: inout Time?, of wall: inout Wall, at now: Time) {
        if awaitsComparison, scene.views.contains(where: \.content.isComparison) {
            awaitsComparison = false
            marks.opened(at: now)
        }
        let (visible, change) = marks.visibility(at: now)
        let marked = wall.mark(&scene, visible, at: now)
        next = [next, change, marked].compactMap { $0 }.min()
    }

    /// Adds the card of a wall that has nothing to play: its name, and how to begin. Visitors see the name alone.
    func addCard(of layout: Layout, socket: String?, to scene: inout Scene) {
        var lines: [String] = []
        if layout.window.input == .all { lines.append("drop films, images, folders or a layout here") }
        if !layout.hidesMessages, let socket {
            lines += ["quadrille ctl loadfile FILE plays a file", "control socket: \(socket.printable)"]
        }
        if layout.window.input == .all { lines.append("h shows the keys") }
        scene.overlay.idle = IdleCard(name: layout.title, lines: lines)
    }

    mutating func pointerMoved(to point: Point) {
        commanded()
        marks.pointer = point
    }

    mutating func commanded() { marks.commanded(at: Time.now) }
}

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
