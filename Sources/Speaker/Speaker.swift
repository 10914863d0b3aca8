import Base
import CPulse
import Glibc
import Heard
import Threads

/// One playback stream on a PulseAudio server, kept open for as long as there is a server.
///
/// Calls `render` for samples on a thread of its own, which also talks to the server: no call here waits for the
/// server. The server's buffer is long, so that a blocked thread causes no gap. `revise` renders the buffered samples
/// again, so that a change is heard soon all the same. Neither `render` nor `rewind` may call the speaker.
/// The speaker retries a missing server until `stop`. `notice` is called when the server comes or goes and when its
/// output is muted. Ended by `stop`.
///
/// All but the public calls happens with the main loop's lock held: in its callbacks, or by `thread.locked`.
public final class Speaker: @unchecked Sendable {
    let render: Render
    let rewind: Rewind
    private let notice: @Sendable (Notice) -> Void
    /// Name of the output for the stream; nil for the server's default.
    let output: String?
    private let thread: ServerThread
    private var stream: PlaybackStream?
    var depth = BufferDepth()
    /// True once it was reported that the server is away.
    private var isAway = false
    /// True if the desktop's mixer mutes our stream, or the stream's output.
    private var mutes = (stream: false, output: false)
    private(set) var title: String
    /// True if the server may sleep.
    private(set) var isResting = false

    /// Fills the buffer with this number of stereo samples. The first one will be heard at the given instant of
    /// CLOCK_MONOTONIC.
    public typealias Render = @Sendable (UnsafeMutablePointer<Float>, Int, Time, StreamContinuity) -> Void

    /// Announces that the next samples of `render` replace the last ones, at most this many. Returns the number of
    /// samples that will be replaced.
    public typealias Rewind = @Sendable (Int) -> Int

    public enum Notice: Sendable, Equatable {
        case connected
        /// The server can't be reached or went away. The reason is in the server's words.
        case away(String)
        /// The output is muted, so that nothing is heard; it is audible again.
        case outputMuted, outputAudible
        /// The named output does not exist. The speaker goes on retrying.
        case noSuchOutput
    }

    /// Starts to connect and returns at once. `server`: an address; nil for the user's own. `output`: the server's name
    /// of the output; nil for the default.
    /// Returns nil if the system has no thread or descriptor left.
    public init?(
        title: String, server: String? = nil, output: String? = nil, render: @escaping Render, rewind: @escaping Rewind,
        notice: @escaping @Sendable (Notice) -> Void
    ) {
        // The first attempt starts a server if none runs. Later attempts only connect.
        guard let thread = ServerThread(to: server, PA_CONTEXT_NOFLAGS, pauses: 250_000...1_000_000) else { return nil }
        (self.thread, self.title, self.render) = (thread, title, render)
        (self.output, self.rewind, self.notice) = (output, rewind, notice)
        guard thread.start("speaker", for: self, first: Self.preferThisThread) else { return nil }
    }

    /// Sets the title of the stream that desktop mixers show.
    public func setTitle(_ title: String) {
        thread.locked {
            self.title = title
            stream?.describe(title)
        }
    }

    /// The server's name of the output; nil while there is none.
    public var device: String? { thread.locked { stream?.device } }

    /// Renders again all samples that are not heard yet.
    public func revise() { thread.locked { stream?.revise() } }

    /// Renders again all samples that are not heard yet, and waits until the first `length` of them were heard, for
    /// `limit` at most. Called before `stop`, while the sound fades out.
    public func playOut(_ length: Time, within limit: Time) {
        let latest = Time.now + limit
        guard let begin = thread.locked({ stream?.revise() }) else { return }
        Threads.sleep(until: min(begin + length, latest).nanoseconds)
    }

    /// True shortens the server's buffer: live sound is heard soon.
    public func setPrompt(_ isPrompt: Bool) {
        thread.locked {
            depth.setPrompt(isPrompt)
            stream?.settleDepth()
        }
    }

    /// True stops calling `render` and lets the server sleep; false wakes it.
    public func setResting(_ isResting: Bool) {
        thread.locked {
            self.isResting = isResting
            stream?.settleCork()
        }
    }

    /// Ends the thread without waiting for the sound that the server still holds. Later calls do nothing.
    public func stop() { thread.stop() }

    /// Gives this thread real-time priority where the system allows it, since samples are due every few milliseconds.
    private static func preferThisThread() {
        var parameters = sched_param()
        parameters.sched_priority = 5
        _ = pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
    }

    // MARK: the stream

    /// Called when the stream's output was removed and the server found no other, or when no output has the requested
    /// name.
    func handleStreamFailure() {
        if output != nil, let context = thread.context,
            pa_error_code(UInt32(pa_context_errno(context))) == PA_ERR_NOENTITY
        {
            notice(.noSuchOutput)
        }
        closeStreams()
        thread.retry()
    }

    func handleStreamReady() {
        thread.resetPause()
        lookAtOutput()
    }

    // MARK: whether the output is muted

    func lookAtOutput() {
        guard let context = thread.context, let stream, stream.isReady else { return }
        let output = pa_context_get_sink_info_by_index(
            context, stream.output,
            { _, info, _, me in if let info { (callee(me) as Speaker).noteMute(output: info.pointee.mute != 0) } }, me)
        drop(output)
        let input = pa_context_get_sink_input_info(
            context, stream.index,
            { _, info, _, me in if let info { (callee(me) as Speaker).noteMute(stream: info.pointee.mute != 0) } }, me)
        drop(input)
    }

    private func noteMute(output: Bool? = nil, stream: Bool? = nil) {
        let wasMuted = mutes.output || mutes.stream
        mutes = (stream ?? mutes.stream, output ?? mutes.output)
        let isMuted = mutes.output || mutes.stream
        if isMuted != wasMuted { notice(isMuted ? .outputMuted : .outputAudible) }
    }
}

extension Speaker: ServerClient {
    func handleConnection(_ context: OpaquePointer) {
        isAway = false
        notice(.connected)
        pa_context_set_subscribe_callback(context, { _, _, _, me in (callee(me) as Speaker).lookAtOutput() }, me)
        let mask = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
        drop(pa_context_subscribe(context, pa_subscription_mask_t(mask), nil, nil))
    }

    func openStreams(in context: OpaquePointer) {
        stream = PlaybackStream(in: context, of: self)
        if stream == nil { thread.retry() }
    }

    func closeStreams() {
        stream?.close()
        stream = nil
    }

    /// Reports the loss once.
    func handleLoss(_ reason: String?) {
        if !exchange(&isAway, with: true) { notice(.away(reason ?? "no connection")) }
    }
}

extension LinkedLibrary {
    public static var ofSpeaker: [LinkedLibrary] {
        [LinkedLibrary("libpulse", String(cString: pa_get_library_version()))]
    }
}

/// Amount that the server buffers for playback, in milliseconds. A depth learned by one stream holds for later ones.
struct BufferDepth {
    private(set) var milliseconds = usual
    private var longest = longestUsual

    /// A busy machine blocks a thread for less than this.
    private static let usual: UInt32 = 200
    private static let longestUsual: UInt32 = 450
    /// Live sound must be heard within 150 ms. An occasional gap is accepted for that.
    private static let prompt: UInt32 = 50
    private static let longestPrompt: UInt32 = 112

    mutating func setPrompt(_ isPrompt: Bool) {
        milliseconds = isPrompt ? Self.prompt : Self.usual
        longest = isPrompt ? Self.longestPrompt : Self.longestUsual
    }

    /// Grows by half after an underflow. Returns false if it is as long as it may be.
    mutating func grow() -> Bool {
        defer { milliseconds = min(milliseconds / 2 * 3, longest) }
        return milliseconds < longest
    }
}
