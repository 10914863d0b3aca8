import Files
import WallCore

/// A layout as it was loaded, without what the command line adds.
struct LoadedLayout {
    /// As it was written, so that its sources are called what they were; nil: media without a layout, or standard input.
    var name: String?
    /// Which file was read last, so that a change of it is noticed.
    var file: FileIdentity?
    var layout: Layout
    /// Else the system refused the file when it was read last, which may iteration while it stays as it is.
    var wasRead = true
}

/// A layout's file that the schedule names, as it was when it was read.
struct ScheduledLayout: Equatable {
    var path: String
    /// nil: there was none.
    var file: FileIdentity?
    /// Else the system refused it, which may iteration while the file stays as it is.
    var wasRead = true
}

/// What a wall begins with: the layout that was loaded, or the one that its schedule says now.
struct FirstLayout {
    let loaded: LoadedLayout
    /// As it is written.
    private(set) var written: Layout
    /// Its folders are read.
    private(set) var layout: Layout
    let sources: PlayedSources
    private(set) var scheduled: ScheduledLayout?
    /// Was to be shown, and is wrong or gone, which has been said by then.
    private(set) var refused: ScheduledLayout?

    init(_ loaded: LoadedLayout) {
        (self.loaded, written) = (loaded, loaded.layout)
        if let path = Self.scheduledPath(in: loaded.layout) {
            let (reading, file) = Input.layout(at: path)
            if let read = reading.layout() {
                (written, scheduled) = (read, ScheduledLayout(path: path, file: file))
            } else {
                refused = ScheduledLayout(path: path, file: file, wasRead: reading.wasRead)
            }
        }
        // What is there before the wall plays is there to be played.
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
