/// Something that happened, as the trace and the messages tell it. `at` is wall time.
public struct Event: Sendable {
    public var at: Time
    public var what: What
    /// The tile that had the focus.
    public var focus: String?

    /// Sources are told of by their names without secrets.
    public init(at now: Time, what: What, focus: String? = nil) {
        (at, self.what, self.focus) = (now, what.withoutSecrets, focus)
    }

    public enum What: Sendable {
        case frame(tile: String, run: RunID, pts: Time, due: Time)
        case seam(tile: String, run: RunID, how: SeamManner, late: Time, reason: String?)
        case lease(tile: String, item: Int, pipeline: Int, open: Int)
        case release(tile: String, item: Int, pipeline: Int, open: Int)
        case seat(tile: String, has: Bool)
        case focus(tile: String)
        case pip(tile: String, state: PipState, reason: String?)
        /// `isFocused`: the focused tile follows it.
        case clock(group: String, state: ClockState, position: Time, rate: Rate, isFocused: Bool)
        case degrade(tile: String, step: DegradingStep)
        /// An item's first frame is on the screen.
        case itemStart(tile: String, run: RunID, source: String)
        indirect case itemEnd(PlayedItem, tile: String, reason: ItemEnd)
        /// A still that has stood for an hour stays on: what is told of that hour.
        indirect case stands(PlayedItem, tile: String)
        /// The tile plays nothing any more.
        case idle(tile: String)
        case reload(LayoutDiff, milliseconds: Double)
        case reloadFailed(mistakes: Int)
        case schedule(ScheduleChange)
        case breakChange(name: String, BreakState)
        /// Of a recording.
        case take(tile: String, file: String, TakeState)
        /// How late a singer hears the microphone.
        case monitor(latency: Time)
        /// `tile` is nil for the bed.
        case trouble(tile: String?, source: String, item: TroublePlace, pts: Time?, trouble: SourceTrouble)
        /// No new frame of a live source was presented for so long.
        case stale(tile: String, source: String, for: Time)
        /// A live source has shown one frame for so long.
        case frozen(tile: String, source: String, for: Time)
        /// A source that was reported is back, after so long.
        case recovered(tile: String, source: String, after: Time, from: Absence)

        fileprivate var withoutSecrets: What {
            switch self {
            case .itemStart(let tile, let run, let source):
                return .itemStart(tile: tile, run: run, source: SourceName.withoutSecrets(source))
            case .itemEnd(var item, let tile, let reason):
                item.source = SourceName.withoutSecrets(item.source)
                return .itemEnd(item, tile: tile, reason: reason)
            case .stands(var item, let tile):
                item.source = SourceName.withoutSecrets(item.source)
                return .stands(item, tile: tile)
            case .trouble(let tile, let source, let item, let pts, let trouble):
                let name = SourceName.withoutSecrets(source)
                return .trouble(tile: tile, source: name, item: item, pts: pts, trouble: trouble)
            case .stale(let tile, let source, let time):
                return .stale(tile: tile, source: SourceName.withoutSecrets(source), for: time)
            case .frozen(let tile, let source, let time):
                return .frozen(tile: tile, source: SourceName.withoutSecrets(source), for: time)
            case .recovered(let tile, let source, let time, let absence):
                return .recovered(
                    tile: tile, source: SourceName.withoutSecrets(source), after: time, from: absence)
            case .take(let tile, let file, .started(let start, let source)):
                return .take(
                    tile: tile, file: file, .started(start: start, source: SourceName.withoutSecrets(source)))
            case .frame, .seam, .lease, .release, .seat, .focus, .pip, .clock, .degrade, .idle, .reload,
                .reloadFailed, .schedule, .breakChange, .take, .monitor:
                return self
            }
        }
    }

    /// Where what is troubled stands.
    public enum TroublePlace: Sendable, Hashable {
        /// Of its tile's own sequence, from 0.
        case item(Int)
        case ofBreak(String)

        /// As programs are told it: an item of a break has no number in the sequence.
        public var number: PropertyValue {
            switch self {
            case .item(let item): .integer(item)
            case .ofBreak: .null
            }
        }

        /// What they are told beside it.
        public var fields: [PropertyField] {
            switch self {
            case .item: []
            case .ofBreak(let name): [PropertyField("break", .text(name))]
            }
        }

        /// Name for people. Items count from 0 here too, as in the trace, the log and the socket.
        public var words: String {
            switch self {
            case .item(let item): "item \(item)"
            case .ofBreak(let name): "the break \(name)"
            }
        }
    }

    /// The state from which a source has recovered.
    public enum Absence: String, Sendable {
        /// Nothing of it was presented.
        case absence = "away"
        /// Its frames showed one frame.
        case freeze = "frozen"
    }

    public enum BreakState: String, Sendable { case started, ended }

    /// What became of a recording.
    public enum TakeState: Sendable, Equatable {
        /// At this place in a song.
        case started(start: Time, source: String)
        /// It lasts so long.
        case ended(Time)
        /// Why it could not be written on, and how much of it there is.
        case failed(String, kept: Time)

        /// As the trace and the socket say it.
        public var fields: [PropertyField] {
            switch self {
            case .started(let start, let source):
                [
                    PropertyField("state", .text("started")), PropertyField("start", .number(start.seconds)),
                    PropertyField("source", .text(source)),
                ]
            case .ended(let length):
                [PropertyField("state", .text("ended")), PropertyField("seconds", .number(length.seconds))]
            case .failed(let reason, _):
                [PropertyField("state", .text("failed")), PropertyField("reason", .text(reason))]
            }
        }
    }

    /// Why an item is over.
    public enum ItemEnd: String, Sendable { case eof, error, stop, skipped }

    public enum ClockState: String, Sendable { case playing, paused, waiting }
}

/// How far picture in picture is.
public enum PipState: String, Sendable {
    case willStart = "will-start"
    case started
    case willStop = "will-stop"
    case stopped
    case failed
}
