import Base
import Decoded
import Opened

/// Order to a pipeline to decode a run.
public struct Job {
    public let lease: Lease
    public let source: OpenSourceID
    /// Media time. The first frame is the one on the screen at `from`. Frames that begin at `until` or later are not
    /// decoded.
    public let from: Time
    public let until: Time?
    public let decoding: DecodeSettings
}

public enum PipelineTask {
    case decode(Job)
    case closeDecoder
}

/// Instruction for a frame that was just decoded.
public enum FrameDecision: Equatable, Sendable {
    /// Deliver the whole frame, scaled to this size, with or without its source frame. `DecodeSkips` applies to
    /// the next frames.
    case deliver(Size, DecodeSkips, FrameKeeping)
    /// Drop the frame and decode on. `over`: media time; frames that end before are dropped, too.
    case skip(over: Time?)
    /// Not now: the slot is full, other pipelines need the cores, or an overdue update comes first. Ask again when woken,
    /// or at this wall time.
    case wait(until: Time?)
    /// The run is cut off here: finish.
    case end
    /// The lease is over: return the source.
    case returnSource
}

/// Instruction for the lease of a pipeline.
public enum LeaseDecision: Sendable {
    case decodes
    /// Pause decoding: the due frame is decoded and other pipelines are late. Ask again when woken.
    case rests
    /// The lease is over: return the source.
    case returnsSource
}

public enum DecoderChange: Sendable { case opened, closed, continued }

/// Plan for decoding a still image: its size, and whether it keeps its decoded samples.
public struct StillPlan: Sendable, Equatable {
    public let size: Size
    public let keeping: FrameKeeping

    public init(size: Size, keeping: FrameKeeping) { (self.size, self.keeping) = (size, keeping) }
}
