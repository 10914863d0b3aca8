import Base
import CPulse
import Heard

/// Plays the microphone back to the singer: a recording stream and a playback stream on one thread, with the least
/// latency that works. Both end with the process.
///
/// Playback buffers `cushion`, which grows by half after an underrun, and shrinks after a time without any. Samples that
/// come in one go after a stall are dropped. If the clocks of input and output differ, the server is asked to play a
/// little faster or slower. A missing input is retried every second. Ended by `stop`.
///
/// The monitor does not go through the mix, which is made too far ahead for a singer. `SoundScene.monitored` names the
/// microphone. `PlaybackPace` follows the length of the playback buffer, which the server measures twenty times a
/// second.
public final class InputMonitor: @unchecked Sendable {
    public enum Notice: Sendable {
        /// Recording has begun or ended, or the latency of the playback has settled: for each pair of streams, and after
        /// the cushion changed.
        case changed(SoundScene.Monitored.State)
        /// The server's reason why the input is not heard. Emitted once.
        case lost(String)
    }

    private let thread: ServerThread
    private let name: String?
    private let notice: @Sendable (Notice) -> Void
    private var gain: Ramp
    private var streams: MonitorStreams?
    private var isOpen = false
    private var reportedLoss: String?
    private var latency = MonitorLatency()
    private var cushion = MonitorCushion()
    private var sampleGuard = SampleGuard()

    /// `name`: the server's name of the input; nil for its default. The result is nil if the system has no thread or
    /// descriptor left.
    public init?(_ name: String?, gain: Float, notice: @escaping @Sendable (Notice) -> Void) {
        guard let thread = ServerThread() else { return nil }
        (self.thread, self.name, self.gain, self.notice) = (thread, name, Ramp(at: gain), notice)
        guard thread.start("input monitor", for: self) else { return nil }
    }

    /// Moves to another gain without a click.
    public func setGain(_ gain: Float) { thread.locked { self.gain.turn(to: gain) } }

    public func stop() { thread.stop() }

    // MARK: the streams

    private func handleStream() {
        guard let streams else { return }
        if streams.hasEnded { return thread.lose() }
        guard pa_stream_get_state(streams.input) == PA_STREAM_READY else { return }
        guard name == nil, streams.recordsOutput else {
            if !exchange(&isOpen, with: true) { notice(.changed(.open)) }
            return
        }
        // An output's own sound would feed back. The library still uses the stream in this callback, so a timer closes
        // it.
        thread.call(after: 0) { [thread] in
            thread.lose("the default input records an output; set audio.input to a microphone")
        }
    }

    private func handleSamples() {
        guard let streams else { return }
        var data: UnsafeRawPointer?
        var (bytes, count) = (0, 0)
        while pa_stream_peek(streams.input, &data, &bytes) >= 0, bytes > 0 {
            if let data { play(data.assumingMemoryBound(to: Float.self), bytes, on: streams.output) }
            count += bytes / SoundStream.frameBytes
            pa_stream_drop(streams.input)
        }
        if cushion.shrinks(after: count) { setCushion(of: streams) }
        if latency.count(count) { streams.measure() }
        guard let median = latency.settle() else { return }
        reportedLoss = nil
        notice(.changed(.heard(after: Time(nanoseconds: Int64(median) * 1000))))
    }

    private func play(_ samples: UnsafePointer<Float>, _ bytes: Int, on output: OpaquePointer) {
        guard pa_stream_get_state(output) == PA_STREAM_READY else { return }
        let left = cushion.dropped(of: bytes / SoundStream.frameBytes)
        let came = UnsafeBufferPointer(start: samples, count: bytes / MemoryLayout<Float>.size)
        var scaled = Array((sampleGuard.mended(came)?.samples ?? Array(came))[(left * 2)...])
        if scaled.isEmpty { return }
        if gain.isMoving || gain.target != 1 {
            for frame in 0..<scaled.count / 2 {
                let factor = gain.next()
                scaled[frame * 2] *= factor
                scaled[frame * 2 + 1] *= factor
            }
        }
        pa_stream_write(output, scaled, bytes - left * SoundStream.frameBytes, nil, 0, PA_SEEK_RELATIVE)
    }

    private func handleMeasurement(of stream: OpaquePointer?) {
        guard let stream, let measured = MonitorStreams.latency(of: stream) else { return }
        guard stream == streams?.output else { return latency.noteInput(measured) }
        let timing = pa_stream_get_timing_info(stream)?.pointee
        guard timing?.playing != 0 else { return }
        latency.noteOutput(measured)
        // Input and output may have different clocks.
        if let rate = cushion.step(held: measured, timing) {
            drop(pa_stream_update_sample_rate(stream, rate, nil, nil))
        }
    }

    private func handleUnderflow() {
        guard let streams, cushion.canGrow, latency.hasBegun else { return }
        cushion.grow()
        setCushion(of: streams)
    }

    private func setCushion(of streams: MonitorStreams) {
        latency.bufferHasChanged()
        var attributes = cushion.outputAttributes
        drop(pa_stream_set_buffer_attr(streams.output, &attributes, nil, nil))
    }
}

extension InputMonitor: ServerClient {
    func openStreams(in context: OpaquePointer) {
        latency = MonitorLatency()
        cushion.begin()
        streams = MonitorStreams(in: context)
        guard let streams else { return thread.lose() }
        for stream in [streams.input, streams.output] {
            pa_stream_set_state_callback(stream, { _, me in (callee(me) as InputMonitor).handleStream() }, me)
            pa_stream_set_latency_update_callback(
                stream, { stream, me in (callee(me) as InputMonitor).handleMeasurement(of: stream) }, me)
        }
        pa_stream_set_read_callback(streams.input, { _, _, me in (callee(me) as InputMonitor).handleSamples() }, me)
        pa_stream_set_moved_callback(streams.input, { _, me in (callee(me) as InputMonitor).handleStream() }, me)
        pa_stream_set_underflow_callback(
            streams.output, { _, me in (callee(me) as InputMonitor).handleUnderflow() }, me)
        if !streams.connect(name, cushion) { thread.lose() }
    }

    func closeStreams() {
        streams?.close()
        streams = nil
    }

    func handleLoss(_ reason: String?) {
        let reason = reason ?? "no sound server"
        if exchange(&reportedLoss, with: reason) != reason { notice(.lost(reason)) }
        if exchange(&isOpen, with: false) { notice(.changed(.closed)) }
    }
}

/// The recording and the playback stream of a monitored microphone. Every call holds the main loop's lock.
struct MonitorStreams {
    let input: OpaquePointer
    let output: OpaquePointer

    /// nil if the library makes no more streams.
    init?(in context: OpaquePointer) {
        var sample = SoundStream.format
        let output = pa_stream_new(context, "Microphone", &sample, nil)
        let input = pa_stream_new(context, "Microphone", &sample, nil)
        guard let output, let input else {
            for stream in [input, output].compactMap({ $0 }) { pa_stream_unref(stream) }
            return nil
        }
        (self.input, self.output) = (input, output)
    }

    /// Returns false if connecting fails at once. `name`: the server's name of the input; nil for its default.
    func connect(_ name: String?, _ cushion: MonitorCushion) -> Bool {
        var attributes = cushion.outputAttributes
        let flags = pa_stream_flags_t(PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_VARIABLE_RATE.rawValue)
        return pa_stream_connect_playback(output, nil, &attributes, flags, nil, nil) >= 0
            && SoundStream.record(input, name, fragmentMilliseconds: MonitorCushion.fragment)
    }

    func close() { for stream in [input, output] { SoundStream.end(stream) } }

    /// True if the server has ended one of the two streams.
    var hasEnded: Bool {
        [input, output].contains { [PA_STREAM_FAILED, PA_STREAM_TERMINATED].contains(pa_stream_get_state($0)) }
    }

    /// True if the input is the monitor of an output.
    var recordsOutput: Bool { SoundStream.device(of: input)?.hasSuffix(".monitor") ?? false }

    /// Asks the server for the position of both streams.
    func measure() { for stream in [input, output] { drop(pa_stream_update_timing_info(stream, nil, nil)) } }

    /// Latency that the server has just measured, in microseconds; nil if there is no measurement.
    static func latency(of stream: OpaquePointer) -> pa_usec_t? {
        var (latency, isNegative) = (pa_usec_t(0), Int32(0))
        guard pa_stream_get_latency(stream, &latency, &isNegative) >= 0 else { return nil }
        return isNegative != 0 ? 0 : latency
    }
}
