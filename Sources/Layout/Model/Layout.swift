import Base
import Commands

/// A layout as it was written, checked, with defaults filled in. Pure data. The members of its parts about decoding
/// and showing are read and set as members of the layout.
@dynamicMemberLookup
public struct Layout: Sendable, Equatable {
    /// Title of the window. Default: the name of the file.
    public var title: String
    public var window = WindowLayout()
    public var decoding = Decoding()
    public var showing = Showing()
    /// Number of iterations of tiles that an empty wall gets.
    public var loopOfAdded = Loop.forever
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

    /// How much is decoded at once, and how exactly.
    public struct Decoding: Sendable, Equatable {
        public var pipelines = PipelineCount.count(4)
        public var overflow = Overflow.rotate(every: .seconds(10))
        /// nil if the layout leaves it to what is shown: `exact` for groups that are compared or measured, else `auto`.
        public var quality: Quality?
        /// Memory for the decoded frames of the whole wall.
        public var memoryMiB = 256
        /// Largest size of frames that are decoded.
        public var maxPixels = FrameLimit.usual.size
        /// Tone mapping of the tiles that state none. The reader gives it to them.
        public var toneMapping = StatedToneMapping()
    }

    /// Views over the tiles, and the behaviour of a hidden wall and in trouble.
    public struct Showing: Sendable, Equatable {
        /// Comparison of two tiles that covers the wall; nil for none.
        public var overlaid: ComparisonLayout?
        public var hidden = Hidden.run
        /// True if cards show what is wrong. If nil, they do so unless the window takes no input.
        public var onScreenErrors: Bool?
        /// Age of its newest frame at which a live tile is dimmed, unless the tile sets its own.
        public var staleAfter = TimeLimit.after(.seconds(5))
        /// Time after which identical frames of a live source are reported, unless the tile sets its own.
        public var frozenAfter = TimeLimit.never
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Decoding, Value>) -> Value {
        get { decoding[keyPath: member] }
        set { decoding[keyPath: member] = newValue }
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Showing, Value>) -> Value {
        get { showing[keyPath: member] }
        set { showing[keyPath: member] = newValue }
    }

    public init(title: String, tiles: [TileLayout]) { (self.title, self.tiles) = (title, tiles) }

    public var showsErrors: Bool { showing.onScreenErrors ?? (window.input == .all) }

    /// True if the wall is for visitors: cards, spinners and messages are hidden.
    public var hidesMessages: Bool { window.input == .none && !showsErrors }

    /// Id of the tile that has the focus at first; nil if there is none.
    public var focusName: String? { tiles.indices.contains(audio.focus) ? tiles[audio.focus].id : nil }

    public var frameLimit: FrameLimit { FrameLimit(size: decoding.maxPixels, memory: decoding.memoryMiB << 20) }
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
    /// Part of their frames that the tiles show; nil for whole frames.
    public var part: FramePart?
    public init(name: String) { self.name = name }
}

/// A square part of a frame, in fractions of the part that is shown without it.
public struct FramePart: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var side: Double

    public static let whole = FramePart(x: 0, y: 0, side: 1)
    /// Smallest side. The wall shows at most 16 pixels of the window for one of the frame, whatever the side is.
    static let leastSide = 0.0001

    public init(x: Double, y: Double, side: Double) { (self.x, self.y, self.side) = (x, y, side) }
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

    /// True if the layout asks for a microphone, by its name or to be heard.
    public var asksForMicrophone: Bool { input != nil || monitorsInput }

    /// Delay of the frames.
    public var startDelay: Time { .milliseconds(Int64(max(0, -delayMilliseconds))) }

    public struct Bed: Sendable, Equatable {
        public var source: String
        public var volume = 100
        public var clock = BedClock.own
    }
}

public enum AudioMode: String, Sendable, Hashable { case focus, mix }

public enum BedClock: String, Sendable, Hashable { case own, wall }

/// A tile. The members of its look, its sound and its course are read and set as members of the tile.
@dynamicMemberLookup
public struct TileLayout: Sendable, Equatable {
    public var id: String
    public var place: Place
    public var group = "main"
    public var offset = Time.zero
    public var content: TileContent
    /// Id of the tile that compares this one, which is not drawn itself; nil for other tiles.
    public var comparedBy: String?
    /// Settings for decoding all of its items, beside those of each item (`DecodeSettings.inTile`).
    public var decoding = DecodeSettings()
    public var look = Look()
    public var sound = Sound()
    public var course = Course()
    /// Times after which the state of a live source is reported; nil means the layout's.
    public var staleAfter: TimeLimit?
    public var frozenAfter: TimeLimit?

    /// How the tile shows what it plays.
    public struct Look: Sendable, Equatable {
        public var fit = Fit.contain
        /// Image shown until the first frame; nil means "auto", the first frame of the first item.
        public var poster: String?
        public var label: String?
        /// True if cards announce its items, and lines the next ones.
        public var announces = false
        public var subtitles = SubtitleChoice.off
        public var pip = PictureInPicture.allowed
    }

    public struct Sound: Sendable, Equatable {
        public var isMuted = false
        public var volume = 100
        /// From -1, the left side alone, to 1, the right side alone.
        public var balance = 0.0
    }

    /// How its items follow each other.
    public struct Course: Sendable, Equatable {
        public var loop = Loop.forever
        /// Transition at all of its seams, unless an item sets its own.
        public var transition = Transition.cut
        public var onError = OnError.next
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Look, Value>) -> Value {
        get { look[keyPath: member] }
        set { look[keyPath: member] = newValue }
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Sound, Value>) -> Value {
        get { sound[keyPath: member] }
        set { sound[keyPath: member] = newValue }
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Course, Value>) -> Value {
        get { course[keyPath: member] }
        set { course[keyPath: member] = newValue }
    }

    public init(id: String, place: Place, content: TileContent) {
        (self.id, self.place, self.content) = (id, place, content)
    }

    public init(id: String, place: Place, play: [Item]) { self.init(id: id, place: place, content: .sequence(play)) }

    /// Stands for a tile that was removed. It plays nothing.
    public static var missing: TileLayout { TileLayout(id: "", place: .pixels(Rect(0, 0, 0, 0)), play: []) }

    public enum Place: Sendable, Equatable {
        case cell(column: Int, row: Int, columns: Int, rows: Int)
        /// Fractions of the window.
        case fractions(Fractions)
        /// Pixels of window.size.
        case pixels(Rect)

        /// The cell of this number, from 0, row by row.
        public static func cell(at number: Int, of grid: GridLayout) -> Place {
            .cell(column: number % grid.columns, row: number / grid.columns, columns: 1, rows: 1)
        }
    }
}

/// Subtitles that a tile shows over its films, in place of lyrics.
public enum SubtitleChoice: Sendable, Hashable {
    case off
    /// Subtitles of a file beside the film, else the first of the film.
    case automatic
    /// Number from 1: first the streams of the film, then the files beside it.
    case number(Int)
    case file(String)

    /// The file that is named; nil if none is.
    public var file: String? { if case .file(let path) = self { path } else { nil } }
}

public enum PictureInPicture: Sendable, Hashable { case allowed, denied, automatic }

public enum OnError: String, Sendable, Hashable { case next, hold, stop }

/// Time after which a state is reported.
public enum TimeLimit: Sendable, Hashable {
    case never
    case after(Time)

    public var time: Time? { if case .after(let time) = self { time } else { nil } }

    static let shortest = Time.milliseconds(100)
    static let longest = Time.seconds(86400)
}
