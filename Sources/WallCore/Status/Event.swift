/// Something that happened, as the trace and the messages tell it. `at` is wall time.
public struct Event: Sendable {
    public var at: Time
    public var what: What

    public enum What: Sendable {
        case picture(tile: String, run: RunID, pts: Time, due: Time)
        case seam(tile: String, run: RunID, how: SeamManner, late: Time, reason: String?)
        case lease(tile: String, item: Int, pipeline: Int, open: Int)
        case release(tile: String, item: Int, pipeline: Int, open: Int)
        case seat(tile: String, has: Bool)
        case focus(tile: String)
        case pip(tile: String, state: PipState, reason: String?)
        case clock(group: String, state: ClockState, position: Time, rate: Rate)
        case degrade(tile: String, step: DegradingStep)
        /// `tile` is nil for the bed.
        case trouble(tile: String?, source: String, item: Int, pts: Time?, trouble: SourceTrouble)
    }

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
