import Base
import CPulse
import Scene
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
    }

    /// Receives the reason for silence, in the server's words.
    public typealias Loss = @Sendable (String) -> Void

    private let loop: OpaquePointer
    private let name: String?
    private let take: Take
    private let loss: Loss
    private var context: OpaquePointer?
    private var stream: OpaquePointer?
    private var retry: OpaquePointer?
    private var isStopped = false
    private let fragment: Int
    private var streams = 0
    private var line = StreamLine()
    /// Samples of this stream so far.
    private var taken: Int64 = 0
    /// Number of measurements in a row that found the stream later than before.
    private var lateMeasurements = 0
    /// True once the default input was a microphone. The monitor of an output must not replace it.
    private var hadMicrophone = false
    /// True while the server has moved the stream to an output's monitor all the same. The stream is then given up.
    private var isMonitored = false
    /// Fragments since the last measurement of the stream's position.
    private var unmeasured = 0

    private static let frameBytes = 2 * MemoryLayout<Float>.size
    /// Fragments from one measurement of the stream's position to the next.
    private static let measuring = 10
    /// Delay before a retry, in microseconds.
    private static let pause: Int64 = 1_000_000
    /// A stream later than `mostLate` in `patience` measurements in a row has lost samples.
    private static let mostLate = Time.milliseconds(100), patience = 3

    /// `name`: the server's name of the input; nil for the default input. `fragment`: milliseconds of sound in one call
    /// of `take`.
    /// Returns nil if the system has no thread or descriptor left.
    public init?(_ name: String?, fragment: Int = 10, take: @escaping Take, loss: @escaping Loss) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        (self.loop, self.name, self.fragment, self.take, self.loss) = (loop, name, fragment, take, loss)
        pa_threaded_mainloop_set_name(loop, "sound input")
        onItsThread { $0.connect() }
        guard pa_threaded_mainloop_start(loop) >= 0 else {
            stop()
            return nil
        }
    }

    deinit { pa_threaded_mainloop_free(loop) }

    /// Ends the thread. Samples not taken yet are lost.
    public func stop() {
        onItsThread { input in
            input.forgetRetry()
            input.disconnect()
            input.isStopped = true
        }
        pa_threaded_mainloop_stop(loop)
    }

    /// The server's name of the input; nil while there is none.
    public var device: String? {
        var device: String?
        onItsThread { input in
            guard let stream = input.stream, pa_stream_get_state(stream) == PA_STREAM_READY else { return }
            device = pa_stream_get_device_name(stream).map { String(cString: $0) }
        }
        return device
    }

    private func onItsThread(_ body: (SoundInput) -> Void) {
        pa_threaded_mainloop_lock(loop)
        if !isStopped { body(self) }
        pa_threaded_mainloop_unlock(loop)
    }

    private var api: UnsafeMutablePointer<pa_mainloop_api> { pa_threaded_mainloop_get_api(loop) }
    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    // MARK: the server

    private func connect() {
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        for (key, value) in [(qd_APPLICATION_NAME, "Quadrille"), (qd_APPLICATION_ID, "quadrille")] {
            pa_proplist_sets(properties, key, value)
        }
        context = pa_context_new_with_proplist(api, "Quadrille", properties)
        guard let context else { return lose() }
        pa_context_set_state_callback(context, contextChanged, me)
        if pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { lose() }
    }

    fileprivate func handleContext() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: openStream(context)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose()
        default: break
        }
    }

    private func lose() {
        loss(reason)
        disconnect()
        tryAgain()
    }

    private func tryAgain() {
        forgetRetry()
        retry = timer(api, after: Self.pause, retryIsDue, me)
    }

    private var reason: String {
        guard let context else { return "no sound server" }
        let code = pa_context_errno(context)
        switch pa_error_code(UInt32(code)) {
        case PA_ERR_NOENTITY: return "there is no such sound input"
        case PA_ERR_KILLED: return "the sound input is gone"
        default: return "the sound server: \(String(cString: pa_strerror(code)))"
        }
    }

    fileprivate func handleRetry() {
        forgetRetry()
        if isMonitored {
            isMonitored = false
            return loseStream("the microphone is gone")
        }
        if let context { openStream(context) } else { connect() }
    }

    private func forgetRetry() {
        if let retry { api.pointee.time_free(retry) }
        retry = nil
    }

    private func disconnect() {
        closeStream()
        guard let context else { return }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        self.context = nil
    }

    // MARK: the stream

    private func openStream(_ context: OpaquePointer) {
        var sample = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(SoundGrid.rate), channels: 2)
        stream = pa_stream_new(context, "Quadrille", &sample, nil)
        guard let stream else { return loseStream() }
        pa_stream_set_state_callback(stream, streamChanged, me)
        pa_stream_set_read_callback(stream, samplesCame, me)
        pa_stream_set_latency_update_callback(stream, streamMeasured, me)
        pa_stream_set_moved_callback(stream, streamMoved, me)
        pa_stream_set_suspended_callback(stream, streamSuspended, me)
        (taken, unmeasured) = (0, 0)
        begin()
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: UInt32(fragment * SoundGrid.rate / 1000 * Self.frameBytes))
        // A named input is never moved: another source may be this program's own output.
        let flags = PA_STREAM_ADJUST_LATENCY.rawValue | (name == nil ? 0 : PA_STREAM_DONT_MOVE.rawValue)
        if pa_stream_connect_record(stream, name, &attributes, pa_stream_flags_t(flags)) < 0 { loseStream() }
    }

    /// Ends the stream and keeps the connection.
    private func loseStream(_ reason: String? = nil) {
        loss(reason ?? self.reason)
        closeStream()
        tryAgain()
    }

    private func closeStream() {
        guard let stream else { return }
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_set_latency_update_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_set_suspended_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        self.stream = nil
    }

    fileprivate func handleStream() {
        guard let stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: loseStream()
        case PA_STREAM_READY: judgeDevice()
        default: break
        }
    }

    /// If the default microphone goes, the server may move the stream to the monitor of an output, perhaps this wall's.
    private func judgeDevice() {
        guard name == nil, let stream, let device = pa_stream_get_device_name(stream) else { return }
        let isMonitor = String(cString: device).hasSuffix(".monitor")
        guard isMonitor, hadMicrophone else {
            hadMicrophone = !isMonitor
            return
        }
        // The library still uses the stream inside its callback, so a timer ends the stream.
        isMonitored = true
        forgetRetry()
        retry = timer(api, after: 0, retryIsDue, me)
    }

    fileprivate func handleSamples() {
        var data: UnsafeRawPointer?
        var bytes = 0
        while let stream, pa_stream_peek(stream, &data, &bytes) >= 0, bytes > 0 {
            let count = bytes / MemoryLayout<Float>.size
            let place = Place(
                heardAt: line.isSure ? line.wallTime(of: SoundGrid.time(of: taken)) : nil, stream: streams)
            taken += Int64(count / 2)
            if let data {
                take(UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count), place)
            } else {
                // A gap: PulseAudio has no data.
                [Float](repeating: 0, count: count).withUnsafeBufferPointer { take($0, place) }
            }
            pa_stream_drop(stream)
        }
        unmeasured += 1
        guard let stream, unmeasured >= Self.measuring || !line.isSure else { return }
        unmeasured = 0
        drop(pa_stream_update_timing_info(stream, nil, nil))
    }

    // MARK: where the stream is

    private func begin() {
        streams += 1
        lateMeasurements = 0
        line.lose()
    }

    fileprivate func handleTiming() {
        guard let stream, let timing = pa_stream_get_timing_info(stream)?.pointee, timing.write_index_corrupt == 0
        else { return }
        // The server uses wall-clock times.
        var day = timeval()
        pa_gettimeofday(&day)
        var then = timing.timestamp
        let age = Time(nanoseconds: Int64(pa_timeval_diff(&day, &then)) * 1000)
        // A microphone's sample was captured before its measurement. A monitor's sample is heard after it.
        let source = Time(nanoseconds: (Int64(timing.source_usec) - Int64(timing.sink_usec)) * 1000)
        let place = SoundGrid.time(of: timing.write_index / Int64(Self.frameBytes))
        let heardAt = Time(nanoseconds: monotonicNanoseconds()) - age - source
        let isLate = line.isSure && line.wallTime(of: place).map { heardAt - $0 > Self.mostLate } ?? false
        lateMeasurements = isLate ? lateMeasurements + 1 : 0
        // The input stalled or lost samples: the next ones were captured later than the line predicts.
        if lateMeasurements >= Self.patience { begin() }
        line.note(place, heardAt: heardAt)
    }

    fileprivate func handleMove() {
        begin()
        judgeDevice()
    }

    /// The samples of the suspension are missing.
    fileprivate func handleSuspension() { begin() }
}

private func input(_ opaque: UnsafeMutableRawPointer?) -> SoundInput {
    Unmanaged<SoundInput>.fromOpaque(opaque!).takeUnretainedValue()
}

private func contextChanged(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { input(opaque).handleContext() }

private func streamChanged(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { input(opaque).handleStream() }

private func samplesCame(_: OpaquePointer?, _ bytes: Int, _ opaque: UnsafeMutableRawPointer?) {
    input(opaque).handleSamples()
}

private func streamMeasured(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { input(opaque).handleTiming() }

private func streamSuspended(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    input(opaque).handleSuspension()
}

private func streamMoved(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { input(opaque).handleMove() }

private func retryIsDue(
    _: UnsafeMutablePointer<pa_mainloop_api>?, _: OpaquePointer?, _: UnsafePointer<timeval>?,
    _ opaque: UnsafeMutableRawPointer?
) {
    input(opaque).handleRetry()
}
