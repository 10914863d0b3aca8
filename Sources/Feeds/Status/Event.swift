import Base
import Decoded
import Layout

/// Something that happened, for the trace, the socket and messages. `at` is wall time. `EventRecord` declares the name
/// and the fields.
public struct Event: Sendable {
    public internal(set) var at: Time
    public internal(set) var what: What
    /// Name of the tile that had the focus.
    public internal(set) var focus: String?

    /// Removes secrets from the names of sources.
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
        /// `isFocused`: true if the focused tile follows this clock.
        case clock(group: String, state: ClockState, position: Time, rate: Rate, isFocused: Bool)
        case degrade(tile: String, step: DegradingStep)
        /// The first frame of an item is on the screen.
        case itemStart(tile: String, run: RunID, source: String)
        /// If a layer interrupted the item, it either goes on later or is `left`.
        indirect case itemEnd(ItemRecord, tile: String, reason: ItemEnd)
        /// An interrupted item does not go on: reports all of its parts.
        indirect case left(ItemRecord, tile: String)
        /// A still has been on the screen for another hour and stays: reports that hour.
        indirect case stands(ItemRecord, tile: String)
        /// The tile has nothing more to play.
        case idle(tile: String)
        case reload(LayoutDiff, milliseconds: Double)
        case reloadFailed(mistakes: Int)
        case schedule(ScheduleChange)
        case breakChange(name: String, BreakState)
        /// A recording began or ended.
        case take(tile: String, file: String, TakeState)
        /// Latency of microphone monitoring.
        case monitor(latency: Time)
        /// `tile` is nil for the bed.
        case trouble(tile: String?, source: String, item: TroublePlace, pts: Time?, trouble: SourceTrouble)
        /// No new frame of a live source was presented for this time.
        case stale(tile: String, source: String, for: Time)
        /// A live source has shown the same frame for this time.
        case frozen(tile: String, source: String, for: Time)
        /// A source that was reported as absent or frozen is back, after this time.
        case recovered(tile: String, source: String, after: Time, from: Absence)

        fileprivate var withoutSecrets: What {
            func safe(_ source: String) -> String { SourceName.withoutSecrets(source) }
            return switch self {
            case .itemStart(let tile, let run, let source): .itemStart(tile: tile, run: run, source: safe(source))
            case .trouble(let tile, let source, let item, let pts, let trouble):
                .trouble(tile: tile, source: safe(source), item: item, pts: pts, trouble: trouble)
            case .stale(let tile, let source, let time): .stale(tile: tile, source: safe(source), for: time)
            case .frozen(let tile, let source, let time): .frozen(tile: tile, source: safe(source), for: time)
            case .recovered(let tile, let source, let time, let absence):
                .recovered(tile: tile, source: safe(source), after: time, from: absence)
            case .take(let tile, let file, .started(let start, let source)):
                .take(tile: tile, file: file, .started(start: start, source: safe(source)))
            // A record of an item has no secrets.
            case .frame, .seam, .lease, .release, .seat, .focus, .pip, .clock, .degrade, .itemEnd, .left, .stands,
                .idle, .reload, .reloadFailed, .schedule, .breakChange, .take, .monitor:
                self
            }
        }
    }

    /// Place of the item that is in trouble.
    public enum TroublePlace: Sendable, Hashable {
        /// Index in its tile's own sequence, from 0.
        case item(Int)
        case ofBreak(String)

        /// Name for the user. Items count from 0, as in the trace, the log and the socket.
        public var words: String {
            switch self {
            case .item(let item): "item \(item)"
            case .ofBreak(let name): "the break \(name)"
            }
        }
    }

    /// The state from which a source has recovered.
    public enum Absence: String, Sendable {
        /// No frame was presented.
        case absence = "away"
        /// All frames were equal.
        case freeze = "frozen"
    }

    public enum BreakState: String, Sendable { case started, ended }

    /// State of a recording.
    public enum TakeState: Sendable, Equatable {
        /// `start`: place in the song, in media time.
        case started(start: Time, source: String)
        /// Length of the recording.
        case ended(Time)
        /// Why writing failed, and how much was recorded before.
        case failed(String, kept: Time)
    }

    /// Why an item ended.
    public enum ItemEnd: String, Sendable { case eof, error, stop, skipped }

    public enum ClockState: String, Sendable { case playing, paused, waiting }
}

/// State of the picture-in-picture window.
public enum PipState: String, Sendable {
    case willStart = "will-start"
    case started
    case willStop = "will-stop"
    case stopped
    case failed
}
