import Base
import CPulse

/// Amount that the playback of a monitored microphone buffers: the least that holds. Used by one thread.
///
/// An underrun makes the cushion longer by half. After a time without underruns a shorter one is tried. If it does not
/// hold, the next trial waits longer.
struct MonitorCushion {
    /// In milliseconds.
    private(set) var length = shortest
    /// Lengths from which underruns made it longer, the last one at the end.
    private var shorter: [UInt32] = []
    /// Samples since the length changed last.
    private var calm = 0
    /// Samples without an underrun after which a shorter cushion is tried.
    private var patience = shortestPatience
    /// True if the present length is a trial.
    private var isTrial = false
    private var pace = PlaybackPace()
    /// Number of samples to drop from those that come next.
    private var surplus = 0

    /// Length of a fragment, and bounds of the cushion, in milliseconds.
    static let fragment: UInt32 = 5
    private static let shortest: UInt32 = 10
    private static let longest: UInt32 = 120
    /// Bounds of the time before a trial, and the length of a trial, in samples.
    private static let shortestPatience = 10 * SoundGrid.rate
    private static let longestPatience = 600 * SoundGrid.rate
    private static let trial = 60 * SoundGrid.rate

    /// Playback waits for a whole cushion before it begins, and again after an underrun.
    var outputAttributes: pa_buffer_attr {
        let held = SoundStream.bytes(ofMilliseconds: length)
        return pa_buffer_attr(
            maxlength: .max, tlength: held, prebuf: held, minreq: SoundStream.bytes(ofMilliseconds: Self.fragment),
            fragsize: .max)
    }

    /// Begins with new streams, and keeps the length.
    mutating func begin() { (pace, surplus, calm) = (PlaybackPace(), 0, 0) }

    var canGrow: Bool { length < Self.longest }

    /// Grows by half after an underrun.
    mutating func grow() {
        patience = isTrial ? min(4 * patience, Self.longestPatience) : Self.shortestPatience
        shorter.append(length)
        length = min(length / 2 * 3, Self.longest)
        changed(isTrial: false)
    }

    /// Counts samples that came. Returns true if the cushion becomes shorter now: one step back after a time without
    /// underruns.
    mutating func shrinks(after samples: Int) -> Bool {
        calm += samples
        if isTrial, calm >= Self.trial { (isTrial, patience) = (false, Self.shortestPatience) }
        guard calm >= patience, let last = shorter.popLast() else { return false }
        length = last
        changed(isTrial: true)
        return true
    }

    private mutating func changed(isTrial: Bool) {
        (self.isTrial, calm, surplus) = (isTrial, 0, 0)
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
        case .play(let rate): return rate
        case .drop(let samples): surplus = samples
        case nil: break
        }
        return nil
    }

    /// Amount that playback must buffer, in microseconds. Some outputs take more samples at a time than the cushion
    /// holds, or add a delay of their own.
    private func enough(_ timing: pa_timing_info?) -> pa_usec_t {
        let taken = timing.map { max($0.configured_sink_usec, $0.sink_usec) } ?? 0
        return max(pa_usec_t(length), taken / 1000 + 2 * pa_usec_t(Self.fragment)) * 1000
    }
}

/// Latency of a monitored microphone, measured until it has settled. Used by one thread.
struct MonitorLatency {
    /// Number of samples that came since the buffer changed last, or since the streams began. Fragments are no measure of
    /// time: a server delivers shorter ones than requested.
    private var calm = 0
    /// Latencies measured since then, in microseconds.
    private var measured: [UInt64] = []
    /// Last measured latency of the input, in microseconds.
    private var ofInput: UInt64 = 0
    private var isReported = false

    /// Two seconds, in samples.
    private static let calmEnough = 2 * SoundGrid.rate
    /// Number of samples between two measurements of the streams.
    private static let measuring = SoundGrid.rate / 20

    /// Counts samples that came. Returns true if the streams are to be measured.
    mutating func count(_ samples: Int) -> Bool {
        let before = calm
        calm += samples
        return calm / Self.measuring != before / Self.measuring
    }

    /// False at the beginning, when the buffer is still empty.
    var hasBegun: Bool { calm > Self.calmEnough / 10 }

    mutating func noteInput(_ latency: UInt64) { ofInput = latency }

    mutating func noteOutput(_ latency: UInt64) { if !isReported { measured.append(ofInput + latency) } }

    /// Begins anew, since the buffer has another length.
    mutating func bufferHasChanged() { (calm, measured, isReported) = (0, [], false) }

    /// Returns the latency in microseconds, once, when it has settled: the median, since the first measurements are
    /// inexact.
    mutating func settle() -> UInt64? {
        guard !isReported, calm >= Self.calmEnough, !measured.isEmpty else { return nil }
        let median = measured.sorted()[measured.count / 2]
        (isReported, measured) = (true, [])
        return median
    }
}

/// Sample rate at which a playback stream keeps the length of its buffer, and the surplus to drop from it. Used by one
/// thread.
struct PlaybackPace {
    private var sum = 0.0
    private var least = Double.infinity
    private var count = 0
    /// Length that the buffer is kept at, in seconds: its mean over the first window.
    private var usual: Double?
    private var rate = UInt32(SoundGrid.rate)

    /// Length of a window, in measurements 50 ms apart. Shorter changes are averaged out.
    private static let window = 20
    /// Measurements in one part of a window. The smallest value of each part shows a surplus.
    private static let part = 4
    /// Time in which a deviation is corrected, in seconds.
    private static let correctionTime = 10.0
    private static let largestCorrection = 0.002
    /// Largest surplus over `enough` that is kept, in seconds.
    private static let mostSurplus = 0.005

    /// Correction of the stream after one measurement.
    enum Step: Equatable {
        /// Plays at this rate, in samples a second.
        case play(rate: UInt32)
        /// Drops this many of the next samples: the stream was blocked, and then received the samples of that time at
        /// once.
        case drop(Int)
    }

    /// Called when the buffer becomes longer. Discards all measurements.
    mutating func beginAnew() { (sum, least, count, usual) = (0, .infinity, 0, nil) }

    /// `held`: length of the samples written and not heard yet. `enough`: length that the stream needs. Both in
    /// seconds. nil if nothing is to be corrected.
    mutating func step(held: Double, enough: Double) -> Step? {
        (sum, least, count) = (sum + held, min(least, held), count + 1)
        if count % Self.part == 0 {
            let surplus = least - enough
            least = .infinity
            if surplus > Self.mostSurplus {
                beginAnew()
                return .drop(Int(surplus * Double(SoundGrid.rate)))
            }
        }
        guard count == Self.window else { return nil }
        let mean = sum / Double(count)
        (sum, count) = (0, 0)
        guard let usual else {
            usual = mean
            return nil
        }
        let correction = (usual - mean) / Self.correctionTime
        let bounded = min(Self.largestCorrection, max(-Self.largestCorrection, correction))
        let wanted = UInt32((Double(SoundGrid.rate) * (1 - bounded)).rounded())
        if wanted == rate { return nil }
        rate = wanted
        return .play(rate: wanted)
    }
}
