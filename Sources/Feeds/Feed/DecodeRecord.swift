import Base
import Decoded
import Layout

/// Cost of decoding a feed, and the frames that decoding leaves out.
public struct DecodeRecord {
    /// Longest recent time from a lease to the run's first frame, in wall time.
    private(set) var warmUp = Time.zero
    /// Processor time over playing time, in cores; nil until measured.
    public private(set) var cost: Double?
    /// Share of the playing time at rate 1 for which the pipeline works, without waiting for room or for the file; nil
    /// until measured.
    public private(set) var busyShare: Double?
    public private(set) var step = DegradingStep.nothing
    /// Pipeline that decoded the run before.
    private var lastPipeline: Int?
    /// True if the next frame is shown, while every second frame is left out.
    private var showsNext = true
    /// Wall times at which a frame was last decoded too late to be shown, and at which one was scaled.
    private var skippedAt: Time?
    private var scaledAt = Time.zero
    /// Work that the decoder leaves out for the frames after the one that was decoded last.
    public private(set) var skips = DecodeSkips.none

    /// Longest time for which a late feed shows no frame.
    private static let longestWithout = Time.milliseconds(250)

    /// Records the pipeline of a run. Returns true if another pipeline decoded the run before.
    mutating func begin(on pipeline: Int) -> Bool {
        defer { (lastPipeline, skippedAt, skips) = (pipeline, nil, .none) }
        return lastPipeline.map { $0 != pipeline } ?? false
    }

    // MARK: costs

    /// Learns from a run that was warmed. A high value decays slowly.
    mutating func learn(warmUp measured: Time) { warmUp = max(measured, warmUp * 7 / 8) }

    public mutating func learn(_ decodeCost: DecodeCost, at rate: Rate) {
        let lasting = decodeCost.media.lasting(at: rate)
        let (cost, busyShare) = (decodeCost.spent.share(of: lasting), decodeCost.worked.share(of: lasting))
        self.cost = self.cost.map { $0 * 0.75 + cost * 0.25 } ?? cost
        self.busyShare = self.busyShare.map { ($0 + busyShare) / 2 } ?? busyShare
    }

    // MARK: skipped work

    public var leavesOutEverySecond: Bool { step == .everySecondFrame }

    /// Returns true if the step has changed.
    public mutating func degrade(to step: DegradingStep) -> Bool {
        defer { self.step = step }
        return step != self.step
    }

    /// Returns the work that the decoder leaves out for frames that are scaled to `size`.
    func skips(of natural: Size, to size: Size, _ quality: Quality) -> DecodeSkips {
        guard quality == .auto else { return .none }
        let isSmall = size.width * 2 <= natural.width && size.height * 2 <= natural.height
        return DecodeSkips(
            filter: step >= .loopFilter ? .nowhere : isSmall ? .notBidirectional : .everywhere,
            frames: step >= .unreferencedFrames ? .referenced : .all)
    }

    /// Names of the work that is left out now. `codec`: FFmpeg's name of the source's codec. `isPlaying`: false while the
    /// clock is paused: then no frame is left out, but the frame on the screen may lack the loop filter.
    public func wordsOnSkips(by codec: String, isPlaying: Bool, at now: Time) -> [String] {
        var words = DecodeSkips(filter: skips.filter, frames: isPlaying ? skips.frames : .all).words(by: codec)
        guard isPlaying else { return words }
        if leavesOutEverySecond { words.append(DegradingStep.everySecondFrame.words) }
        if hasSkipped(at: now) { words.append("frames that were late") }
        return words
    }

    /// Returns true if a tile that shows every second frame leaves this one out.
    mutating func leaveOutNext() -> Bool {
        guard leavesOutEverySecond else { return false }
        showsNext.toggle()
        return !showsNext
    }

    /// True if a frame that is over need not be shown, since another one was scaled a moment ago.
    func maySkip(at now: Time) -> Bool { now - scaledAt < Self.longestWithout }

    mutating func noteSkip(at now: Time) { skippedAt = now }

    /// A frame is scaled. `skips`: what the decoder leaves out after it.
    mutating func noteScaled(before skips: DecodeSkips, at now: Time) { (scaledAt, self.skips) = (now, skips) }

    /// True if frames were decoded too late a moment ago, so that the decoder may leave out others that are over.
    public func hasSkipped(at now: Time) -> Bool { skippedAt.map { now - $0 < .seconds(1) } ?? false }
}

/// Cost of some media for a pipeline's thread.
public struct DecodeCost: Sendable {
    /// Media time of the run.
    public let media: Time
    /// Processor time.
    public let spent: Time
    /// Wall time, without waiting for room or for the source.
    public let worked: Time

    public init(media: Time, spent: Time, worked: Time) {
        (self.media, self.spent, self.worked) = (media, spent, worked)
    }
}

extension Time { fileprivate func share(of whole: Time) -> Double { Double(ticks) / Double(max(1, whole.ticks)) } }
