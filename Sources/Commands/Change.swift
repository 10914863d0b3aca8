import Base

/// A change that a user, a program, a schedule or a part of the wall asks for, by any input. `Wall.apply` makes all changes.
///
/// `CommandTable` makes one of each text command, and `KeyTable` of each key. A property's setter states the change that
/// sets it. Features answer with changes.
public enum Change: Hashable, Sendable {
    // When, and for which tiles.
    /// Makes the change at this wall time, or at once if that time is over.
    indirect case at(Time, Change)
    /// Makes the change for another target than the one that comes with it.
    indirect case to(Target, Change)

    // The time of a tile.
    case pause(Switching, Scope)
    /// Steps by frames, forward or back, and pauses.
    case step(by: Int, Scope)
    /// Steps to the next frame of any tile of the group, or back to the one before, and pauses.
    case stepOfAny(by: Int)
    case seek(Seek, Scope)
    /// Seeks to the nearest key frame, which is decoded at once, if the source lists its key frames.
    case seekToKeyFrame(near: Seek, Scope)
    /// Goes to the beginning. For a group, all its tiles are in step again.
    case home(Scope)
    /// Goes to the last frame of the item on screen, and pauses.
    case end(Scope)
    case rate(RateChange, Scope)
    /// Moves the clock of a group to this group time. Needs `Target.clock`.
    case moveClock(to: Time)
    /// Moves the focused tile further ahead of its group's clock.
    case nudge(by: Time)
    /// Moves the focused tile by frames of its own.
    case nudgeByFrame(Int)

    // The sequence of a tile.
    /// Changes the A-B loop of the tile's group.
    case abLoop(ABLoopChange, Scope)
    /// Goes forward or back by items.
    case item(by: Int)
    /// Goes to the start of this item, from 0; nil for the current item of the sequence.
    case goToItem(Int?)
    case sequence(SequenceChange)
    /// Plays the break of this name: when an item ends, or at once if the break's `when` is `now`.
    case playBreak(String)
    /// The clock has reached a time of the break of this name.
    case breakIsDue(String)
    /// Ends the breaks that play, and those that have not begun on all their tiles.
    case endBreaks
    /// Tries at once the sources that have failed.
    case retry(Retried)

    // Sound.
    case focus(FocusMove)
    case mute(Switching, TileOrWall)
    case volume(Amount, TileOrWall)
    case track(TrackChange)
    case subtitles(SubtitleChange)
    /// Transposes the sound of the item on screen by semitones.
    case key(Amount)
    /// Changes the files that make up the sound of the item on screen.
    case stems([StemChange])
    /// Plays the sound of the focused tile alone, even if all tiles are mixed.
    case solo(Switching)
    /// Changes the delay of the sound relative to the frames, in milliseconds.
    case audioDelay(Amount)
    /// Records the microphone while the tile plays. The key sends `toggle`.
    case record(Switching)
    /// Adds the last recording to the sound of the tile's item.
    case useTake

    // View.
    case zoom(Zoom)
    /// On a tile's bar: seeks to that place in its item. Elsewhere: moves the focus there.
    case click(Point)
    case doubleClick(Point)
    case tap(Point)
    case doubleTap(Point)
    case scrub(Scrub)
    /// Magnifies the tiles in the group of the tile at a point of the window; nil for the focused tile's group.
    case magnify(Magnify, at: Point?)
    case compare(Compare)
    /// Switches the figures of shown frames on or off.
    case figures
    /// Pauses at the worst of the frames whose figures were measured, then at the next worst.
    case nextWorst
    case blind(Blind)
    /// Shows a line on what or who comes next on the tile; empty: none.
    case nextUp(String)
    /// Keeps the delay at which the user sees flash and click meet.
    case keepDelay
    /// Shows a text until the next change, or for as long as marks stay.
    case notice(String)
    /// Shows a text over the wall for a time; nil removes it.
    case announce(String?, for: Time)
    /// Shows a text over the wall for a time, whatever else is shown. It may have several lines.
    case showText(String, for: Time)
    case window(WindowCommand)

    /// Changes a property of the wall or of a tile, by its name or a path. Stands for the change that its setter states.
    case property(String, PropertyChange, Scope)
    /// A change that only the parts of the player ask for.
    case inPlayer(PlayerChange)

    // Changes that need the program around the wall. The wall refuses them.
    /// Plays a source, as it was written.
    case load(String, Loading)
    /// Adds a file of subtitles, as it was written.
    case addSubtitles(String, SubtitleChange.Selecting)
    case program(ProgramRequest)
    case nothing

    public enum Zoom: Hashable, Sendable {
        /// Fills the wall with the focused tile, and back.
        case toggle
        /// Fills the wall with the tile that the change is for.
        case target
        case to(TileID)
        case off
    }
    public enum Retried: Hashable, Sendable { case tile, all }
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
        /// The tile alone, out of step with its group until Home.
        case tileAlone
    }
    public enum Seek: Hashable, Sendable {
        /// By an amount of group time.
        case by(Time)
        /// To this place in the item on screen, from 0 at its in-point.
        case to(Time)
        /// By, or to, a percentage of the item on screen.
        case byPercent(Double)
        case toPercent(Double)
    }
    public enum ABLoopChange: Hashable, Sendable {
        /// Sets A to the frame on screen; the second time sets B; the third time ends the loop.
        case next
        /// Sets A, or B, to this place in the item on screen; nil clears it.
        case a(Time?), b(Time?)
    }
    public enum RateChange: Hashable, Sendable {
        /// Multiplies or divides by 1.1. Both stop at 0.5, 1 and 2 on their way.
        case faster, slower
        case to(Rate)
    }
    public enum FocusMove: Hashable, Sendable {
        /// Number of the tile from 1, in the layout's order.
        case number(Int)
        case next, previous
        /// The tile that the change is for.
        case target
        case tile(TileID)
        /// The tile at a point, in pixels of the window.
        case at(Point)
    }
    /// Change of a volume, on the layout's scale of 0 to 100; of a delay, in milliseconds; of a key, in semitones.
    public enum Amount: Hashable, Sendable {
        case by(Int), to(Int)

        public func applied(to value: Int) -> Int {
            switch self {
            case .by(let change): value + change
            case .to(let value): value
            }
        }
    }
    public enum TileOrWall: Hashable, Sendable { case tile, wall }
    /// Sound track of the item, from 1; nil for none.
    public enum TrackChange: Hashable, Sendable { case next, number(Int?) }
    public enum SubtitleChange: Hashable, Sendable {
        /// Goes on or back in the list, in which off has a place.
        case next(by: Int)
        /// Chooses by number, from 1; nil for none.
        case number(Int?)
        case automatic
        /// Adds a file to the list of the film on screen.
        case add(String, Selecting)

        public enum Selecting: Sendable { case shown, kept }
    }
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
        /// Begins a drag on the tile at this point. On the tile's bar, it seeks to that place in the item first. On the
        /// line of a wipe, it moves the line. An upright drag does nothing else.
        case began(at: Point, Way = .sideways)
        /// Moves by pixels from the start of the drag, to the right and down. The width of the tile or of its bar is
        /// the item's length.
        case moved(by: Int, down: Int = 0)
        case ended

        public enum Way: Sendable { case sideways, upright }
    }
    /// Change of the part of the frames that is shown.
    public enum Magnify: Hashable, Sendable {
        case all
        /// Enlarges, or reduces, around the middle or a point of the window.
        case steps(Double)
        /// Shows so many pixels of the window for one of the frame.
        case to(Double)
        /// Multiplies the size.
        case scale(Double)
        /// Moves the frame by pixels of the window.
        case move(Int, Int)
    }
    /// Compares over the whole wall; otherwise on the focused tile, or on the first tile that compares.
    public enum Compare: Hashable, Sendable {
        /// Compares the focused tile with the tile focused before, over the whole wall. A second time ends the
        /// comparison.
        case toggle
        /// Compares two tiles. The first gets the focus.
        case tiles(TileID, TileID, ComparisonMode?)
        /// Compares the tile that the change is for with the tile of this name.
        case with(String, ComparisonMode?)
        case off
        /// Goes forward or back by modes.
        case mode(by: Int)
        /// In blink mode: shows the other tile, by hand.
        case changeSides
        case turnLine
        case gainDoubled, gainHalved
        /// Sets the factor of a difference; nil lets it be chosen from each frame.
        case gain(Double?)
    }
    /// Step of a blind test.
    public enum Blind: Hashable, Sendable {
        case show(Sight)
        /// Answers that X is the clip seen now.
        case answer

        public enum Sight: String, Sendable { case a, b, x }
    }
    public enum SequenceChange: Hashable, Sendable {
        /// Plays these items: now; after all others; after all others, and at once if nothing plays; after the item on
        /// screen.
        case replace([Item]), append([Item]), appendAndPlay([Item]), insertNext([Item])
        /// Removes an item, from 0; nil for the item on screen.
        case remove(Int?)
        /// Moves the first item to the place of the second.
        case move(Int, to: Int)
        /// Removes all items but the one on screen.
        case clear
        /// Ends the sequence: the tile plays nothing.
        case stop
        /// Number of rounds of the item on screen.
        case rounds(Int)
        case loop(Loop)
    }
    /// Command for the owner of the window.
    public enum WindowCommand: Hashable, Sendable {
        /// Leaves the zoom, or full screen if nothing is zoomed.
        case escape
        case fullscreen(Switching)
        case pictureInPicture
        case info
        case help
        /// Writes what was changed by hand into the layout's file.
        case saveLayout
        /// Brings the window to the front, also a minimised one.
        case raise
        /// Runs commands that the layout states for an event. `cause`: the event, in words.
        case run(KeyCommand, cause: String)
        /// Quits with this exit status.
        case quit(Int)
    }
    public enum PropertyChange: Hashable, Sendable {
        case set(PropertyValue)
        case add(Double)
        case multiply(Double)
        case cycle(isUp: Bool)
        case cycleValues([PropertyValue], isUp: Bool)
    }
    /// The text is the flag of `loadfile`.
    public enum Loading: String, Sendable {
        case replace, append
        case appendAndPlay = "append-play"
        case insertNext = "insert-next"

        /// Returns the change that plays the items of a loaded source.
        public func change(_ items: [Item]) -> Change {
            switch self {
            case .replace: .sequence(.replace(items))
            case .append: .sequence(.append(items))
            case .appendAndPlay: .sequence(.appendAndPlay(items))
            case .insertNext: .sequence(.insertNext(items))
            }
        }
    }
    /// Frame that is saved. A command for a tile saves that tile's in any case.
    public enum Pictured: Hashable, Sendable {
        /// The wall as it is shown.
        case wall
        /// The frame of the focused tile in its own size, without marks.
        case tile
    }
    /// Request to the program around the wall.
    public enum ProgramRequest: Hashable, Sendable {
        /// Saves a frame into a file; nil for a new file, named by date, time and tile.
        case screenshot(Pictured, to: String?)
        /// Closes the help if it is shown; else as `WindowCommand.escape`.
        case escape
        case loadLayout(String), reloadLayout, saveLayout(String?)
        case press(String)
        case bind(String, to: String)
    }
}

extension Change {
    /// Returns the change limited to `scope` if it changes time; any other change as it is.
    public func scoped(_ scope: Scope) -> Change {
        switch self {
        case .pause(let switching, _): .pause(switching, scope)
        case .step(let by, _): .step(by: by, scope)
        case .seek(let seek, _): .seek(seek, scope)
        case .seekToKeyFrame(let seek, _): .seekToKeyFrame(near: seek, scope)
        case .home(_): .home(scope)
        case .end(_): .end(scope)
        case .rate(let change, _): .rate(change, scope)
        case .abLoop(let change, _): .abLoop(change, scope)
        case .property(let name, let change, _): .property(name, change, scope)
        case .at(let instant, let change): .at(instant, change.scoped(scope))
        case .to(let target, let change): .to(target, change.scoped(scope))
        default: self
        }
    }

    /// True if the change changes the time of a whole group, unless it is limited to a tile.
    public var isOfTime: Bool { scoped(.group) != scoped(.tileAlone) }

    /// True if the change changes one tile, and no other tile of its group.
    public var isOfOneTile: Bool {
        switch self {
        case .item, .goToItem, .sequence, .track, .key, .stems, .subtitles, .useTake, .nudge, .nudgeByFrame: true
        case .nextUp, .retry(.tile): true
        case .mute(_, .tile), .volume(_, .tile): true
        default: false
        }
    }
}
