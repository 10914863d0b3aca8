import Base
import CPulse

/// Amount that the playback of a monitored microphone buffers. Used by one thread.
struct MonitorCushion {
    /// In milliseconds.
    private var length = shortest
    private var pace = PlaybackPace()
    /// Number of samples to drop from those that come next.
    private var surplus = 0

    static let frameBytes = 2 * MemoryLayout<Float>.size
    /// Length of a fragment, and bounds of the cushion, in milliseconds.
    private static let fragment: UInt32 = 5
    private static let shortest: UInt32 = 10
    private static let longest: UInt32 = 120

    private static func bytes(ofMilliseconds milliseconds: UInt32) -> UInt32 {
        milliseconds * UInt32(SoundGrid.rate / 1000 * frameBytes)
    }

    /// Playback waits for a whole cushion before it begins, and again after an underrun.
    var outputAttributes: pa_buffer_attr {
        let held = Self.bytes(ofMilliseconds: length)
        return pa_buffer_attr(
            maxlength: .max, tlength: held, prebuf: held, minreq: Self.bytes(ofMilliseconds: Self.fragment),
            fragsize: .max)
    }

    static var inputAttributes: pa_buffer_attr {
        pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: bytes(ofMilliseconds: fragment))
    }

    /// Begins with new streams, and keeps the length.
    mutating func begin() { (pace, surplus) = (PlaybackPace(), 0) }

    var canGrow: Bool { length < Self.longest }

    /// Grows by half after an underrun.
    mutating func grow() {
        length = min(length / 2 * 3, Self.longest)
        surplus = 0
        pace.beginAnew()
    }

    /// Returns how many of the next `count` samples are to be dropped.
    mutating func dropped(of count: Int) -> Int {
        let dropped = min(surplus, count)
        surplus -= dropped
        return dropped
    }

    /// Takes a measurement of what playback buffers, in microseconds. Returns a new rate for the stream; nil if the
    /// rate stays.
    mutating func step(held: pa_usec_t, _ timing: pa_timing_info?) -> UInt32? {
        switch pace.step(held: Double(held) / 1_000_000, enough: Double(enough(timing)) / 1_000_000) {
        case .none: return nil
        case .play(let rate): return rate
        case .drop(let samples):
            surplus = samples
            return nil
        }
    }

    /// Amount that playback must buffer, in microseconds. Some outputs take more samples at a time than the cushion
    /// holds, or add a delay of their own.
    private func enough(_ timing: pa_timing_info?) -> pa_usec_t {
        let taken = timing.map { max($0.configured_sink_usec, $0.sink_usec) } ?? 0
        return max(pa_usec_t(length), taken / 1000 + 2 * pa_usec_t(Self.fragment)) * 1000
    }
}
