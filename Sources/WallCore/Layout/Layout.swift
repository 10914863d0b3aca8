/// A layout as it was written, checked, with defaults filled in. Pure data.
public struct Layout: Sendable, Equatable {
    /// Title of the window. Default: the name of the file.
    public var title: String
    public var window = WindowLayout()
    public var pipelines = PipelineCount.count(4)
    public var overflow = Overflow.rotate(every: .seconds(10))
    public var quality = Quality.auto
    /// Memory for the decoded frames of the whole wall.
    public var memoryMiB = 256
    /// Largest size of frames that are decoded.
    public var maxPixels = FrameLimit.usual.size
    public var hidden = Hidden.run
    /// True if cards show what is wrong. If nil, they do so unless the window takes no input.
    public var onScreenErrors: Bool?
    /// Age of its newest frame at which a live tile is dimmed, unless the tile sets its own.
    public var staleAfter = TimeLimit.after(.seconds(5))
    /// Time after which identical frames of a live source are reported, unless the tile sets its own.
    public var frozenAfter = TimeLimit.never
    /// Missing columns and rows are derived from the number of tiles.
    public var grid = GridLayout()
    /// Groups in the order of the file. "main" is always among them.
    public var groups: [GroupLayout] = [GroupLayout(name: "main")]
    public var audio = AudioLayout()
    /// Layouts shown instead at certain times; nil if there is no schedule.
    public var schedule: Schedule?
    public var breaks: [BreakLayout] = []
    /// Commands of keys, in addition to their usual commands or instead of them.
    public var keys: [KeyPress: KeyCommand] = [:]
    public var tiles: [TileLayout]

    public init(title: String, tiles: [TileLayout]) { (self.title, self.tiles) = (title, tiles) }

    var showsErrors: Bool { onScreenErrors ?? (window.input == .all) }

    /// True if the wall is for visitors: cards, spinners and messages are hidden.
    var hidesMessages: Bool { window.input == .none && !showsErrors }

    var frameLimit: FrameLimit { FrameLimit(size: maxPixels, memory: memoryMiB << 20) }
}

public struct WindowLayout: Sendable, Equatable {
    public var size = Size(1280, 720)
    /// Distance from the display's corner; nil if the window is centred.
    public var position: Point?
    public var display = 0
    public var fullscreen = Fullscreen.off
    public var isBorderless = false
    public var background = Color.black
    public var input = WindowInput.all
    public init() {}
}

public enum Fullscreen: Sendable, Hashable { case off, on, whilePlaying }
public enum WindowInput: String, Sendable, Hashable { case all, none }
public enum PipelineCount: Sendable, Hashable { case count(Int), auto }
public enum Overflow: Sendable, Hashable { case rotate(every: Time), first, largest }
public enum Quality: String, Sendable, Hashable { case exact, auto }
public enum Hidden: String, Sendable, Hashable { case run, sound, pause }

public struct GridLayout: Sendable, Equatable {
    public var columns = 1
    public var rows = 1
    /// Pixels of window.size, scaled with it.
    public var gap = 0
    public var margin = 0
    public init() {}
}

public struct GroupLayout: Sendable, Equatable {
    public var name: String
    public var loop = GroupLoop.each
    public var until = Until.longest
    /// Clock position when the wall starts, and clock rate. Each is nil if the layout does not name it.
    public var at: Time?
    public var rate: Rate?
    public init(name: String) { self.name = name }
}

public enum GroupLoop: String, Sendable, Hashable { case each, together }
public enum Until: String, Sendable, Hashable { case longest, shortest }

public struct AudioLayout: Sendable, Equatable {
    public var mode = AudioMode.focus
    /// Index of the tile with the focus. Default: the first.
    public var focus = 0
    public var volume = 100
    /// Delay of the sound if positive, of the frames if negative.
    public var delayMilliseconds = 0
    /// True if the layout or the command line states the delay. Otherwise the calibrated delay applies.
    public var statesDelay = false
    public var bed: Bed?
    /// Name of the sound input that is recorded and monitored; nil means the server's default.
    public var input: String?
    /// True if the singer hears the microphone.
    public var monitorsInput = false
    public init() {}

    /// Delay of the frames.
    public var frameHold: Time { .milliseconds(Int64(max(0, -delayMilliseconds))) }

    public struct Bed: Sendable, Equatable {
        public var source: String
        public var volume = 100
        public var clock = BedClock.own
        public init(source: String) { self.source = source }
    }
}

public enum AudioMode: String, Sendable, Hashable { case focus, mix }
public enum BedClock: String, Sendable, Hashable { case own, wall }

public struct TileLayout: Sendable, Equatable {
    public var id: String
    public var place: Place
    public var group = "main"
    public var offset = Time.zero
    /// Empty if the tile compares.
    public var play: [Item]
    public var compare: ComparisonLayout?
    /// Id of the tile that compares this one, which is not drawn itself; nil for other tiles.
    var comparedBy: String?
    public var loop = Loop.forever
    public var fit = Fit.contain
    /// Image shown until the first frame; nil means "auto", the first frame of the first item.
    public var poster: String?
    public var isMuted = false
    public var volume = 100
    public var label: String?
    public var pip = PictureInPicture.allowed
    /// Transition at all of its seams, unless an item sets its own.
    public var transition = Transition.cut
    public var onError = OnError.next
    /// nil means the layout's.
    public var staleAfter: TimeLimit?
    /// nil means the layout's.
    public var frozenAfter: TimeLimit?

    public init(id: String, place: Place, play: [Item]) { (self.id, self.place, self.play) = (id, place, play) }

    public enum Place: Sendable, Equatable {
        case cell(column: Int, row: Int, columns: Int, rows: Int)
        /// Fractions of the window.
        case fractions(Fractions)
        /// Pixels of window.size.
        case pixels(Rect)
    }
}

/// Number of iterations in all.
public enum Loop: Sendable, Hashable { case forever, iterations(Int) }
public enum PictureInPicture: Sendable, Hashable { case allowed, denied, automatic }
/// Transition from one item to the next.
public enum Transition: Sendable, Hashable {
    case cut
    /// The later item fades in over the earlier one for this time.
    case fade(Time)

    public static let longest = Time.seconds(2)

    public var length: Time { if case .fade(let length) = self { length } else { .zero } }
}

public enum OnError: String, Sendable, Hashable { case next, hold, stop }

/// Time after which a state is reported.
public enum TimeLimit: Sendable, Hashable {
    case never
    case after(Time)

    var time: Time? { if case .after(let time) = self { time } else { nil } }

    static let shortest = Time.milliseconds(100)
    static let longest = Time.seconds(86400)
}

/// An entry of a sequence.
public struct Item: Sendable, Hashable {
    /// One segment, or several in order, which are played as one item with one length.
    public var segments: [Segment]
    public var rate = Rate.one
    /// Number of rounds in all.
    public var rounds = 1
    /// Duration of a still image; nil means 5 s.
    public var duration: Time?
    public var audio = ItemAudio.track(1)
    /// Semitones by which its sound is raised, -12 to 12.
    public var key = 0
    /// Crop of the upright frame, before turn and flip.
    public var crop = Fractions.all
    public var turn = Turn.none
    public var flip = Flip.none
    /// Frames that are deinterlaced; nil if the layout does not state it.
    public var deinterlacing: Deinterlacing?
    /// Limit for adaptive streams in bits per second; nil means what fits the tile.
    public var maxBitrate: Int?
    /// Time by which network sources are read ahead.
    public var ahead = Time.seconds(5)
    /// Transition at the seam before it; nil means the tile's.
    public var transition: Transition?
    public var lyrics = ItemLyrics.unspecified
    /// File of the song, if the item was made from a song file; nil otherwise.
    public var song: String?
    /// Part of a duet that is shown, from 1 to 9; nil means all.
    public var voice: Int?

    public init(segments: [Segment]) { self.segments = segments }

    public struct Segment: Sendable, Hashable {
        /// An absolute path, a path relative to the working directory, or a URL. It can be opened as it is.
        public var source: String
        public var start = Time.zero
        /// nil means the end of the source.
        public var end: Time?
        public var rate = Rate.one
        /// Duration of a still image among other segments; nil means the item's.
        public var duration: Time?
        /// Time in the song at which the segment begins, from which the item's other sound and its lyrics count; nil
        /// means `start`.
        public var songStart: Time?
        public init(source: String) { self.source = source }

        /// Name of the source for display, without passwords.
        public var name: String { SourceName.withoutSecrets(source) }
    }
}

public enum ItemAudio: Sendable, Hashable {
    /// Track number from 1.
    case track(Int)
    case language(String)
    case silent
    case other(OtherSound)
    case stems(Stems)

    public struct OtherSound: Sendable, Hashable {
        /// File of the sound; nil means the item's own.
        public var source: String?
        /// Track from 1, or by language; nil means the first.
        public var track: Int?
        public var language: String?
        public var channel = Channel.both
        public var offset = Time.zero
        public var volume = 100
        public init() {}
    }
    public enum Channel: String, Sendable, Hashable { case both, left, right }
}
