/// What a person asks the wall for, whatever it was asked with.
public enum Command: Hashable, Sendable {
    case playPause(Scope)
    /// Pictures on, or back; pauses.
    case step(by: Int, Scope)
    case seek(by: Time, Scope)
    /// To the beginning; for a group all its tiles in step again.
    case home(Scope)
    case rate(RateChange, Scope)

    case focus(FocusMove)
    case mute(MuteTarget)
    /// The wall's, on the layout's scale of 0 to 100.
    case volume(by: Int)
    /// The focused tile's next sound track.
    case nextTrack
    /// Of the focused tile: items on, or back.
    case item(by: Int)

    /// The focused tile fills the wall, and back.
    case zoom
    /// Back from the zoom; from full screen, if nothing is zoomed.
    case escape
    case fullscreen
    case pictureInPicture
    case info
    case help
    case quit

    /// A finger's tap: focus on the tile there; if it has the focus already, its group pauses or goes on.
    case tap(Point)
    /// The second of two taps: takes back what the first did to the clock, and zooms.
    case doubleTap(Point)
    case scrub(Scrub)

    public enum Scope: Hashable, Sendable {
        case group
        /// The focused tile, which leaves its group's step until Home.
        case tileAlone
    }
    public enum RateChange: Hashable, Sendable {
        /// Times 1.1; divided by 1.1; 1.
        case faster, slower, reset
    }
    public enum FocusMove: Hashable, Sendable {
        /// From 1, in the layout's order.
        case number(Int)
        case next, previous
        /// The tile under it, in pixels of the window.
        case at(Point)
    }
    public enum MuteTarget: Hashable, Sendable { case tile, wall }
    public enum Scrub: Hashable, Sendable {
        /// Where the drag began, which says of which tile.
        case began(at: Point)
        /// Pixels to the right of where it began; the tile's width is the item's length.
        case moved(by: Int)
        case ended
    }
}
