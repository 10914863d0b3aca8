import Base

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
