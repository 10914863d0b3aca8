import Base
import CPulse
import Glibc

/// The connection of a speaker, and its state. All but `start`, `stop` and `onItsThread` happens with the main loop's
/// lock held: in its callbacks, or by `onItsThread`.
final class Connection: @unchecked Sendable {
    let render: Speaker.Render
    let rewind: Speaker.Rewind
    private let notice: @Sendable (Speaker.Notice) -> Void
    private let server: String?
    /// Name of the output for the stream; nil for the server's default.
    let output: String?
    private let thread: ServerThread
    private(set) var stream: PlaybackStream?
    private(set) var depth = BufferDepth()
    private var attempts = ConnectionAttempts()
    /// True if the desktop's mixer mutes our stream, or the stream's output.
    private var mutes = (stream: false, output: false)
    private(set) var title: String
    private(set) var resting = Resting.playing

    enum Resting { case playing, resting }

    /// nil if the system has no memory, no pipe or no descriptor left for the main loop.
    init?(
        title: String, server: String?, output: String?, render: @escaping Speaker.Render,
        rewind: @escaping Speaker.Rewind,
        notice: @escaping @Sendable (Speaker.Notice) -> Void
    ) {
        guard let thread = ServerThread() else { return nil }
        (self.thread, self.title, self.server, self.render) = (thread, title, server, render)
        (self.output, self.rewind, self.notice) = (output, rewind, notice)
    }

    /// Starts the thread, which connects at once. Returns false if the system has none.
    func start() -> Bool { thread.start("speaker") { tryAgain(after: 0) } }

    /// Gives this thread real-time priority where the system allows it, since samples are due every few milliseconds.
    private func preferThisThread() {
        var parameters = sched_param()
        parameters.sched_priority = 5
        _ = pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
    }

    /// Runs `body` with the loop's lock, unless the connection was stopped.
    func onItsThread(_ body: (Connection) -> Void) { thread.locked { body(self) } }

    func stop() { thread.stop { disconnect() } }

    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    // MARK: the server

    private func connect() {
        if attempts.isFirst { preferThisThread() }
        let context = thread.makeContext(
            properties: [(qd_APPLICATION_ICON_NAME, "quadrille")], contextChanged, me)
        guard let context else { return lose() }
        pa_context_set_subscribe_callback(context, somethingChanged, me)
        // The first attempt starts a server if none runs. Later attempts only connect.
        let flags = attempts.isFirst ? PA_CONTEXT_NOFLAGS : PA_CONTEXT_NOAUTOSPAWN
        attempts.begin()
        if pa_context_connect(context, server, flags, nil) < 0 { lose() }
    }

    func handleContextState() {
        guard let context = thread.context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            attempts.serverCame()
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
        let reason = thread.failure ?? "no connection"
        disconnect()
        if attempts.serverWent() { notice(.away(reason)) }
        tryAgain()
    }

    private func tryAgain() { tryAgain(after: attempts.nextPause()) }

    private func tryAgain(after microseconds: Int64) { thread.call(after: microseconds, retryIsDue, me) }

    func handleRetry() {
        thread.cancelTimer()
        if thread.context == nil { connect() } else if stream == nil { openStream() }
    }

    private func disconnect() {
        stream?.close()
        stream = nil
        thread.disconnect()
    }

    // MARK: the stream

    private func openStream() {
        guard let context = thread.context else { return }
        stream = PlaybackStream(in: context, of: self)
        if stream == nil { tryAgain() }
    }

    /// Called when the stream's output was removed and the server found no other, or when no output has the requested
    /// name.
    func handleStreamFailure() {
        if output != nil, let context = thread.context,
            pa_error_code(UInt32(pa_context_errno(context))) == PA_ERR_NOENTITY
        {
            notice(.noSuchOutput)
        }
        stream?.close()
        stream = nil
        tryAgain()
    }

    func handleStreamReady() {
        attempts.streamCame()
        lookAtOutput()
    }

    func setTitle(_ title: String) {
        self.title = title
        stream?.describe(title)
    }

    @discardableResult
    func revise() -> Time? { stream?.revise() }

    func setPrompt(_ isPrompt: Bool) {
        depth.setPrompt(isPrompt)
        stream?.settleDepth()
    }

    /// Returns false if the buffer is as long as it may be.
    func growBuffer() -> Bool {
        guard depth.canGrow else { return false }
        depth.grow()
        return true
    }

    func setResting(_ resting: Resting) {
        self.resting = resting
        stream?.settleCork()
    }

    // MARK: whether the output is muted

    func lookAtOutput() {
        guard let context = thread.context, let stream, stream.isReady else { return }
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
