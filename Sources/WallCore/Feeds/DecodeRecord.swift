/// What decoding a feed costs, and what is left out of it.
struct DecodeRecord {
    /// How long it took, of late at most, from a lease to the run's first frame, in wall time.
    private(set) var warmUp = Time.zero
    /// In parts of a core; nil until measured.
    private(set) var cost: Double?
    /// For how much of its media time its pipeline works, at rate 1: waiting for room and for the file left out.
    private(set) var labour: Double?
    private(set) var step = DegradingStep.nothing
    /// The pipeline that decoded the run before.
    private var lastPipeline: Int?
    /// Where every second frame is left out: whether the next one is shown.
    private var showsNext = true
    /// When a frame was last decoded too late to be shown, and when one was scaled though it was late, in wall time.
    private var skippedAt: Time?
    private var scaledAt = Time.zero

    /// A late feed shows one frame as often as this.
    private static let longestWithout = Time.milliseconds(250)

    /// Says whether another one decoded the run before.
    mutating func begin(on pipeline: Int) -> Bool {
        defer { lastPipeline = pipeline }
        return lastPipeline.map { $0 != pipeline } ?? false
    }

    // MARK: what it costs

    /// Of a run that was warmed; a slow one is forgotten slowly.
    mutating func learn(warmUp measured: Time) { warmUp = max(measured, warmUp * 7 / 8) }

    mutating func learn(_ decodeCost: DecodeCost, at rate: Rate) {
        let lasting = decodeCost.media.lasting(at: rate)
        let (cost, labour) = (decodeCost.spent.share(of: lasting), decodeCost.worked.share(of: lasting))
        self.cost = self.cost.map { $0 * 0.75 + cost * 0.25 } ?? cost
        self.labour = self.labour.map { ($0 + labour) / 2 } ?? labour
    }

    // MARK: what is left out

    /// Says whether it is another.
    mutating func setStep(_ step: DegradingStep) -> Bool {
        defer { self.step = step }
        return step != self.step
    }

    /// What the decoder leaves out of frames that are scaled to `size`.
    func skips(of natural: Size, to size: Size, _ quality: Quality) -> DecodeSkips {
        guard quality == .auto else { return .none }
        let isSmall = size.width * 2 <= natural.width && size.height * 2 <= natural.height
        return DecodeSkips(
            filter: step >= .loopFilter ? .nowhere : isSmall ? .notBidirectional : .everywhere,
            frames: step >= .unreferencedFrames ? .referenced : .all)
    }

    /// Whether a tile that shows every second frame leaves this one out.
    mutating func leavesOutNext() -> Bool {
        guard step == .everySecondFrame else { return false }
        showsNext.toggle()
        return !showsNext
    }

    /// Whether a frame that is over need not be shown: some other was a moment ago.
    func maySkip(at now: Time) -> Bool { now - scaledAt < Self.longestWithout }

    mutating func noteSkip(at now: Time) { skippedAt = now }
    mutating func noteScaled(at now: Time) { scaledAt = now }

    /// Its decoder may leave out frames by itself.
    func leavesOut(at now: Time) -> Bool {
        step >= .unreferencedFrames || skippedAt.map { now - $0 < .seconds(1) } ?? false
    }
}

/// What some media cost a pipeline's thread.
public struct DecodeCost: Sendable {
    /// Of its run, in media time.
    public var media: Time
    /// Processor time.
    public var spent: Time
    /// Wall time, without waiting for room or for the source.
    public var worked: Time

    public init(media: Time, spent: Time, worked: Time) {
        (self.media, self.spent, self.worked) = (media, spent, worked)
    }
}

extension Time {
    fileprivate func share(of whole: Time) -> Double { Double(ticks) / Double(max(1, whole.ticks)) }
}
