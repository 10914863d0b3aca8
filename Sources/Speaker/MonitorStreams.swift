import Base
import CPulse

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
        let short = PA_STREAM_ADJUST_LATENCY.rawValue
        let flags = pa_stream_flags_t(short | PA_STREAM_VARIABLE_RATE.rawValue)
        guard pa_stream_connect_playback(output, nil, &attributes, flags, nil, nil) >= 0 else { return false }
        attributes = MonitorCushion.inputAttributes
        let fixed = name == nil ? 0 : PA_STREAM_DONT_MOVE.rawValue
        return pa_stream_connect_record(input, name, &attributes, pa_stream_flags_t(short | fixed)) >= 0
    }

    func close() { for stream in [input, output] { SoundStream.end(stream) } }

    /// True if the server has ended one of the two streams.
    var hasEnded: Bool {
        [input, output].contains { [PA_STREAM_FAILED, PA_STREAM_TERMINATED].contains(pa_stream_get_state($0)) }
    }

    /// True if the input is the monitor of an output.
    var recordsOutput: Bool {
        pa_stream_get_device_name(input).map { String(cString: $0).hasSuffix(".monitor") } ?? false
    }

    /// Asks the server for the position of both streams.
    func measure() { for stream in [input, output] { drop(pa_stream_update_timing_info(stream, nil, nil)) } }

    /// Latency that the server has just measured, in microseconds; nil if there is no measurement.
    static func latency(of stream: OpaquePointer) -> pa_usec_t? {
        var (latency, isNegative) = (pa_usec_t(0), Int32(0))
        guard pa_stream_get_latency(stream, &latency, &isNegative) >= 0 else { return nil }
        return isNegative != 0 ? 0 : latency
    }
}
