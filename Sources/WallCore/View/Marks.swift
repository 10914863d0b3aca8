/// What a tile says over its frame. Each part that is nil or empty is not drawn.
public struct Marks: Hashable, Sendable {
    /// A bar along the tile's lower edge.
    public var progress: Progress?
    /// Drawn in this order at the upper right corner, the first one at the right.
    public var states: [StateMark] = []
    /// As people read it: "1.5×". Nil at 1.
    public var rate: String?
    /// Semitones, as people read them: "+2". Nil at 0.
    public var key: String?
    /// Why there is no frame or no sound, or another time than the others': below the states, one line each.
    public var reasons: [Reason] = []
    /// When in its source the shown frame stands, and its number: below the reasons.
    public var time: String?
    /// How far the frame is from the first tile's: below the time, one line each. They change with each frame.
    public var figures: [String] = []
    /// Height of the figures' text in pixels; chosen with their lines so that their panel has its bound.
    public var figuresText = 0
    /// The most pixels that their panel may be wide; 0 where nothing bounds it.
    public var figuresWidth = 0
    /// What else the tile is doing: below those, one line each.
    public var info: [String] = []
    /// The names of what is compared, each at its own side of the frame.
    public var sides: [Side] = []
    /// The line of a wipe, drawn while the pointer moves.
    public var wipe: Wipe?
    /// Above the bar, of its length.
    public var plot: FigurePlot?
    public var spinner: Spinner?
    /// The frame below is older than it looks.
    public var isDimmed = false
    /// A thin frame within the tile's edges: 0 to 1.
    public var focusBorder = 0.0

    public init() {}

    /// What stands beside the states.
    public var pace: String? {
        let signs = [key, rate].compactMap { $0 }
        return signs.isEmpty ? nil : signs.joined(separator: "  ")
    }

    /// nil at 0.
    static func text(ofKey key: Int) -> String? { key == 0 ? nil : key > 0 ? "+\(key)" : "\u{2212}\(-key)" }

    /// The name of one of the frames that are compared.
    public struct Side: Hashable, Sendable {
        public var name: String
        /// 0: at the left edge; 1: at the right edge.
        public var across: Double
        /// 0: at the upper edge; 1: at the lower edge, above the bar.
        public var down: Double

        public init(_ name: String, across: Double, down: Double) {
            (self.name, self.across, self.down) = (name, across, down)
        }
    }

    /// Position of the lines of a wipe; the arguments of `WipeLines`.
    public struct Wipe: Hashable, Sendable {
        public var target: Rect
        public var bands: Int
        public var at: Double
        public var angle: Angle

        public var lines: WipeLines { WipeLines(in: target, bands: bands, at: at, angle: angle) }
    }

    public enum StateMark: Hashable, Sendable {
        /// A microphone is open, and is recorded; or is only heard.
        case recording, microphone
        case paused
        case heard
        case muted
        /// Commands act on this tile, which is neither heard nor muted.
        case focus
        /// It has left its group's step.
        case ownClock
    }

    public enum Reason: Hashable, Sendable {
        case trouble(String)
        /// A film that is compared has ended, or has not begun.
        case over(String)
        /// More tiles than decoders. Its file.
        case waiting(String?)
        /// The same for a live source.
        case waitsForDecoder
        /// The newest frame of a live source is so old.
        case noNewFrame(String)
        /// A live source has shown one frame for so long.
        case frozen(String)
        /// It plays, though nothing can be seen.
        case black
        /// Why nothing is heard.
        case sound(String)
        /// And how it comes back.
        case ownClock

        public var text: String {
            switch self {
            case .trouble(let text), .over(let text), .sound(let text): text
            case .waiting(let file): file.map { "waits for its turn: \($0)" } ?? "waits for its turn"
            case .waitsForDecoder: "waits for a decoder"
            case .noNewFrame(let age): "no new frame for \(age)"
            case .frozen(let time): "the same frame for \(time)"
            case .black: "the frame is black"
            case .ownClock: "own clock; Home: in step again"
            }
        }

        /// Its text is another one each second.
        public var isCounted: Bool {
            switch self {
            case .noNewFrame, .frozen: true
            case .trouble, .over, .waiting, .waitsForDecoder, .black, .sound, .ownClock: false
            }
        }

        var isOfSound: Bool { if case .sound = self { true } else { false } }
    }

    /// How far a tile is.
    public struct Progress: Hashable, Sendable {
        /// 0 to 1; nil where there is no length, and then no bar.
        public var fraction: Double?
        /// Where an A-B loop begins and ends: 0 to 1.
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
        /// 0 to `steps` - 1: how far it has turned.
        public var step: Int
        public static let steps = 24
        /// Below the words of a card, not in the middle of a frame.
        public var isOnCard: Bool

        public init(step: Int, isOnCard: Bool = false) { (self.step, self.isOnCard) = (step, isOnCard) }
    }
}

extension Marks.Progress {
    public enum Precision: Sendable { case seconds, hundredths, milliseconds }

    /// Of an item: where it is, how long it is (nil: nobody knows), and which one it is, from 0, of how many.
    /// Hundredths are for a clock that stands, where people step by frames.
    public init(position: Time, length: Time?, item: Int, of count: Int, _ precision: Precision = .seconds) {
        let position = max(.zero, length.map { min(position, $0) } ?? position)
        fraction = length.map { $0 > .zero ? Double(position.ticks) / Double($0.ticks) : 1 }
        time = position.clockText(precision) + (length.map { " / " + $0.clockText(precision) } ?? "")
        self.item = count > 1 ? "\(item + 1) of \(count)" : nil
    }
}

extension Time {
    /// "0:12", "1:02:03", "0:12.34": what has gone by in full.
    func clockText(_ precision: Marks.Progress.Precision) -> String {
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

/// What is drawn over the whole wall.
public struct Overlay: Hashable, Sendable {
    /// A panel in the middle of the window.
    public var help: [KeyLine]
    /// In the middle of the upper half, one line each: "Volume 80".
    public var info: [String]
    /// The upper edge of `info` in pixels where its usual place is taken; nil elsewhere.
    public var infoTop: Int?

    /// In the middle of the lower edge, above the bars: what the wall is doing.
    public var foot: String?

    public init(help: [KeyLine] = [], info: [String] = [], foot: String? = nil) {
        (self.help, self.info, self.foot) = (help, info, foot)
    }
    public var isEmpty: Bool { help.isEmpty && info.isEmpty && foot == nil }
}
