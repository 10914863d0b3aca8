import Base
import CPulse

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
    /// True after the server has moved the stream to an output's monitor all the same. The stream is then ended.
    private var isMonitored = false

    private static let frameBytes = 2 * MemoryLayout<Float>.size
    /// Delay before a retry, in microseconds.
    private static let pause: Int64 = 1_000_000

    /// `name`: the server's name of the input; nil for the default input. `fragment`: milliseconds of sound in one call
    /// of `take`.
    /// Returns nil if the system has no thread or descriptor left.
    public init?(_ name: String?, fragment: Int = 10, take: @escaping Take, loss: @escaping Loss) {
        guard let thread = ServerThread() else { return nil }
        (self.thread, self.name, self.fragment, self.take, self.loss) = (thread, name, fragment, take, loss)
        guard thread.start("sound input", first: { connect() }) else {
            stop()
            return nil
        }
    }

    /// Ends the thread. Samples not taken yet are lost.
    public func stop() { thread.stop { disconnect() } }

    /// The server's name of the input; nil while there is none.
    public var device: String? {
        var device: String?
        thread.locked {
            guard let stream, pa_stream_get_state(stream) == PA_STREAM_READY else { return }
            device = pa_stream_get_device_name(stream).map { String(cString: $0) }
        }
        return device
    }

    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    // MARK: the server

    private func connect() {
        guard let context = thread.makeContext(contextChanged, me) else { return lose() }
        if pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { lose() }
    }

    fileprivate func handleContext() {
        guard let context = thread.context else { return }
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

    private func tryAgain() { thread.call(after: Self.pause, retryIsDue, me) }

    private var reason: String {
        guard let context = thread.context else { return "no sound server" }
        let code = pa_context_errno(context)
        switch pa_error_code(UInt32(code)) {
        case PA_ERR_NOENTITY: return "there is no such sound input"
        case PA_ERR_KILLED: return "the sound input is gone"
        default: return "the sound server: \(String(cString: pa_strerror(code)))"
        }
    }

    fileprivate func handleRetry() {
        thread.cancelTimer()
        if isMonitored {
            isMonitored = false
            return loseStream("the microphone is gone")
        }
        if let context = thread.context { openStream(context) } else { connect() }
    }

    private func disconnect() {
        closeStream()
        thread.disconnect()
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
        line.beginStream()
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
        thread.call(after: 0, retryIsDue, me)
    }

    fileprivate func handleSamples() {
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
        guard line.countFragment(), let stream else { return }
        drop(pa_stream_update_timing_info(stream, nil, nil))
    }

    // MARK: position of the stream

    fileprivate func handleTiming() {
        guard let stream, let timing = pa_stream_get_timing_info(stream)?.pointee, timing.write_index_corrupt == 0
        else { return }
        line.note(timing, frameBytes: Self.frameBytes)
    }

    fileprivate func handleMove() {
        line.beginAnew()
        judgeDevice()
    }

    /// A suspended stream delivers no samples, so its position is measured anew.
    fileprivate func handleSuspension() { line.beginAnew() }
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
