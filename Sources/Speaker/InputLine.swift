import Base
import CPulse
import Scene
import Threads

/// Position of a sound input's samples in time. Used by one thread.
struct InputLine {
    /// Number of the stream: a change means that samples may be missing in between.
    private var stream = 0
    private var line = StreamLine()
    /// Samples of this stream so far.
    private var taken: Int64 = 0
    /// Number of measurements in a row that found the stream later than before.
    private var lateMeasurements = 0
    /// Fragments since the last measurement of the stream's position.
    private var unmeasured = 0

    /// Fragments from one measurement of the stream's position to the next.
    private static let measuring = 10
    /// A stream later than `mostLate` in `tooManyLateMeasurements` measurements in a row has lost samples.
    private static let mostLate = Time.milliseconds(100), tooManyLateMeasurements = 3

    /// Begins with the server's next stream.
    mutating func beginStream() {
        (taken, unmeasured) = (0, 0)
        beginAnew()
    }

    /// Measures the position anew: the stream goes on, but samples may be missing.
    mutating func beginAnew() {
        stream += 1
        lateMeasurements = 0
        line.reset()
    }

    /// Counts `count` samples. Returns the place of the first of them.
    mutating func take(_ count: Int) -> SoundInput.Place {
        defer { taken += Int64(count) }
        return SoundInput.Place(
            heardAt: line.isSettled ? line.wallTime(of: SoundGrid.time(of: taken)) : nil, stream: stream)
    }

    /// Counts a fragment. Returns true if the stream's position is to be measured.
    mutating func countFragment() -> Bool {
        unmeasured += 1
        guard unmeasured >= Self.measuring || !line.isSettled else { return false }
        unmeasured = 0
        return true
    }

    /// Notes a measurement of a stream with `frameBytes` a sample.
    mutating func note(_ timing: pa_timing_info, frameBytes: Int) {
        // The server uses wall-clock times.
        var day = timeval()
        pa_gettimeofday(&day)
        var then = timing.timestamp
        let age = Time(nanoseconds: Int64(pa_timeval_diff(&day, &then)) * 1000)
        // A microphone's sample was captured before its measurement. A monitor's sample is heard after it.
        let source = Time(nanoseconds: (Int64(timing.source_usec) - Int64(timing.sink_usec)) * 1000)
        let place = SoundGrid.time(of: timing.write_index / Int64(frameBytes))
        let heardAt = Time(nanoseconds: monotonicNanoseconds()) - age - source
        let isLate = line.isSettled && line.wallTime(of: place).map { heardAt - $0 > Self.mostLate } ?? false
        lateMeasurements = isLate ? lateMeasurements + 1 : 0
        // The input stalled or lost samples: the next ones were captured later than the line predicts.
        if lateMeasurements >= Self.tooManyLateMeasurements { beginAnew() }
        line.note(place, heardAt: heardAt)
    }
}
