import Base
import Commands
import Console
import Engine
import Files
import Glibc
import Layout
import Player
import Threads

/// The layouts of a wall that plays: the one that was loaded, and the one that is shown, which its schedule may name.
/// Loads and rereads layouts, and writes changes into the file of the one that is shown. Calls wait for files. They
/// come from one thread at a time, and never from the main thread.
final class LayoutKeeper: Sendable {
    let wall: RunningWall
    let options: PlayOptions
    private let record: @Sendable ([Event]) -> Void
    let printLine: @Sendable (String) -> Void
    let setDisplay: @Sendable (DisplaySwitch.Power) -> Void
    let layouts: Monitor<KeptLayouts>
    let watch = Monitor<FileWatch?>(nil)
    let timer = Monitor<CalendarTimer?>(nil)

    /// A saved layout is read when nothing has been written to it for this time, in nanoseconds.
    static let layoutQuiet: Int64 = 100_000_000
    /// The same for media, which are copied slowly.
    static let mediaQuiet: Int64 = 2_000_000_000

    /// `first`: the layout that `wall` plays. `record` takes events, `printLine` lines for the user, `setDisplay` the
    /// power of the display. Any thread may call them.
    init(
        _ wall: RunningWall, _ options: PlayOptions, _ first: FirstLayout,
        record: @escaping @Sendable ([Event]) -> Void,
        printLine: @escaping @Sendable (String) -> Void, setDisplay: @escaping @Sendable (DisplaySwitch.Power) -> Void
    ) {
        (self.wall, self.options, self.record, self.printLine) = (wall, options, record, printLine)
        self.setDisplay = setDisplay
        layouts = Monitor(KeptLayouts(first))
        note(first.sources)
    }

    /// Absolute path of the layout that is shown; nil if the wall plays no layout's file.
    var path: String? { name.map(absolute) }

    var name: String? { layouts.locked { $0.shown.name } }

    /// Resolves a source as it is written in the layout, or without a layout as on the command line. nil if no file has
    /// this name.
    func resolved(_ source: String) -> String? { SourceName.resolved(source, besideLayout: name) }

    /// Returns the items of a source, as in a sequence.
    func items(of location: String) -> [Item] {
        var layout = Layout.ofMedia([location]), sources = PlayedSources(quiet: 0)
        let item = layout.tiles.first?.play ?? []
        sources.expand(&layout)
        sources.troubles.forEach(printLine)
        return layout.tiles.first?.play ?? item
    }

    func emit(_ what: Event.What) { record([Event(at: Time.now, what: what)]) }

    /// Stops the timer and the watch. Returns the names of the threads that have not ended in time.
    func stop() -> [String] {
        let watch = watch.locked { watch in
            defer { watch = nil }
            return watch
        }
        let timer = timer.locked { timer in
            defer { timer = nil }
            return timer
        }
        return (timer?.stop() == .stillRunning ? ["schedule"] : [])
            + (watch?.stop(within: 1_000_000_000) == .stillRunning ? ["watch"] : [])
    }
}

/// Returns an absolute path. A relative one is taken from the working folder.
func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return path == "." ? String(cString: folder) : String(cString: folder) + "/" + path
}
