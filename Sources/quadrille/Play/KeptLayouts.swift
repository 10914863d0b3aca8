import Base
import Console
import Files
import Layout
import Player

/// The layouts of a wall: the one that was loaded, those that its schedule names, and the one that is shown.
struct KeptLayouts {
    private(set) var loaded: LoadedLayout
    /// Scheduled layout that is shown; nil while the loaded one is.
    private(set) var scheduled: ScheduledLayout?
    /// Scheduled layout that could not be shown; nil if there is none.
    private(set) var refused: ScheduledLayout?
    /// True if the wall has played the loaded layout, and no other, since it was loaded.
    private(set) var isLoadedShown: Bool
    private(set) var shown: ShownLayout
    var folders = PlayedFolders()
    var applied = AppliedSchedule()

    struct ShownLayout {
        /// The layout as it is written: with its folders and songs not yet read.
        let layout: Layout
        /// Name of its file; nil if it has none. The loaded layout may not be shown yet.
        let name: String?
    }

    init(_ first: FirstLayout) {
        (loaded, scheduled, refused) = (first.loaded, first.scheduled, first.refused)
        isLoadedShown = first.scheduled == nil
        shown = ShownLayout(layout: first.written, name: first.scheduled?.path ?? first.loaded.name)
    }

    // MARK: the loaded layout

    mutating func load(_ layout: LoadedLayout) { (loaded, isLoadedShown) = (layout, false) }

    /// Notes that file `name` is wrong or can't be read. A wrong file is not read again until it changes.
    mutating func noteFailure(of name: String, _ file: FileIdentity?, wasRead: Bool) {
        if loaded.name == name { (loaded.file, loaded.wasRead) = (file, wasRead) }
    }

    mutating func showLoaded() { (scheduled, refused, isLoadedShown) = (nil, nil, true) }

    // MARK: scheduled layouts

    mutating func show(_ read: ScheduledLayout) { (scheduled, refused, isLoadedShown) = (read, nil, false) }
    mutating func refuse(_ read: ScheduledLayout?) { refused = read }

    /// Notes that the file of the scheduled layout was read again.
    mutating func noteScheduled(_ file: FileIdentity?, wasRead: Bool) {
        scheduled?.file = file
        scheduled?.wasRead = wasRead
    }

    // MARK: both

    mutating func show(_ layout: Layout, from name: String?) { shown = ShownLayout(layout: layout, name: name) }

    /// Names of the files of all these layouts.
    var names: [String] { [loaded.name, scheduled?.path, refused?.path].compactMap { $0 } }

    /// Notes that a layout was written to the file `target`. `saved`: returns that layout under a name.
    mutating func noteSaved(_ file: FileIdentity?, to target: String, saved: (String) -> Layout?) {
        if let name = loaded.name, absolute(name) == target {
            loaded.file = file
            // The loaded layout may be shown again after a scheduled one.
            if let layout = saved(name) { loaded.layout = layout }
        }
        if scheduled.map({ absolute($0.path) }) == target { scheduled?.file = file }
    }
}
