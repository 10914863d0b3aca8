import CPulse
import Glibc

/// The thread that talks to the server, and its state. All but `start`, `stop` and `onItsThread` happens with the main
/// loop's lock held: in its callbacks, or by `onItsThread`.
final class Connection: @unchecked Sendable {
    let render: Speaker.Render
    let rewind: Speaker.Rewind
    /// Amount that the server is to buffer, in milliseconds. A depth learned by one stream holds for later ones.
    var depth = PlaybackStream.usualDepth
    private(set) var longestDepth = PlaybackStream.longestDepth
    private let notice: @Sendable (Speaker.Notice) -> Void
    private let server: String?
    /// Name of the output for the stream; nil for the server's default.
    let output: String?
    private let loop: OpaquePointer
    private var context: OpaquePointer?
    private(set) var stream: PlaybackStream?
    private var retry: OpaquePointer?
    private var pause: Int64 = shortestPause
    private var isAway = false
    /// True if the desktop's mixer mutes our stream, or the stream's output.
    private var mutes = (stream: false, output: false)
    private var isFirst = true
    private(set) var title: String
    private(set) var resting = Resting.playing

    enum Resting { case playing, resting }

    /// True after `stop`: the server gets no further requests, even if the speaker is still retained.
    private var isStopped = false

    /// Pause between attempts, in microseconds.
    private static let shortestPause: Int64 = 250_000
    private static let longestPause: Int64 = 1_000_000

    /// nil if the system has no memory, no pipe or no descriptor left for the main loop.
    init?(
        title: String, server: String?, output: String?, render: @escaping Speaker.Render,
        rewind: @escaping Speaker.Rewind,
        notice: @escaping @Sendable (Speaker.Notice) -> Void
    ) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        (self.loop, self.title, self.server, self.render) = (loop, title, server, render)
        (self.output, self.rewind, self.notice) = (output, rewind, notice)
    }

    /// Starts the thread. Returns false if the system has none.
    func start() -> Bool {
        pa_threaded_mainloop_set_name(loop, "speaker")
        // Connects at once, but on its own thread.
        onItsThread { $0.tryAgain(after: 0) }
        return pa_threaded_mainloop_start(loop) >= 0
    }

    deinit { pa_threaded_mainloop_free(loop) }

    /// Gives this thread real-time priority where the system allows it, since samples are due every few milliseconds.
    private func preferThisThread() {
        var parameters = sched_param()
        parameters.sched_priority = 5
        _ = pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
    }

    /// Runs `body` with the loop's lock. The lock is only ever held for as long as a callback takes.
    func onItsThread(_ body: (Connection) -> Void) {
        pa_threaded_mainloop_lock(loop)
        if !isStopped { body(self) }
        pa_threaded_mainloop_unlock(loop)
    }

    func stop() {
        onItsThread { connection in
            connection.cancelRetry()
            connection.dropContext()
            connection.isStopped = true
        }
        pa_threaded_mainloop_stop(loop)
    }

    private var api: UnsafeMutablePointer<pa_mainloop_api> { pa_threaded_mainloop_get_api(loop) }
    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    // MARK: the server

    private func connect() {
        if isFirst { preferThisThread() }
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        for (key, value) in [
            (qd_APPLICATION_NAME, "Quadrille"), (qd_APPLICATION_ID, "quadrille"),
            (qd_APPLICATION_ICON_NAME, "quadrille"),
        ] {
            pa_proplist_sets(properties, key, value)
        }
        guard let context = pa_context_new_with_proplist(api, "Quadrille", properties) else { return lose() }
        self.context = context
        pa_context_set_state_callback(context, contextChanged, me)
        pa_context_set_subscribe_callback(context, somethingChanged, me)
        // The first attempt starts a server that does not run. Later attempts only wait for one.
        let flags = isFirst ? PA_CONTEXT_NOFLAGS : PA_CONTEXT_NOAUTOSPAWN
        isFirst = false
        if pa_context_connect(context, server, flags, nil) < 0 { lose() }
    }

    func handleContextState() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            pause = Self.shortestPause
            isAway = false
            notice(.connected)
            let mask = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
            drop(pa_context_subscribe(context, pa_subscription_mask_t(mask), nil, nil))
            openStream()
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: lose()
        default: break
        }
    }

    /// Reports the loss once, and retries.
    private func lose() {
        let reason = context.map { String(cString: pa_strerror(pa_context_errno($0))) } ?? "no connection"
        dropContext()
        if !isAway { notice(.away(reason)) }
        isAway = true
        tryAgain()
    }

    private func tryAgain() {
        tryAgain(after: pause)
        pause = min(pause * 2, Self.longestPause)
    }

    private func tryAgain(after microseconds: Int64) {
        cancelRetry()
        retry = timer(api, after: microseconds, retryIsDue, me)
    }

    func handleRetry() {
        cancelRetry()
        if context == nil { connect() } else if stream == nil { openStream() }
    }

    private func cancelRetry() {
        if let retry { api.pointee.time_free(retry) }
        retry = nil
    }

    private func dropContext() {
        stream?.close()
        stream = nil
        guard let context else { return }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        self.context = nil
    }

    // MARK: the stream

    private func openStream() {
        guard let context else { return }
        stream = PlaybackStream(in: context, of: self)
        if stream == nil { tryAgain() }
    }

    /// Called when its output was removed and the server found no other, or if there is no output of the name.
    func handleStreamFailure() {
        if output != nil, let context, pa_error_code(UInt32(pa_context_errno(context))) == PA_ERR_NOENTITY {
            notice(.noSuchOutput)
        }
        stream?.close()
        stream = nil
        tryAgain()
    }

    func handleStreamReady() {
        pause = Self.shortestPause
        lookAtOutput()
    }

    func setTitle(_ title: String) {
        self.title = title
        stream?.describe(title)
    }

    func revise() { stream?.revise() }

    func setPrompt(_ isPrompt: Bool) {
        depth = isPrompt ? PlaybackStream.promptDepth : PlaybackStream.usualDepth
        longestDepth = isPrompt ? PlaybackStream.longestPromptDepth : PlaybackStream.longestDepth
        stream?.settleDepth()
    }

    func setResting(_ resting: Resting) {
        self.resting = resting
        stream?.settleCork()
    }

    // MARK: whether the output is muted

    func lookAtOutput() {
        guard let context, let stream, stream.isReady else { return }
        drop(pa_context_get_sink_info_by_index(context, stream.output, sinkSeen, me))
        drop(pa_context_get_sink_input_info(context, stream.index, streamSeen, me))
    }

    func handleMute(output: Bool? = nil, stream: Bool? = nil) {
        let wasMuted = mutes.output || mutes.stream
        mutes = (stream ?? mutes.stream, output ?? mutes.output)
        let isMuted = mutes.output || mutes.stream
        if isMuted != wasMuted { notice(isMuted ? .outputMuted : .outputAudible) }
    }
}

/// Releases an operation without waiting for its end.
func drop(_ operation: OpaquePointer?) {
    if let operation { pa_operation_unref(operation) }
}

private func connection(_ opaque: UnsafeMutableRawPointer?) -> Connection {
    Unmanaged<Connection>.fromOpaque(opaque!).takeUnretainedValue()
}

private func contextChanged(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    connection(opaque).handleContextState()
}

private func somethingChanged(
    _: OpaquePointer?, _: pa_subscription_event_type_t, _: UInt32, _ opaque: UnsafeMutableRawPointer?
) {
    connection(opaque).lookAtOutput()
}

private func sinkSeen(
    _: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _: Int32, _ opaque: UnsafeMutableRawPointer?
) {
    if let info { connection(opaque).handleMute(output: info.pointee.mute != 0) }
}

private func streamSeen(
    _: OpaquePointer?, _ info: UnsafePointer<pa_sink_input_info>?, _: Int32, _ opaque: UnsafeMutableRawPointer?
) {
    if let info { connection(opaque).handleMute(stream: info.pointee.mute != 0) }
}

private func retryIsDue(
    _: UnsafeMutablePointer<pa_mainloop_api>?, _: OpaquePointer?, _: UnsafePointer<timeval>?,
    _ opaque: UnsafeMutableRawPointer?
) {
    connection(opaque).handleRetry()
}
