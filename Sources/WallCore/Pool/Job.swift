/// What a pipeline is to decode.
public struct Job {
    public let lease: Lease
    public let handle: any WallSource
    /// Media time: the first frame is the one on screen at `from`; frames that begin at `until` are not wanted.
    public let from: Time
    public let until: Time?
    public let turn: Turn
    public let flip: Flip
    public let deinterlacing: Deinterlacing
}

public enum PipelineTask {
    case decode(Job)
    case closeDecoder
}

/// What to do with a frame that was just decoded.
public enum FrameDecision: Equatable, Sendable {
    /// Scale the whole frame to this size and deliver it, with its frame or without; leave this out of those that
    /// follow.
    case scale(Size, DecodeSkips, FrameKeeping)
    /// It is not shown: decode on. `over`: what ends before, in media time, is over already.
    case skip(over: Time?)
    /// The slot is full: ask again when woken, or at this wall time.
    case wait(until: Time?)
    /// The run is cut off here: finish.
    case end
    /// The lease is over: give the source back.
    case drop
}

/// What a lease does next.
public enum LeaseDecision: Sendable {
    case decodes
    /// Others are to have the cores: ask again when woken.
    case rests
    /// The lease is over: give the source back.
    case drops
}

public enum DecoderChange: Sendable { case opened, closed, continued }
