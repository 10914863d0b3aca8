import Base
import CPulse
import Glibc

/// A thread that talks to the sound server, with its connection and a timer.
///
/// All but `start`, `stop` and `locked` happens with the main loop's lock held: in its callbacks, or by `locked`. The
/// lock is only ever held for as long as a callback takes.
final class ServerThread {
    private let loop: OpaquePointer
    /// nil while there is no connection.
    private(set) var context: OpaquePointer?
    private var timer: OpaquePointer?
    /// Called by the timer; nil while none is set.
    private var due: (() -> Void)?
    /// Called when the connection is there, and when it has failed or ended.
    private var calls: (ready: (OpaquePointer) -> Void, lost: () -> Void)?
    /// True after `stop`: the server gets no further requests, even if the owner is still retained.
    private var isStopped = false

    /// nil if the system has no memory, no pipe or no descriptor left for the main loop.
    init?() {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        self.loop = loop
    }

    deinit { pa_threaded_mainloop_free(loop) }

    /// Starts the thread after `first`. Returns false if the system has none.
    func start(_ name: String, first: () -> Void) -> Bool {
        pa_threaded_mainloop_set_name(loop, name)
        locked(first)
        return pa_threaded_mainloop_start(loop) >= 0
    }

    /// Runs `body` with the loop's lock, unless the thread was stopped.
    func locked(_ body: () -> Void) {
        pa_threaded_mainloop_lock(loop)
        if !isStopped { body() }
        pa_threaded_mainloop_unlock(loop)
    }

    /// Ends the thread. `last` disconnects.
    func stop(last: () -> Void) {
        locked {
            cancelTimer()
            last()
            isStopped = true
        }
        pa_threaded_mainloop_stop(loop)
    }

    private var api: UnsafeMutablePointer<pa_mainloop_api> { pa_threaded_mainloop_get_api(loop) }

    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    // MARK: the connection

    /// Connects to a server; nil for the user's own. `ready` is called when the connection is there, and `lost` when it
    /// can't be made, has failed or has ended. `lost` disconnects.
    func connect(
        to server: String? = nil, properties more: [(name: UnsafePointer<CChar>?, value: String)] = [],
        _ flags: pa_context_flags_t = PA_CONTEXT_NOAUTOSPAWN, ready: @escaping (OpaquePointer) -> Void,
        lost: @escaping () -> Void
    ) {
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        for (name, value) in [(qd_APPLICATION_NAME, "Quadrille"), (qd_APPLICATION_ID, "quadrille")] + more {
            pa_proplist_sets(properties, name, value)
        }
        context = pa_context_new_with_proplist(api, "Quadrille", properties)
        guard let context else { return lost() }
        calls = (ready, lost)
        pa_context_set_state_callback(context, { _, me in (callee(me) as ServerThread).handleState() }, me)
        if pa_context_connect(context, server, flags, nil) < 0 { lost() }
    }

    private func handleState() {
        guard let context, let calls else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: calls.ready(context)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: calls.lost()
        default: break
        }
    }

    /// The server's words for the last failure of the connection; nil without a connection.
    var failure: String? { context.map { String(cString: pa_strerror(pa_context_errno($0))) } }

    /// Closes the connection. Its streams must be closed.
    func disconnect() {
        guard let context else { return }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        self.context = nil
        calls = nil
    }

    // MARK: the timer

    /// Calls `call` once on the thread, after `microseconds`, in place of a call that is still due.
    func call(after microseconds: Int64, _ call: @escaping () -> Void) {
        cancelTimer()
        due = call
        // The loop takes wall-clock times only.
        var time = timeval()
        pa_gettimeofday(&time)
        pa_timeval_add(&time, pa_usec_t(microseconds))
        timer = api.pointee.time_new(api, &time, { _, _, _, me in (callee(me) as ServerThread).handleTimer() }, me)
    }

    private func handleTimer() {
        let call = due
        cancelTimer()
        call?()
    }

    private func cancelTimer() {
        if let timer { api.pointee.time_free(timer) }
        (timer, due) = (nil, nil)
    }
}

/// Returns the object that was given to the library with a callback.
func callee<Owner: AnyObject>(_ opaque: UnsafeMutableRawPointer?) -> Owner {
    Unmanaged<Owner>.fromOpaque(opaque!).takeUnretainedValue()
}

/// Releases an operation without waiting for its end.
func drop(_ operation: OpaquePointer?) {
    if let operation { pa_operation_unref(operation) }
}

/// Properties of all streams: stereo, at the rate of the mix.
enum SoundStream {
    /// Bytes of a sample.
    static let frameBytes = 2 * MemoryLayout<Float>.size

    static var format: pa_sample_spec {
        pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(SoundGrid.rate), channels: 2)
    }

    static func bytes(ofMilliseconds milliseconds: UInt32) -> UInt32 {
        milliseconds * UInt32(SoundGrid.rate / 1000 * frameBytes)
    }

    /// Buffer of a recording stream that delivers fragments of this length.
    static func recording(ofMilliseconds fragment: UInt32) -> pa_buffer_attr {
        pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: bytes(ofMilliseconds: fragment))
    }

    /// Time since the server took a measurement. The server's timestamps are times of day (CLOCK_REALTIME).
    static func age(of timing: pa_timing_info) -> Time {
        var day = timeval()
        pa_gettimeofday(&day)
        var then = timing.timestamp
        return Time(nanoseconds: Int64(pa_timeval_diff(&day, &then)) * 1000)
    }

    /// Ends a stream. None of its callbacks is called any more.
    static func end(_ stream: OpaquePointer) {
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_latency_update_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_set_suspended_callback(stream, nil, nil)
        pa_stream_set_event_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
    }
}
