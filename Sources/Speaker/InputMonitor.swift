import CPulse
import Threads
import WallCore

/// Who sings hears the microphone: a recording stream and a playback stream of our own, on one thread, with as little
/// between them as holds. Both end with the process.
///
/// Playback holds `cushion`; where it runs dry that grows by half; what comes in one go after the machine was held up is
/// left out. Where the input's clock is another than the output's, the server is asked to play a little faster or slower.
/// An input that is not there is looked for every second. Ended by `stop`.
public final class InputMonitor: @unchecked Sendable {
    public enum Notice: Sendable {
        /// The input is recorded; it is no longer.
        case opened, closed
        /// It is heard after so long. Said when that has settled: of each pair of streams, and when playback holds more.
        case heard(after: Time)
        /// Why it is not, in the server's words; said once.
        case lost(String)
    }

    private let loop: OpaquePointer
    private let name: String?
    private let notice: @Sendable (Notice) -> Void
    private var gain: Float
    private var context: OpaquePointer?
    private var input: OpaquePointer?
    private var output: OpaquePointer?
    private var retry: OpaquePointer?
    /// Why its streams are to be given up, once the library is out of them.
    private var refusal: String?
    private var isStopped = false
    private var isOpen = false
    private var reportedLoss: String?
    private var hasReported = false
    /// Samples that came since the cushion grew last, or the streams began. Fragments are no measure of time: a server hands
    /// over shorter ones than it was asked for.
    private var calm = 0
    /// In microseconds, since then.
    private var latencies: [UInt64] = []
    private var inputLatency: pa_usec_t = 0
    /// What playback holds, in milliseconds.
    private var cushion = shortestCushion
    private var pace = PlaybackPace()
    /// So many samples of what comes next are left out.
    private var surplus = 0

    private static let frameBytes = 2 * MemoryLayout<Float>.size
    /// In milliseconds.
    private static let fragment: UInt32 = 5
    private static let shortestCushion: UInt32 = 10
    private static let longestCushion: UInt32 = 120
    /// Two seconds.
    private static let calmEnough = 2 * SoundGrid.rate
    /// Both streams are measured once in so many samples.
    private static let measuring = SoundGrid.rate / 20
    /// In microseconds.
    private static let pause: Int64 = 1_000_000

    /// `name`: of the input, as the server calls it; nil: its default. nil: the system has no thread or descriptor left.
    public init?(_ name: String?, gain: Float, notice: @escaping @Sendable (Notice) -> Void) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        (self.loop, self.name, self.gain, self.notice) = (loop, name, gain, notice)
        pa_threaded_mainloop_set_name(loop, "input monitor")
        onItsThread { $0.connect() }
        guard pa_threaded_mainloop_start(loop) >= 0 else {
            stop()
            return nil
        }
    }

    deinit { pa_threaded_mainloop_free(loop) }

    public func setGain(_ gain: Float) { onItsThread { $0.gain = gain } }

    public func stop() {
        onItsThread { monitor in
            monitor.forgetRetry()
            monitor.disconnect()
            monitor.isStopped = true
        }
        pa_threaded_mainloop_stop(loop)
    }

    private func onItsThread(_ body: (InputMonitor) -> Void) {
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
        case PA_CONTEXT_READY: openStreams(context)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose()
        default: break
        }
    }

    private func lose() {
        lose(context.map { String(cString: pa_strerror(pa_context_errno($0))) } ?? "no sound server")
    }

    private func lose(_ reason: String) {
        if reportedLoss != reason { notice(.lost(reason)) }
        if isOpen { notice(.closed) }
        (isOpen, reportedLoss) = (false, reason)
        disconnect()
        forgetRetry()
        retry = timer(api, after: Self.pause, retryIsDue, me)
    }

    fileprivate func handleRetry() {
        forgetRetry()
        guard let refusal else { return connect() }
        self.refusal = nil
        lose(refusal)
    }

    private func forgetRetry() {
        if let retry { api.pointee.time_free(retry) }
        retry = nil
    }

    private func disconnect() {
        for stream in [input, output].compactMap({ $0 }) {
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_set_latency_update_callback(stream, nil, nil)
            pa_stream_set_read_callback(stream, nil, nil)
            pa_stream_set_moved_callback(stream, nil, nil)
            pa_stream_set_underflow_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        (input, output) = (nil, nil)
        guard let context else { return }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        self.context = nil
    }

    // MARK: the streams

    private static func bytes(ofMilliseconds milliseconds: UInt32) -> UInt32 {
        milliseconds * UInt32(SoundGrid.rate / 1000 * frameBytes)
    }

    /// It waits for a whole cushion before it begins, and again when it has run dry.
    private var outputAttributes: pa_buffer_attr {
        let held = Self.bytes(ofMilliseconds: cushion)
        return pa_buffer_attr(
            maxlength: .max, tlength: held, prebuf: held, minreq: Self.bytes(ofMilliseconds: Self.fragment),
            fragsize: .max)
    }

    private func openStreams(_ context: OpaquePointer) {
        (calm, latencies, inputLatency, hasReported, pace, surplus) = (0, [], 0, false, PlaybackPace(), 0)
        var sample = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(SoundGrid.rate), channels: 2)
        output = pa_stream_new(context, "Microphone", &sample, nil)
        input = pa_stream_new(context, "Microphone", &sample, nil)
        guard let output, let input else { return lose() }
        for stream in [input, output] {
            pa_stream_set_state_callback(stream, streamChanged, me)
            pa_stream_set_latency_update_callback(stream, streamMeasured, me)
        }
        pa_stream_set_read_callback(input, samplesCame, me)
        pa_stream_set_moved_callback(input, streamChanged, me)
        pa_stream_set_underflow_callback(output, streamRanDry, me)
        var attributes = outputAttributes
        let short = PA_STREAM_ADJUST_LATENCY.rawValue
        guard
            pa_stream_connect_playback(
                output, nil, &attributes, pa_stream_flags_t(short | PA_STREAM_VARIABLE_RATE.rawValue), nil, nil) >= 0
        else { return lose() }
        attributes = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: Self.bytes(ofMilliseconds: Self.fragment))
        let fixed = name == nil ? 0 : PA_STREAM_DONT_MOVE.rawValue
        if pa_stream_connect_record(input, name, &attributes, pa_stream_flags_t(short | fixed)) < 0 { lose() }
    }

    fileprivate func handleStream() {
        for stream in [input, output].compactMap({ $0 }) {
            switch pa_stream_get_state(stream) {
            case PA_STREAM_FAILED, PA_STREAM_TERMINATED: return lose()
            default: break
            }
        }
        guard let input, pa_stream_get_state(input) == PA_STREAM_READY else { return }
        guard name == nil, let device = pa_stream_get_device_name(input), String(cString: device).hasSuffix(".monitor")
        else {
            if !isOpen { notice(.opened) }
            isOpen = true
            return
        }
        // It would hear itself, louder and louder. The library still works with a stream that it calls ready.
        refusal = "the default input is what an output plays; audio.input names a microphone"
        forgetRetry()
        retry = timer(api, after: 0, retryIsDue, me)
    }

    fileprivate func handleSamples() {
        var data: UnsafeRawPointer?
        var bytes = 0
        let before = calm
        while let input, pa_stream_peek(input, &data, &bytes) >= 0, bytes > 0 {
            if let data { play(data.assumingMemoryBound(to: Float.self), bytes) }
            calm += bytes / Self.frameBytes
            pa_stream_drop(input)
        }
        if calm / Self.measuring != before / Self.measuring {
            for stream in [input, output].compactMap({ $0 }) {
                drop(pa_stream_update_timing_info(stream, nil, nil))
            }
        }
        if !hasReported, calm >= Self.calmEnough { reportLatency() }
    }

    private func play(_ samples: UnsafePointer<Float>, _ bytes: Int) {
        guard let output, pa_stream_get_state(output) == PA_STREAM_READY else { return }
        let left = min(surplus, bytes / Self.frameBytes)
        surplus -= left
        var scaled = Array(UnsafeBufferPointer(start: samples, count: bytes / MemoryLayout<Float>.size)[(left * 2)...])
        if scaled.isEmpty { return }
        if gain != 1 { for index in scaled.indices { scaled[index] *= gain } }
        pa_stream_write(output, scaled, bytes - left * Self.frameBytes, nil, 0, PA_SEEK_RELATIVE)
    }

    /// As the server has just measured it, in microseconds; nil: it has no time.
    private func latency(of stream: OpaquePointer) -> pa_usec_t? {
        var (latency, isNegative) = (pa_usec_t(0), Int32(0))
        guard pa_stream_get_latency(stream, &latency, &isNegative) >= 0 else { return nil }
        return isNegative != 0 ? 0 : latency
    }

    fileprivate func handleMeasurement(of stream: OpaquePointer?) {
        guard let stream, let latency = latency(of: stream) else { return }
        guard stream == output else {
            inputLatency = latency
            return
        }
        guard pa_stream_get_timing_info(stream)?.pointee.playing != 0 else { return }
        if !hasReported { latencies.append(inputLatency + latency) }
        // The input's clock and the output's are two.
        switch pace.step(held: Double(latency) / 1_000_000, enough: Double(enough) / 1_000_000) {
        case .none: break
        case .play(let rate): drop(pa_stream_update_sample_rate(stream, rate, nil, nil))
        case .leaveOut(let samples): surplus = samples
        }
    }

    /// What it has to hold, in microseconds: some outputs take more at a time than the cushion, or are late by themselves.
    private var enough: pa_usec_t {
        let timing = output.flatMap { pa_stream_get_timing_info($0)?.pointee }
        let taken = timing.map { max($0.configured_sink_usec, $0.sink_usec) } ?? 0
        return max(pa_usec_t(cushion), taken / 1000 + 2 * pa_usec_t(Self.fragment)) * 1000
    }

    fileprivate func handleUnderflow() {
        guard let output, cushion < Self.longestCushion else { return }
        // At its beginning it is empty.
        guard calm > Self.calmEnough / 10 else { return }
        cushion = min(cushion / 2 * 3, Self.longestCushion)
        (calm, latencies, hasReported, surplus) = (0, [], false, 0)
        pace.beginAnew()
        var attributes = outputAttributes
        drop(pa_stream_set_buffer_attr(output, &attributes, nil, nil))
    }

    /// The median: the first measurements know little.
    private func reportLatency() {
        guard !latencies.isEmpty else { return }
        let median = latencies.sorted()[latencies.count / 2]
        (hasReported, reportedLoss, latencies) = (true, nil, [])
        notice(.heard(after: Time(nanoseconds: Int64(median) * 1000)))
    }
}

private func monitor(_ opaque: UnsafeMutableRawPointer?) -> InputMonitor {
    Unmanaged<InputMonitor>.fromOpaque(opaque!).takeUnretainedValue()
}

private func contextChanged(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { monitor(opaque).handleContext() }

private func streamChanged(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { monitor(opaque).handleStream() }

private func samplesCame(_: OpaquePointer?, _ bytes: Int, _ opaque: UnsafeMutableRawPointer?) {
    monitor(opaque).handleSamples()
}

private func streamMeasured(_ stream: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    monitor(opaque).handleMeasurement(of: stream)
}

private func streamRanDry(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    monitor(opaque).handleUnderflow()
}

private func retryIsDue(
    _: UnsafeMutablePointer<pa_mainloop_api>?, _: OpaquePointer?, _: UnsafePointer<timeval>?,
    _ opaque: UnsafeMutableRawPointer?
) {
    monitor(opaque).handleRetry()
}
