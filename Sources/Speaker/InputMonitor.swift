import Base
import CPulse

/// Plays the microphone back to the singer: a recording stream and a playback stream on one thread, with the least
/// latency that works. Both end with the process.
///
/// Playback buffers `cushion`, which grows by half after an underrun. Samples that come in one go after a stall are
/// dropped. If the clocks of input and output differ, the server is asked to play a little faster or slower. A missing
/// input is retried every second. Ended by `stop`.
public final class InputMonitor: @unchecked Sendable {
    public enum Notice: Sendable {
        /// Recording has begun, or has ended.
        case opened, closed
        /// Latency of the playback. Emitted when it has settled: for each pair of streams, and after the cushion grew.
        case heard(after: Time)
        /// The server's reason why the input is not heard. Emitted once.
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
    /// Reason to close the streams, once the library's callback has returned.
    private var refusal: String?
    private var isStopped = false
    private var isOpen = false
    private var reportedLoss: String?
    private var hasReported = false
    /// Number of samples that came since the cushion grew last, or since the streams began. Fragments are no measure of
    /// time: a server delivers shorter ones than requested.
    private var calm = 0
    /// Latencies measured since then, in microseconds.
    private var latencies: [UInt64] = []
    private var inputLatency: pa_usec_t = 0
    /// Amount that playback buffers, in milliseconds.
    private var cushion = shortestCushion
    private var pace = PlaybackPace()
    /// Number of samples to drop from what comes next.
    private var surplus = 0

    private static let frameBytes = 2 * MemoryLayout<Float>.size
    /// Length of a fragment, and bounds of the cushion, in milliseconds.
    private static let fragment: UInt32 = 5
    private static let shortestCushion: UInt32 = 10
    private static let longestCushion: UInt32 = 120
    /// Two seconds, in samples.
    private static let calmEnough = 2 * SoundGrid.rate
    /// Number of samples between two measurements of the streams.
    private static let measuring = SoundGrid.rate / 20
    /// Pause between attempts, in microseconds.
    private static let pause: Int64 = 1_000_000

    /// `name`: the server's name of the input; nil for its default. The result is nil if the system has no thread or
    /// descriptor left.
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

    /// Playback waits for a whole cushion before it begins, and again after an underrun.
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
        // An output's own sound would feed back. The library still uses the stream in this callback, so a timer closes
        // it.
        refusal = "the default input records an output; set audio.input to a microphone"
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

    /// Latency that the server has just measured, in microseconds; nil if there is no measurement.
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
        // Input and output may have different clocks.
        switch pace.step(held: Double(latency) / 1_000_000, enough: Double(enough) / 1_000_000) {
        case .none: break
        case .play(let rate): drop(pa_stream_update_sample_rate(stream, rate, nil, nil))
        case .leaveOut(let samples): surplus = samples
        }
    }

    /// Amount that playback must buffer, in microseconds. Some outputs take more at a time than the cushion, or are
    /// late by themselves.
    private var enough: pa_usec_t {
        let timing = output.flatMap { pa_stream_get_timing_info($0)?.pointee }
        let taken = timing.map { max($0.configured_sink_usec, $0.sink_usec) } ?? 0
        return max(pa_usec_t(cushion), taken / 1000 + 2 * pa_usec_t(Self.fragment)) * 1000
    }

    fileprivate func handleUnderflow() {
        guard let output, cushion < Self.longestCushion else { return }
        // The buffer is empty at the beginning.
        guard calm > Self.calmEnough / 10 else { return }
        cushion = min(cushion / 2 * 3, Self.longestCushion)
        (calm, latencies, hasReported, surplus) = (0, [], false, 0)
        pace.beginAnew()
        var attributes = outputAttributes
        drop(pa_stream_set_buffer_attr(output, &attributes, nil, nil))
    }

    /// Reports the median, since the first measurements are inexact.
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
