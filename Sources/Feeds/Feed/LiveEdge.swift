import Base
import Opened

/// The position at which a live feed plays, close to the newest frame.
///
/// A line maps the time of a frame to the live clock. If frames come too late, the line moves later, so that frames
/// with this delay are in time. If more is buffered than needed, the line moves to the newest frame.
///
/// A live source follows a second clock of its group (`Group.liveClock`). Seeks, iterations, starts and jumps do not
/// affect live feeds. `Reel+Live.swift` changes clocks when live and finite runs follow each other.
/// `FeedSupply.reconnectLive` reconnects, at once if bytes arrive but no frames (`StreamChange`).
public struct LiveEdge {
    let live: SourceTraits.Live
    /// Wall time at which the start of the source would be played. This time grows as the feed falls back.
    private var line: Time?
    /// Smallest `line` so far.
    private var nearest: Time?
    /// Wall time since when frames arrive after their end, and the offset of the first of them; nil while frames are in
    /// time.
    private var late: (now: Time, offset: Time)?

    /// Delay of the sound after its frame.
    private var soundLag = Time.zero
    /// True once the sound was to be heard: frames wait for it from then on.
    private var isHeard = false
    /// Wall time of the first frame; nil until it comes.
    private var began: Time?
    /// Frames that waited for the connection: time since which the feed is watched for them, the least time by which
    /// frames came early, and the number of watches that are left. nil once none are.
    private var backlog: (since: Time?, least: Time, watches: Int)? = (nil, .distantFuture, LiveEdge.watches)
    /// A busy machine makes single frames late.
    private static let watches = 5

    /// Time for which frames are buffered before they are shown, since they arrive unevenly.
    private var leastCushion: Time { live == .captured ? .milliseconds(60) : .milliseconds(300) }
    /// Longest delay for which frames wait for their sound.
    private static let mostSoundLag = Time.seconds(1)
    /// Time that is added to a lag when it becomes known: lags vary by a frame, and each move is seen and heard.
    private static let lagVariation = Time.milliseconds(40)
    /// Time after the first frame in which moves are neither seen nor heard, since nothing is shown yet.
    private static let hidden = Time.milliseconds(150)
    /// Time before it is heard in which a sound must have come. The sound server holds most of it.
    private static let soundMargin = Time.milliseconds(250)
    /// Time after the beginning, and after a move, in which frames that waited arrive; time for which the others are
    /// watched then; and the surplus that may stay.
    private static let arrival = Time.milliseconds(500), watch = Time.seconds(1)
    private static let mostBacklog = Time.milliseconds(100)
    /// Longest time for which frames of pushed and of captured sources are buffered.
    private static let mostPushed = Time.seconds(1)
    private static let mostCaptured = Time.milliseconds(110)
    /// Longest time by which pulled sources, which come in segments, may fall back behind their position at the start.
    private static let mostLag = Time.seconds(1)
    /// A frame of a pulled source that is this far ahead follows a gap in the timestamps.
    private static let gap = Time.seconds(20)

    /// If a frame comes earlier than this, the line moves so that frames are shown earlier.
    private var mostAhead: Time {
        switch live {
        case .pushed: Self.mostPushed + cushion - leastCushion
        case .captured: Self.mostCaptured
        case .pulled, .listed: Self.gap
        }
    }

    /// Time for which late frames are watched, to see whether they catch up.
    private static let trial = Time.milliseconds(400)

    /// Wall time until which frames that were not read in time are expected, since the source was open and no pipeline read
    /// it; nil if it was read at once.
    private let drainsUntil: Time?

    init(_ live: SourceTraits.Live, drainsUntil: Time? = nil) { (self.live, self.drainsUntil) = (live, drainsUntil) }

    /// Time for which frames are buffered: until the next ones have come, and until their sound has if it is heard.
    var cushion: Time { isHeard && soundLag > .zero ? max(leastCushion, soundLag + Self.soundMargin) : leastCushion }

    /// The sound came `lag` after its frame. Returns the delay by which the feed must play later; nil if there is none.
    mutating func noteSound(lag: Time) -> Time? {
        guard lag > soundLag else { return nil }
        let before = cushion
        soundLag = min(lag + Self.lagVariation, Self.mostSoundLag)
        return cushion > before ? cushion - before : nil
    }

    /// The sound is to be heard. Returns the delay by which the feed must play later; nil if there is none.
    mutating func hear() -> Time? {
        if isHeard { return nil }
        let before = cushion
        isHeard = true
        return cushion > before ? cushion - before : nil
    }

    enum Verdict: Equatable {
        case inTime
        /// The frame is over. The next ones arrive fast and will be in time.
        case skip
        /// This frame and all others are shown this much later, or earlier if negative.
        case move(by: Time)
    }

    /// Judges a frame. `offset`: its place in the source. `due`, `end`: when this frame and the next one are due on the
    /// live clock. `groupTime`: time of the live clock.
    mutating func judge(offset: Time, due: Time, end: Time, groupTime: Time, at now: Time) -> Verdict {
        note(due - offset, groupTime: groupTime, at: now)
        let ahead = due - groupTime
        let drains = drainsUntil.map { now < $0 } ?? false
        if ahead > (drains ? min(mostAhead, Self.mostPushed) : mostAhead) {
            (late, nearest) = (nil, nil)
            return .move(by: cushion - ahead)
        }
        if live == .pushed, let surplus = burst(ahead, at: now) ?? backlog(ahead, at: now) {
            (late, nearest) = (nil, nil)
            return .move(by: .zero - surplus)
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

    /// Returns the time by which a frame comes too early that arrives before the first one is shown.
    private mutating func burst(_ ahead: Time, at now: Time) -> Time? {
        let since = began ?? now
        began = since
        return now - since < Self.hidden && ahead > cushion ? ahead - cushion : nil
    }

    /// Watches a new connection. Frames that waited for it, in the probe or in the system, come at once, and all later
    /// ones would be shown as late as these. Returns the time by which all come too early; nil if that is not known yet,
    /// or little.
    private mutating func backlog(_ ahead: Time, at now: Time) -> Time? {
        guard let (begin, least, watches) = backlog else { return nil }
        let since = begin ?? now, passed = now - since
        backlog = (since, passed < Self.arrival ? least : min(least, ahead), watches)
        guard passed >= Self.arrival + Self.watch else { return nil }
        let surplus = min(least, ahead) - cushion
        guard surplus > Self.mostBacklog else {
            backlog = watches > 1 && !isHeard ? (now - Self.arrival, .distantFuture, watches - 1) : nil
            return nil
        }
        // A move leaves a hole in the sound: a feed that is heard moves once at most, at its beginning.
        backlog = isHeard ? nil : (now, .distantFuture, Self.watches)
        return surplus
    }

    /// Returns the time by which a feed that has fallen back may move towards the newest frame; nil if the feed has not
    /// fallen back. `ahead`: time that is decoded ahead.
    func surplus(ahead: Time) -> Time? {
        guard live == .pulled || live == .listed, let line, let nearest, line - nearest > Self.mostLag else {
            return nil
        }
        let surplus = min(line - nearest, ahead - Self.mostLag)
        return surplus > .zero ? surplus : nil
    }

    private mutating func note(_ start: Time, groupTime: Time, at now: Time) {
        let line = now - groupTime + start
        self.line = line
        nearest = nearest.map { min($0, line) } ?? line
    }
}

/// Separates the new frames of a live playlist from frames that an earlier connection has brought.
///
/// A connection to a playlist begins with its last segments, also if the sender has died and no more follow. Frames
/// that are not newer than the newest one so far are left out. A dead source therefore shows nothing again, and counts
/// as lost until a new frame comes.
///
/// A sender that was started again may count from zero. Its frames are new if they lie far before the newest frame, or
/// if the reader had to wait for one of them: the old segments are all there at once.
struct PlaylistFrames {
    /// Start of the newest frame in the playlist's own time, in units of `Time`; nil until the first.
    private var newest: Int128?
    /// Slot of the connection that brought the last frame; nil until the first.
    private var slot: Int?
    /// True if the connection has brought a new frame.
    private var isNew = false
    /// Wall time at which the connection brought its last frame.
    private var cameAt = Time.zero

    /// Timestamps are rounded from the start of each connection, so the same frame may differ by a tick.
    static let tolerance = Time.milliseconds(5)
    /// Longest time that the last segments of a playlist are expected to last.
    static let mostRepeated = Time.seconds(60)
    /// A frame that comes this much later than the frame before was waited for.
    static let wait = Time.seconds(1)

    /// Returns true if a decoded frame is new. `time`: its start in the playlist's own time.
    mutating func admit(_ time: Int128, of slot: Int, at now: Time) -> Bool {
        let wasAwaited = slot == self.slot && now - cameAt >= Self.wait
        if slot != self.slot { (self.slot, isNew) = (slot, false) }
        cameAt = now
        isNew = isNew || wasAwaited || isBeyond(time)
        if isNew { newest = time }
        return isNew
    }

    private func isBeyond(_ time: Int128) -> Bool {
        newest.map { time > $0 + Int128(Self.tolerance.ticks) || time < $0 - Int128(Self.mostRepeated.ticks) } ?? true
    }
}
