/// A layout as it was written, checked and with everything unsaid filled in. Pure data.
public struct Layout: Sendable, Equatable {
    /// The window's title; the file's name if unsaid.
    public var title: String
    public var window = WindowLayout()
    public var pipelines = PipelineCount.count(4)
    public var overflow = Overflow.rotate(every: .seconds(10))
    public var quality = Quality.auto
    /// For decoded frames of the whole wall.
    public var memoryMiB = 256
    /// Larger frames are not decoded.
    public var maxPixels = FrameLimit.usual.size
    public var hidden = Hidden.run
    /// Whether cards say what is wrong; nil: not where nobody may press a key.
    public var onScreenErrors: Bool?
    /// A live tile whose newest frame is older is dimmed, where the tile does not say otherwise.
    public var staleAfter = TimeLimit.after(.seconds(5))
    /// A live source that shows one frame for so long is reported, where the tile does not say otherwise.
    public var frozenAfter = TimeLimit.never
    /// Columns and rows are filled in from the number of tiles when unsaid.
    public var grid = GridLayout()
    /// In the order of the file; "main" is always among them.
    public var groups: [GroupLayout] = [GroupLayout(name: "main")]
    public var audio = AudioLayout()
    /// What is shown instead, and when; nil: nothing.
    public var schedule: Schedule?
    public var breaks: [BreakLayout] = []
    /// Commands of keys, in addition to their usual commands or instead of them.
    public var keys: [KeyPress: KeyCommand] = [:]
    public var tiles: [TileLayout]

    public init(title: String, tiles: [TileLayout]) { (self.title, self.tiles) = (title, tiles) }

    var showsErrors: Bool { onScreenErrors ?? (window.input == .all) }

    /// The wall is for visitors: cards, spinners and messages are hidden.
    var hidesMessages: Bool { window.input == .none && !showsErrors }

    var frameLimit: FrameLimit { FrameLimit(size: maxPixels, memory: memoryMiB << 20) }
}

public struct WindowLayout: Sendable, Equatable {
    public var size = Size(1280, 720)
    /// From the display's corner; nil: centred.
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
    /// A place among the tiles; the first if unsaid.
    public var focus = 0
    public var volume = 100
    /// Positive: sound is held back; negative: frames are.
    public var delayMilliseconds = 0
    /// The layout or the command line says it; else what was calibrated holds.
    public var statesDelay = false
    public var bed: Bed?
    /// The sound input that is recorded and monitored, by its name; nil: the server's default.
    public var input: String?
    /// Who sings hears the microphone.
    public var monitorsInput = false
    public init() {}

    /// How long frames are held back.
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
    /// Empty where it compares.
    public var play: [Item]
    public var compare: ComparisonLayout?
    /// The id of the tile that compares what this one plays, which is not drawn itself.
    var comparedBy: String?
    public var loop = Loop.forever
    public var fit = Fit.contain
    /// nil: "auto", the first frame of the first item.
    public var poster: String?
    public var isMuted = false
    public var volume = 100
    public var label: String?
    public var pip = PictureInPicture.allowed
    /// At all of its seams, where an item does not say otherwise of its own.
    public var transition = Transition.cut
    public var onError = OnError.next
    /// nil: the layout's.
    public var staleAfter: TimeLimit?
    /// nil: the layout's.
    public var frozenAfter: TimeLimit?

    public init(id: String, place: Place, play: [Item]) { (self.id, self.place, self.play) = (id, place, play) }

    public enum Place: Sendable, Equatable {
        case cell(column: Int, row: Int, columns: Int, rows: Int)
        /// Parts of the window.
        case fractions(Fractions)
        /// Pixels of window.size.
        case pixels(Rect)
    }
}

/// How many iterations in all.
public enum Loop: Sendable, Hashable { case forever, iterations(Int) }
public enum PictureInPicture: Sendable, Hashable { case allowed, denied, automatic }
/// How one item follows another.
public enum Transition: Sendable, Hashable {
    case cut
    /// For so long both are shown, and the later one comes out of the earlier one.
    case fade(Time)

    public static let longest = Time.seconds(2)

    public var length: Time { if case .fade(let length) = self { length } else { .zero } }
}

public enum OnError: String, Sendable, Hashable { case next, hold, stop }

/// After how long a state is reported.
public enum TimeLimit: Sendable, Hashable {
    case never
    case after(Time)

    var time: Time? { if case .after(let time) = self { time } else { nil } }

    static let shortest = Time.milliseconds(100)
    static let longest = Time.seconds(86400)
}

/// An entry of a sequence.
public struct Item: Sendable, Hashable {
    /// One, or the layout's segments in order; played as one item with one length.
    public var segments: [Segment]
    public var rate = Rate.one
    /// How many times in all.
    public var rounds = 1
    /// For a still image; nil: 5 s.
    public var duration: Time?
    public var audio = ItemAudio.track(1)
    /// Semitones by which its sound is higher, -12 to 12.
    public var key = 0
    /// Of the upright frame, before turn and flip.
    public var crop = Fractions.all
    public var turn = Turn.none
    public var flip = Flip.none
    /// Which of its frames are deinterlaced; nil where it is not said.
    public var deinterlacing: Deinterlacing?
    /// Bits a second, for adaptive streams; nil: what fits the tile.
    public var maxBitrate: Int?
    /// How far network sources are read ahead.
    public var ahead = Time.seconds(5)
    /// Over the seam before it; nil: the tile's.
    public var transition: Transition?
    public var lyrics = ItemLyrics.unspecified
    /// The song's own file, where it is one that is made of others.
    public var song: String?
    /// Whose part of a duet is shown, from 1 to 9; nil: all.
    public var voice: Int?

    public init(segments: [Segment]) { self.segments = segments }

    public struct Segment: Sendable, Hashable {
        /// An absolute path, a path relative to the working directory, or a URL: ready to be opened.
        public var source: String
        public var start = Time.zero
        /// nil: the end.
        public var end: Time?
        public var rate = Rate.one
        /// Of a still image among others; nil: the item's.
        public var duration: Time?
        /// Where in its song it begins: the item's other sound and its words count from there; nil: where it begins
        /// itself.
        public var songStart: Time?
        public init(source: String) { self.source = source }

        /// Its source as people may read it.
        public var name: String { SourceName.withoutSecrets(source) }
    }
}

public enum ItemAudio: Sendable, Hashable {
    /// From 1.
    case track(Int)
    case language(String)
    case silent
    case other(OtherSound)
    case stems(Stems)

    public struct OtherSound: Sendable, Hashable {
        /// Another file's sound; nil: the item's own.
        public var source: String?
        /// From 1, or by language; nil: the first.
        public var track: Int?
        public var language: String?
        public var channel = Channel.both
        public var offset = Time.zero
        public var volume = 100
        public init() {}
    }
    public enum Channel: String, Sendable, Hashable { case both, left, right }
}
