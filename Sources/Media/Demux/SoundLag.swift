import Base

/// Delay of a source's sound packets relative to its frames. The first delay counts at once, so that the frames wait for
/// their sound before the first of them is shown. Later single delays, and a first one that is unusually long, do not
/// count. Not thread-safe.
struct SoundLag {
    /// The first delay, or the longest one that came in two windows in a row. Never falls.
    private(set) var lasting = Time.zero
    /// Longest delay of the present window, and its beginning in the time of the frames.
    private var present: (begin: Int128, longest: Time)?
    /// Longest delay of the window before.
    private var former: Time?
    /// Longer than the time of sound that muxers collect.
    private static let window = Int128(Time.milliseconds(500).ticks)
    /// Longest first delay that counts.
    private static let mostAtFirst = Time.milliseconds(400)

    /// `frame`: time of the newest frame.
    mutating func note(_ lag: Time, at frame: Int128) {
        if let (begin, longest) = present, (begin..<begin + Self.window).contains(frame) {
            present = (begin, max(longest, lag))
            return
        }
        if let longest = present?.longest {
            if let former { lasting = max(lasting, min(former, longest)) }
            former = longest
        }
        if present == nil, lag <= Self.mostAtFirst { lasting = max(lasting, lag) }
        present = (frame, lag)
    }
}
