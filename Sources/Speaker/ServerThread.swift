import Base
import CPulse
import Glibc

/// Owner of a `ServerThread`, which calls it with the main loop's lock held.
protocol ServerClient: AnyObject {
    /// The connection is there. The streams are opened next.
    func handleConnection(_ context: OpaquePointer)
    /// Opens the streams: on a new connection, and again after `ServerThread.retry`.
    func openStreams(in context: OpaquePointer)
    /// The connection can't be made, has failed or has ended, or the owner gave it up. The streams are closed next.
    /// `reason`: the server's words, or those of `lose`; nil if there was no connection.
    func handleLoss(_ reason: String?)
    func closeStreams()
}

extension ServerClient {
    func handleConnection(_ context: OpaquePointer) {}

    /// The object that the library hands to a callback, for `callee`.
    var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// A thread that talks to the sound server, with a connection that is made again when it is lost, and a timer.
///
/// All but `start`, `stop` and `locked` happens with the main loop's lock held: in its callbacks, or by `locked`. The
/// lock is only ever held for as long as a callback takes.
final class ServerThread {
    private let loop: OpaquePointer
    /// Address of the server; nil for the user's own.
    private let server: String?
    /// Bounds of the delay before an attempt, in microseconds. The delay doubles with each failure.
    private let pauses: ClosedRange<Int64>
    private var pause: Int64
    /// Flags of the next attempt to connect.
    private var flags: pa_context_flags_t
    private weak var client: (any ServerClient)?
    /// nil while there is no connection.
    private(set) var context: OpaquePointer?
    private var timer: OpaquePointer?
    /// Called by the timer; nil while none is set.
    private var due: (() -> Void)?
    /// True after `stop`: the server gets no further requests, even if the owner is still retained.
    private var isStopped = false

    /// `first`: flags of the first attempt to connect. Later ones start no server. The result is nil if the system has
    /// no memory, no pipe or no descriptor left for the main loop.
    init?(
        to server: String? = nil, _ first: pa_context_flags_t = PA_CONTEXT_NOAUTOSPAWN,
        pauses: ClosedRange<Int64> = 1_000_000...1_000_000
    ) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        (self.loop, self.server, flags, self.pauses, pause) = (loop, server, first, pauses, pauses.lowerBound)
    }

    deinit { pa_threaded_mainloop_free(loop) }

    /// Starts the thread, which calls `first` and connects. Returns false, and stops, if the system has no thread.
    func start(_ name: String, for client: any ServerClient, first: @escaping () -> Void = {}) -> Bool {
        self.client = client
        pa_threaded_mainloop_set_name(loop, name)
        locked {
            call(after: 0) { [unowned self] in
                first()
                connect()
            }
        }
        if pa_threaded_mainloop_start(loop) >= 0 { return true }
        stop()
        return false
    }

    /// Runs `body` with the loop's lock; nil if the thread was stopped.
    @discardableResult
    func locked<Result>(_ body: () -> Result?) -> Result? {
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        return isStopped ? nil : body()
    }

    /// Closes the streams and the connection, and ends the thread.
    func stop() {
        locked {
            cancelTimer()
            disconnect()
            isStopped = true
        }
        pa_threaded_mainloop_stop(loop)
    }

    private var api: UnsafeMutablePointer<pa_mainloop_api> { pa_threaded_mainloop_get_api(loop) }

    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    // MARK: the connection

    private func connect() {
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, qd_APPLICATION_NAME, "Quadrille")
        pa_proplist_sets(properties, qd_APPLICATION_ID, "quadrille")
        pa_proplist_sets(properties, qd_APPLICATION_ICON_NAME, "quadrille")
        context = pa_context_new_with_proplist(api, "Quadrille", properties)
        guard let context else { return lose() }
        pa_context_set_state_callback(context, { _, me in (callee(me) as ServerThread).handleState() }, me)
        let status = pa_context_connect(context, server, flags, nil)
        flags = PA_CONTEXT_NOAUTOSPAWN
        // The callback may have reported the failure already.
        if status < 0, self.context != nil { lose() }
    }

    private func handleState() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            resetPause()
            client?.handleConnection(context)
            client?.openStreams(in: context)
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose()
        default: break
        }
    }

    /// Reports the loss of the connection to the owner, closes the connection, and retries.
    func lose(_ reason: String? = nil) {
        client?.handleLoss(reason ?? context.map { String(cString: pa_strerror(pa_context_errno($0))) })
        disconnect()
        retry()
    }

    /// Opens the streams after a pause, on a new connection if there is none.
    func retry() {
        call(after: pause) { [unowned self] in
            if let context { client?.openStreams(in: context) } else { connect() }
        }
        pause = min(pause * 2, pauses.upperBound)
    }

    /// The server works: the next failure is followed by the shortest pause.
    func resetPause() { pause = pauses.lowerBound }

    private func disconnect() {
        client?.closeStreams()
        guard let context else { return }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        self.context = nil
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

    /// Connects a stream that records an input in fragments of this length; nil means the default input. Returns false
    /// if that fails at once.
    static func record(_ stream: OpaquePointer, _ input: String?, fragmentMilliseconds fragment: UInt32) -> Bool {
        var attributes = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max, fragsize: bytes(ofMilliseconds: fragment))
        // A named input is never moved: another source may be this program's own output.
        let flags = PA_STREAM_ADJUST_LATENCY.rawValue | (input == nil ? 0 : PA_STREAM_DONT_MOVE.rawValue)
        return pa_stream_connect_record(stream, input, &attributes, pa_stream_flags_t(flags)) >= 0
    }

    /// Time since the server took a measurement. The server's timestamps are times of day (CLOCK_REALTIME).
    static func age(of timing: pa_timing_info) -> Time {
        var day = timeval()
        pa_gettimeofday(&day)
        var then = timing.timestamp
        return Time(nanoseconds: Int64(pa_timeval_diff(&day, &then)) * 1000)
    }

    /// The server's name of a stream's device; nil until the server has connected the stream.
    static func device(of stream: OpaquePointer) -> String? {
        guard pa_stream_get_state(stream) == PA_STREAM_READY else { return nil }
        return pa_stream_get_device_name(stream).map { String(cString: $0) }
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
