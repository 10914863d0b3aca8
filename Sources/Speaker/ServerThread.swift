import CPulse

/// A thread that talks to the sound server, with its connection and a timer.
///
/// All but `start`, `stop` and `locked` happens with the main loop's lock held: in its callbacks, or by `locked`. The
/// lock is only ever held for as long as a callback takes.
final class ServerThread {
    typealias TimerCallback =
        @convention(c) (
            UnsafeMutablePointer<pa_mainloop_api>?, OpaquePointer?, UnsafePointer<timeval>?, UnsafeMutableRawPointer?
        ) -> Void

    private let loop: OpaquePointer
    /// nil while there is no connection.
    private(set) var context: OpaquePointer?
    private var timer: OpaquePointer?
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

    // MARK: the connection

    /// Makes a connection, to be connected by the caller. Returns nil if there is no memory for it.
    func makeContext(
        properties more: [(name: UnsafePointer<CChar>?, value: String)] = [],
        _ stateChanged: @escaping pa_context_notify_cb_t, _ owner: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        for (name, value) in [(qd_APPLICATION_NAME, "Quadrille"), (qd_APPLICATION_ID, "quadrille")] + more {
            pa_proplist_sets(properties, name, value)
        }
        context = pa_context_new_with_proplist(api, "Quadrille", properties)
        if let context { pa_context_set_state_callback(context, stateChanged, owner) }
        return context
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
    }

    // MARK: the timer

    /// Calls `call` once on the thread, after `microseconds`, in place of a call that is still due.
    func call(after microseconds: Int64, _ call: @escaping TimerCallback, _ owner: UnsafeMutableRawPointer) {
        cancelTimer()
        // The loop takes wall-clock times only.
        var time = timeval()
        pa_gettimeofday(&time)
        pa_timeval_add(&time, pa_usec_t(microseconds))
        timer = api.pointee.time_new(api, &time, call, owner)
    }

    /// Frees the timer. The timer's callback must call this, too.
    func cancelTimer() {
        if let timer { api.pointee.time_free(timer) }
        timer = nil
    }
}

/// Releases an operation without waiting for its end.
func drop(_ operation: OpaquePointer?) {
    if let operation { pa_operation_unref(operation) }
}
