/// Where a live feed plays: near what came last.
///
/// Its frames lie on a line from their own time to that of the live clock. Where they come too late the line moves to
/// where they come from now on; where more has come than is needed it moves to what came last.
struct LiveEdge {
    let live: SourceTraits.Live
    /// The wall time at which the source's beginning is played, were it there: larger the further back it plays.
    private var line: Time?
    /// As near as it ever was.
    private var nearest: Time?
    /// Since when frames have come that are over already, and which was the first.
    private var late: (now: Time, offset: Time)?

    /// So much later than its frame its sound has come.
    private var soundLag = Time.zero

    /// So long frames lie here before they are shown: they do not come evenly.
    private var leastCushion: Time { live == .captured ? .milliseconds(60) : .milliseconds(300) }
    /// Sound that comes still later is not waited for.
    private static let mostSoundLag = Time.seconds(1)
    /// Each move is seen and heard.
    private static let soundStep = Time.milliseconds(100)
    /// What is pushed has no more in store than this, and what is captured nothing.
    private static let mostPushed = Time.seconds(1)
    private static let mostCaptured = Time.milliseconds(110)
    /// What is pulled comes in segments. It plays no further behind its place at the start than this.
    private static let mostLag = Time.seconds(1)
    /// Of what is pulled a frame so far ahead is one behind a gap in the stamps.
    private static let gap = Time.seconds(20)

    /// A frame that comes earlier than this is to be shown earlier.
    private var mostAhead: Time {
        switch live {
        case .pushed: Self.mostPushed + soundLag
        case .captured: Self.mostCaptured
        case .pulled: Self.gap
        }
    }

    /// After so long it is clear whether late frames come faster than they are played.
    private static let trial = Time.milliseconds(400)

    init(_ live: SourceTraits.Live) { self.live = live }

    /// What its sound needs is added.
    var cushion: Time { leastCushion + soundLag }

    /// Its sound has come so much later than its frame; answers by how much later it is to play from now on, if it is.
    mutating func noteSound(lag: Time) -> Time? {
        guard lag > .zero else { return nil }
        let steps = (lag.ticks - 1) / Self.soundStep.ticks + 1
        let lag = min(Self.soundStep * steps, Self.mostSoundLag)
        guard lag > soundLag else { return nil }
        defer { soundLag = lag }
        return lag - soundLag
    }

    enum Verdict: Equatable {
        case inTime
        /// It is over; those that follow come fast and will be in time.
        case skip
        /// It is to be shown so much later, or earlier, and all others with it.
        case move(by: Time)
    }

    /// Of a frame that lies at `offset` and is due then; `end`: when the next one is due. `groupTime` is the live clock.
    mutating func judge(offset: Time, due: Time, end: Time, groupTime: Time, at now: Time) -> Verdict {
        note(due - offset, groupTime: groupTime, at: now)
        let ahead = due - groupTime
        if ahead > mostAhead {
            (late, nearest) = (nil, nil)
            return .move(by: cushion - ahead)
        }
        guard end <= groupTime else {
            late = nil
            return .inTime
        }
        guard let since = late else {
            late = (now, offset)
            return .skip
        }
        let passed = now - since.now
        guard passed >= Self.trial else { return .skip }
        guard offset - since.offset < passed * 3 / 2 else {
            late = (now, offset)
            return .skip
        }
        late = nil
        return .move(by: cushion - ahead)
    }

    /// How much nearer to the edge it may go where `ahead` is decoded and there is more: never, unless it has fallen back.
    func surplus(ahead: Time) -> Time? {
        guard live == .pulled, let line, let nearest, line - nearest > Self.mostLag else { return nil }
        let surplus = min(line - nearest, ahead - Self.mostLag)
        return surplus > .zero ? surplus : nil
    }

    private mutating func note(_ start: Time, groupTime: Time, at now: Time) {
        let line = now - groupTime + start
        self.line = line
        nearest = nearest.map { min($0, line) } ?? line
    }
}
