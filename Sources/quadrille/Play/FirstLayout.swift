import Console
import Layout
import Player
import Policy

/// Layout with which a wall begins: the loaded one, or the one that its schedule states now.
struct FirstLayout {
    let loaded: LoadedLayout
    /// The layout as it is written.
    private(set) var written: Layout
    /// The layout with its folders read.
    private(set) var layout: Layout
    let sources: PlayedSources
    private(set) var scheduled: ScheduledLayout?
    /// Scheduled layout that is wrong or missing; nil if there is none. Its mistakes have been printed.
    private(set) var refused: ScheduledLayout?

    init(_ loaded: LoadedLayout) {
        (self.loaded, written) = (loaded, loaded.layout)
        if let path = Self.scheduledPath(in: loaded.layout) {
            let (result, file) = LayoutFile.read(path)
            if let read = result.layoutPrintingMistakes() {
                (written, scheduled) = (read, ScheduledLayout(path: path, file: file))
            } else {
                refused = ScheduledLayout(path: path, file: file, wasRead: result.wasRead)
            }
        }
        // Files that are there before the wall plays count as complete.
        var sources = PlayedSources(quiet: 0)
        layout = written
        sources.expand(&layout)
        self.sources = sources
    }

    private static func scheduledPath(in layout: Layout) -> String? {
        guard let schedule = layout.schedule, let due = schedule.entry(at: SystemTime.now, .here),
            case .layout(let path) = schedule.entries[due].shows
        else { return nil }
        return path
    }
}
