/// What a person, a program or a schedule asks the wall for, whatever it was asked with.
public enum Command: Hashable, Sendable {
    // Of a tile's time.
    case pause(Switching, Scope)
    /// Frames on, or back; pauses.
    case step(by: Int, Scope)
    /// To the next frame of any tile of the group, or back to the one before; pauses.
    case stepOfAny(by: Int)
    case seek(Seek, Scope)
    /// To the nearest key frame, which is decoded at once, where the source says where those are.
    case seekToKeyFrame(near: Seek, Scope)
    /// To the beginning; for a group all its tiles in step again.
    case home(Scope)
    /// To the last frame of the item on screen; pauses.
    case end(Scope)
    case rate(RateChange, Scope)
    /// So much further ahead of its group's clock.
    case nudge(by: Time)
    /// By frames of the tile's own.
    case nudgeByFrame(Int)

    // Of what a tile plays.
    /// Of what its group plays again and again.
    case abLoop(ABLoopChange, Scope)
    /// Items on, or back.
    case item(by: Int)
    /// To this item, from 0.
    case goToItem(Int)
    case sequence(SequenceChange)
    /// A break of the layout's, as soon as an item ends; nil: those that play are over.
    case takeBreak(String?)

    // Of who is heard.
    case focus(FocusMove)
    case mute(Switching, MuteTarget)
    case volume(Amount, VolumeTarget)
    case track(TrackChange)
    /// Of the sound of the item on screen: by semitones.
    case key(Amount)
    /// Of the files that the sound of the item on screen is made of.
    case stems([StemChange])
    /// Only the focused tile is heard, also where all are mixed.
    case solo(Switching)
    /// In milliseconds: how much later the sound is than the frames.
    case audioDelay(Amount)
    /// Of the microphone, to what the tile plays; `toggle` is the key's.
    case record(Switching)
    /// The last recording under what the tile plays.
    case useTake

    // Of what is seen.
    case zoom(Zoom)
    /// On a tile's bar: to that place in its item; else the focus comes there.
    case click(Point)
    case doubleClick(Point)
    case tap(Point)
    case doubleTap(Point)
    case scrub(Scrub)
    /// Of the tiles of the group of the one at a point of the window; nil: of the focused tile's.
    case magnify(Magnify, at: Point?)
    case compare(Compare)
    /// Those of shown frames, on or off.
    case figures
    case blind(Blind)
    /// By eye: flash and click meet.
    case keepDelay
    case window(WindowCommand)

    public enum Zoom: Hashable, Sendable {
        /// The focused tile fills the wall, and back.
        case toggle
        case to(TileID)
        case off
    }
    public enum Switching: Hashable, Sendable {
        case on, off, toggle

        public func applied(to isOn: Bool) -> Bool {
            switch self {
            case .on: true
            case .off: false
            case .toggle: !isOn
            }
        }
    }
    public enum Scope: Hashable, Sendable {
        case group
        /// The tile, which leaves its group's step until Home.
        case tileAlone
    }
    public enum Seek: Hashable, Sendable {
        /// By group time.
        case by(Time)
        /// To this place in the item on screen, from 0 at its in-point.
        case to(Time)
        /// By, and to, hundredths of the item on screen.
        case byPercent(Double)
        case toPercent(Double)
    }
    public enum ABLoopChange: Hashable, Sendable {
        /// The frame on screen is its first; the one on screen is its last; all is played again.
        case next
        /// It begins, or ends, at this place in the item on screen; nil: nowhere.
        case a(Time?), b(Time?)
    }
    public enum RateChange: Hashable, Sendable {
        /// Times 1.1; divided by 1.1; both stop at 0.5, 1 and 2 on their way.
        case faster, slower
        case doubled, halved
        /// 1.
        case reset
        case to(Rate)
    }
    public enum FocusMove: Hashable, Sendable {
        /// From 1, in the layout's order.
        case number(Int)
        case next, previous
        case tile(TileID)
        /// The tile under it, in pixels of the window.
        case at(Point)
    }
    /// Of a volume, on the layout's scale of 0 to 100; of a delay, in milliseconds.
    public enum Amount: Hashable, Sendable {
        case by(Int), to(Int)

        func applied(to value: Int) -> Int {
            switch self {
            case .by(let change): value + change
            case .to(let value): value
            }
        }
    }
    public enum MuteTarget: Hashable, Sendable { case tile, wall }
    public enum VolumeTarget: Hashable, Sendable { case tile, wall }
    /// Of the item's sound tracks; from 1, nil: none is heard.
    public enum TrackChange: Hashable, Sendable { case next, number(Int?) }
    public struct StemChange: Hashable, Sendable {
        public let stem: Stem
        public var mute: Switching?
        public var volume: Amount?

        public enum Stem: Hashable, Sendable { case named(String), number(Int) }

        public init(_ stem: Stem, mute: Switching? = nil, volume: Amount? = nil) {
            (self.stem, self.mute, self.volume) = (stem, mute, volume)
        }
    }
    public enum Scrub: Hashable, Sendable {
        /// Where the drag began, which says of which tile; on its bar, that place in the item comes first. On the line
        /// of a wipe it moves that; up and down it does nothing else.
        case began(at: Point, Way = .sideways)
        /// Pixels to the right of where it began, and below it; the tile's width, or its bar's, is the item's length.
        case moved(by: Int, down: Int = 0)
        case ended

        public enum Way: Sendable { case sideways, upright }
    }
    /// Which part of the frames is shown.
    public enum Magnify: Hashable, Sendable {
        case all
        /// Larger, or smaller, around the middle or a point of the window.
        case steps(Double)
        /// So many times as large.
        case scale(Double)
        /// The frame by so many pixels of the window.
        case move(Int, Int)
    }
    /// Of what is compared: over the whole wall, else on the focused tile, else on the first that compares.
    public enum Compare: Hashable, Sendable {
        /// The focused tile against the one that had the focus before, over the whole wall, and back.
        case toggle
        /// The first gets the focus.
        case tiles(TileID, TileID, ComparisonMode?)
        case off
        /// Modes on, or back.
        case mode(by: Int)
        /// In blink: which is shown, by hand.
        case changeSides
        case turnLine
        case gainDoubled, gainHalved
    }
    /// Of a blind test.
    public enum Blind: Hashable, Sendable {
        case show(BlindTest.Sight)
        /// X is what is seen now.
        case answer
    }
    public enum SequenceChange: Hashable, Sendable {
        /// Plays these now; after all; after all, and at once where nothing plays; after the item on screen.
        case replace([Item]), append([Item]), appendAndPlay([Item]), insertNext([Item])
        /// From 0; nil: the item on screen.
        case remove(Int?)
        /// The first takes the place of the second.
        case move(Int, to: Int)
        /// All but the item on screen.
        case clear
        /// Nothing is played any more.
        case stop
        /// How often the item on screen is played in all.
        case rounds(Int)
        case loop(Loop)
    }
    /// What concerns whoever has the window.
    public enum WindowCommand: Hashable, Sendable {
        /// Back from the zoom; from full screen, if nothing is zoomed.
        case escape
        case fullscreen(Switching)
        case pictureInPicture
        case info
        case help
        /// The wall as a PNG in the working folder; its name is said.
        case screenshot
        /// What was changed by hand into the layout's file.
        case saveLayout
        /// A text over the wall for so long.
        case showText(String, Time)
        /// With this exit status.
        case quit(Int)
    }
}
