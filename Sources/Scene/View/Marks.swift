import Base
import Heard

/// Everything that is drawn over a tile's frame. Parts that are nil or empty are not drawn.
public struct Marks: Hashable, Sendable {
    /// A bar along the tile's lower edge.
    public var progress: Progress?
    /// Drawn in this order at the upper right corner, the first one at the right.
    public var states: [StateMark] = []
    /// Beside the states.
    public var pace = Pace()
    /// Reasons for a missing frame or sound, or for a clock of its own. Below the states, one line each.
    public var reasons: [Reason] = []
    /// Position of the shown frame in its source, and its number. Below the reasons.
    public var time: String?
    /// Figures of the frame compared with the first tile's. Below the time.
    public var figures = Figures()
    /// Further state of the tile. Below the figures, one line each.
    public var info: [String] = []
    public var comparison = Comparison()
    public var spinner: Spinner?
    public var performance = Performance()
    /// True to dim the frame below, because it is a live source's old frame.
    public var isDimmed = false
    /// Opacity of the border along the tile's edges, 0 to 1.
    public var focusBorder = 0.0

    public init() {}

    /// How fast and how high a tile plays.
    public struct Pace: Hashable, Sendable {
        /// Text of the rate: "1.5×". nil at 1.
        public var rate: String?
        /// Text of the transposition in semitones: "+2". nil at 0.
        public var key: String?

        public var text: String? {
            let signs = [key, rate].compactMap { $0 }
            return signs.isEmpty ? nil : signs.joined(separator: "  ")
        }

        /// nil at 0.
        public static func text(ofKey key: Int) -> String? {
            key == 0 ? nil : key > 0 ? "+\(key)" : "\u{2212}\(-key)"
        }
    }

    /// Figures of a frame, which change with each frame.
    public struct Figures: Hashable, Sendable {
        public var lines: [String] = []
        /// Height of the text in pixels; chosen together with the lines so that the panel stays within its bound.
        public var text = 0
        /// Greatest width of the panel in pixels; 0 if unlimited.
        public var width = 0
        /// Curves of figures, above the bar and as long as the bar.
        public var plot: FigurePlot?
    }

    /// Names, gain and line of compared frames.
    public struct Comparison: Hashable, Sendable {
        /// Names of the compared sources, each at its own side of the frame.
        public var sides: [Side] = []
        /// The line of a wipe, drawn while the pointer moves.
        public var wipe: WipeLines?
    }

    /// Marks of a song and of a take: its announcement, and the level of the recording.
    public struct Performance: Hashable, Sendable {
        /// Card that announces what begins, such as a song.
        public var announcement: Card?
        /// Line on what or who comes next, at the upper left.
        public var nextUp: String?
        /// Level of the microphone that is recorded; nil if none is.
        public var level: InputLevel?
    }

    /// Name of one of the compared frames.
    public struct Side: Hashable, Sendable {
        public var name: String
        /// 0: at the left edge; 1: at the right edge.
        public var across: Double
        /// 0: at the upper edge; 1: at the lower edge, above the bar.
        public var down: Double
        /// True if the canvas adds the gain to the name, since it chooses the gain from the frames.
        public var showsGain = false

        public init(_ name: String, across: Double, down: Double) {
            (self.name, self.across, self.down) = (name, across, down)
        }
    }

    /// A sign in the corner, or before a reason.
    public enum StateMark: Hashable, Sendable {
        /// A microphone is open and is recorded, or is only heard.
        case recording, microphone
        case paused
        case heard
        case muted
        /// Commands act on this tile, which is neither heard nor muted.
        case focus
        /// The tile has left the clock of its group.
        case ownClock
        /// Signs of reasons only: there is no decoder, or the frame is black.
        case waiting, screen
    }

    public enum Reason: Hashable, Sendable {
        case trouble(String)
        /// A compared film has ended or has not begun.
        case over(String)
        /// There are more tiles than decoders. File name of the tile's item.
        case waiting(String?)
        /// A live source waits for a decoder.
        case waitsForDecoder
        /// Age of a live source's newest frame.
        case noNewFrame(String)
        /// Time for which a live source has shown the same frame.
        case frozen(String)
        /// The tile plays, but its frame is black.
        case black
        /// Reason why nothing is heard.
        case sound(String)
        /// The microphone that is recorded is silent.
        case noSignal
        /// The tile has a clock of its own; the text names the key that returns it to the group's clock.
        case ownClock

        public var text: String {
            switch self {
            case .trouble(let text), .over(let text), .sound(let text): text
            case .waiting(let file): file.map { "waits for its turn: \($0)" } ?? "waits for its turn"
            case .waitsForDecoder: "waits for a decoder"
            case .noNewFrame(let age): "no new frame for \(age)"
            case .frozen(let time): "the same frame for \(time)"
            case .black: "the frame is black"
            case .noSignal: "no signal from the microphone"
            case .ownClock: "own clock; Home rejoins the group"
            }
        }

        /// True if the text changes every second.
        public var isCounted: Bool {
            switch self {
            case .noNewFrame, .frozen: true
            case .trouble, .over, .waiting, .waitsForDecoder, .black, .sound, .noSignal, .ownClock: false
            }
        }

        public var isOfSound: Bool { if case .sound = self { true } else { false } }
    }

    /// Position of a tile in its item.
    public struct Progress: Hashable, Sendable {
        /// 0 to 1; nil if there is no length, and then no bar is drawn.
        public var fraction: Double?
        /// Beginning and end of the A-B loop, 0 to 1.
        public var ends: [Double] = []
        /// "0:12 / 1:30".
        public var time: String
        /// "2 of 5"; nil where there is only one item.
        public var item: String?

        public init(fraction: Double?, time: String, item: String?) {
            (self.fraction, self.time, self.item) = (fraction, time, item)
        }
    }

    /// A circle that turns while a tile waits.
    public struct Spinner: Hashable, Sendable {
        /// Position of the turn, from 0 to `steps` - 1.
        public var step: Int
        public static let steps = 24
        /// True if the spinner is below the words of a card, not in the middle of a frame.
        public var isOnCard: Bool

        public init(step: Int, isOnCard: Bool = false) { (self.step, self.isOnCard) = (step, isOnCard) }
    }
}

extension Marks.Progress {
    public enum Precision: Sendable { case seconds, hundredths, milliseconds }

    /// `length`: nil if unknown. `item`: index of the item, from 0; `count`: number of items. Hundredths are for a
    /// paused clock, when the user steps by frames.
    public init(position: Time, length: Time?, item: Int, of count: Int, _ precision: Precision = .seconds) {
        let position = max(.zero, length.map { min(position, $0) } ?? position)
        fraction = length.map { $0 > .zero ? Double(position.ticks) / Double($0.ticks) : 1 }
        time = position.clockText(precision) + (length.map { " / " + $0.clockText(precision) } ?? "")
        self.item = count > 1 ? "\(item + 1) of \(count)" : nil
    }
}

extension Time {
    /// Text such as "0:12", "1:02:03" or "0:12.34", rounded down.
    public func clockText(_ precision: Marks.Progress.Precision) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let milliseconds = max(0, ticks) / (Time.ticksPerSecond / 1000)
        let seconds = milliseconds / 1000
        var text = seconds < 3600 ? "\(seconds / 60)" : "\(seconds / 3600):" + two(seconds / 60 % 60)
        text += ":" + two(seconds % 60)
        switch precision {
        case .seconds: return text
        case .hundredths: return text + "." + two(milliseconds / 10 % 100)
        case .milliseconds: return text + "." + String(1000 + milliseconds % 1000).dropFirst()
        }
    }
}

extension Rate {
    /// "1.5×", at most two decimals; nil at 1.
    public var markText: String? {
        if self == .one { return nil }
        let hundredths = (millionths + 5000) / 10_000
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        let decimals = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(whole)\(decimals)\u{D7}"
    }
}

/// The card of a wall that has nothing to play.
public struct IdleCard: Hashable, Sendable {
    public var name: String
    /// How to begin, one line each; empty for visitors.
    public var lines: [String]

    public init(name: String, lines: [String]) { (self.name, self.lines) = (name, lines) }
}

/// Texts and panels over the whole wall.
public struct Overlay: Hashable, Sendable {
    /// In the middle of the window, below everything else; nil while something plays.
    public var idle: IdleCard?
    /// A panel in the middle of the window.
    public var help: [KeyLine]
    /// In the middle of the upper half, one line each: "Volume 80".
    public var info: [String]
    /// State of the wall, in the middle of the lower edge and above the bars.
    public var foot: String?

    public init(help: [KeyLine] = [], info: [String] = [], foot: String? = nil) {
        (self.help, self.info, self.foot) = (help, info, foot)
    }
}

/// Figures over an item, in columns of equal time: from 0 at the bottom to 255 at the top; nil where not measured yet.
public struct FigurePlot: Hashable, Sendable {
    public let psnr: [UInt8?]
    public let ssim: [UInt8?]

    public init(psnr: [UInt8?], ssim: [UInt8?]) { (self.psnr, self.ssim) = (psnr, ssim) }
}
