import Base

/// Delay of a source's sound packets relative to its frames. Single delays, as at the beginning of a connection, do not
/// count. Not thread-safe.
struct SoundLag {
    /// Longest delay that came in two windows in a row. Never falls.
    private(set) var lasting = Time.zero
    /// Longest delay of the present window, and its beginning in the time of the frames.
    private var present: (begin: Int128, longest: Time)?
    /// Longest delay of the window before.
    private var former: Time?
    /// Longer than the time of sound that muxers collect.
    private static let window = Int128(Time.milliseconds(500).ticks)

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
        present = (frame, lag)
    }
}
