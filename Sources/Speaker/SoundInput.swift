import Base
import CPulse
import Heard
import Threads

/// One recording stream of a sound input (a PulseAudio source).
///
/// Calls `take` on a thread of its own, which also talks to the server: no call here waits for the server. A missing
/// input is tried again every second. Ended by `stop`.
public final class SoundInput: @unchecked Sendable {
    /// Receives interleaved stereo samples at the speaker's rate.
    public typealias Take = @Sendable (UnsafeBufferPointer<Float>, Place) -> Void

    /// Position of samples in time.
    public struct Place: Sendable {
        /// Time at which the first sample was at the input, on CLOCK_MONOTONIC; nil until it is measured well enough.
        public let heardAt: Time?
        /// Number of the stream. A change means that samples may be missing in between.
        public let stream: Int
        /// True if some samples were no numbers or absurd, and were replaced or limited.
        public var areMended = false

        public init(heardAt: Time?, stream: Int) { (self.heardAt, self.stream) = (heardAt, stream) }
    }

    /// Receives the reason for silence, in the server's words.
    public typealias Loss = @Sendable (String) -> Void

    private let thread: ServerThread
    private let name: String?
    private let take: Take
    private let loss: Loss
    /// Milliseconds of sound in one call of `take`.
    private let fragment: Int
    private var stream: OpaquePointer?
    private var line = InputLine()
    private var sampleGuard = SampleGuard()
    /// True once the default input was a microphone. The monitor of an output must not replace it.
    private var hadMicrophone = false

    /// `name`: the server's name of the input; nil for the default input. `fragment`: milliseconds of sound in one call
    /// of `take`.
    /// Returns nil if the system has no thread or descriptor left.
    public init?(_ name: String?, fragment: Int = 10, take: @escaping Take, loss: @escaping Loss) {
        guard let thread = ServerThread() else { return nil }
        (self.thread, self.name, self.fragment, self.take, self.loss) = (thread, name, fragment, take, loss)
        guard thread.start("sound input", for: self) else { return nil }
    }

    /// Ends the thread. Samples not taken yet are lost.
    public func stop() { thread.stop() }

    /// The server's name of the input; nil while there is none.
    public var device: String? { thread.locked { stream.flatMap(SoundStream.device) } }

    // MARK: the stream

    private var reason: String {
        guard let context = thread.context else { return "no sound server" }
        let code = pa_context_errno(context)
        switch pa_error_code(UInt32(code)) {
        case PA_ERR_NOENTITY: return "there is no such sound input"
        case PA_ERR_KILLED: return "the sound input is gone"
        default: return "the sound server: \(String(cString: pa_strerror(code)))"
        }
    }

    /// Ends the stream and keeps the connection.
    private func loseStream(_ reason: String? = nil) {
        loss(reason ?? self.reason)
        closeStreams()
        thread.retry()
    }

    private func handleStream() {
        guard let stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: loseStream()
        case PA_STREAM_READY: judgeDevice()
        default: break
        }
    }

    /// If the default microphone goes, the server may move the stream to the monitor of an output, perhaps this wall's.
    private func judgeDevice() {
        guard name == nil, let isMonitor = stream.flatMap(SoundStream.device)?.hasSuffix(".monitor") else { return }
        guard isMonitor, hadMicrophone else {
            hadMicrophone = !isMonitor
            return
        }
        // The library still uses the stream inside its callback, so a timer ends the stream.
        thread.call(after: 0) { [unowned self] in loseStream("the microphone is gone") }
    }

    private func handleSamples() {
        var data: UnsafeRawPointer?
        var bytes = 0
        while let stream, pa_stream_peek(stream, &data, &bytes) >= 0, bytes > 0 {
            let count = bytes / MemoryLayout<Float>.size
            var place = line.take(count / 2)
            if let data {
                let samples = UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count)
                if let mended = sampleGuard.mended(samples) {
                    place.areMended = mended.wasWrong
                    mended.samples.withUnsafeBufferPointer { take($0, place) }
                } else {
                    take(samples, place)
                }
            } else {
                // A gap: PulseAudio has no data.
                [Float](repeating: 0, count: count).withUnsafeBufferPointer { take($0, place) }
            }
            pa_stream_drop(stream)
        }
        guard line.positions.countTransfer(), let stream else { return }
        drop(pa_stream_update_timing_info(stream, nil, nil))
    }

    // MARK: position of the stream

    private func handleTiming() {
        guard let stream, let timing = pa_stream_get_timing_info(stream)?.pointee, timing.write_index_corrupt == 0
        else { return }
        line.note(timing)
    }

    private func handleMove() {
        line.beginAnew()
        judgeDevice()
    }
}

extension SoundInput: ServerClient {
    func openStreams(in context: OpaquePointer) {
        var sample = SoundStream.format
        stream = pa_stream_new(context, "Quadrille", &sample, nil)
        guard let stream else { return loseStream() }
        pa_stream_set_state_callback(stream, { _, me in (callee(me) as SoundInput).handleStream() }, me)
        pa_stream_set_read_callback(stream, { _, _, me in (callee(me) as SoundInput).handleSamples() }, me)
        pa_stream_set_latency_update_callback(stream, { _, me in (callee(me) as SoundInput).handleTiming() }, me)
        pa_stream_set_moved_callback(stream, { _, me in (callee(me) as SoundInput).handleMove() }, me)
        // A suspended stream delivers no samples, so its position is measured anew.
        pa_stream_set_suspended_callback(stream, { _, me in (callee(me) as SoundInput).line.beginAnew() }, me)
        line.beginStream()
        if !SoundStream.record(stream, name, fragmentMilliseconds: UInt32(fragment)) { loseStream() }
    }

    func closeStreams() {
        if let stream { SoundStream.end(stream) }
        stream = nil
    }

    func handleLoss(_: String?) { loss(reason) }
}

/// Position of a sound input's samples in time. Used by one thread.
struct InputLine {
    /// Number of the stream: a change means that samples may be missing in between.
    private var stream = 0
    /// Counts the fragments, too.
    var positions = StreamLine()
    /// Samples of this stream so far.
    private var taken: Int64 = 0
    /// Number of measurements in a row that found the stream later than before.
    private var lateMeasurements = 0

    /// A stream later than `mostLate` in `tooManyLateMeasurements` measurements in a row has lost samples.
    private static let mostLate = Time.milliseconds(100), tooManyLateMeasurements = 3

    /// Begins with the server's next stream.
    mutating func beginStream() {
        taken = 0
        beginAnew()
    }

    /// Measures the position anew: the stream goes on, but samples may be missing.
    mutating func beginAnew() {
        stream += 1
        lateMeasurements = 0
        positions.reset()
    }

    /// Counts `count` samples. Returns the place of the first of them.
    mutating func take(_ count: Int) -> SoundInput.Place {
        defer { taken += Int64(count) }
        return SoundInput.Place(
            heardAt: positions.isSettled ? positions.wallTime(of: SoundGrid.time(of: taken)) : nil, stream: stream)
    }

    /// Notes a measurement of the stream.
    mutating func note(_ timing: pa_timing_info) {
        let age = SoundStream.age(of: timing)
        // A microphone's sample was captured before its measurement. A monitor's sample is heard after it.
        let source = Time(nanoseconds: (Int64(timing.source_usec) - Int64(timing.sink_usec)) * 1000)
        let place = SoundGrid.time(of: timing.write_index / Int64(SoundStream.frameBytes))
        let heardAt = Time.now - age - source
        let isLate = positions.isSettled && positions.wallTime(of: place).map { heardAt - $0 > Self.mostLate } ?? false
        lateMeasurements = isLate ? lateMeasurements + 1 : 0
        // The input stalled or lost samples: the next ones were captured later than the line predicts.
        if lateMeasurements >= Self.tooManyLateMeasurements { beginAnew() }
        positions.note(place, heardAt: heardAt)
    }
}
