import Base
import CPulse
import Threads

/// One playback stream on a PulseAudio server, kept open for as long as there is a server.
///
/// Calls `render` for samples on a thread of its own, which also talks to the server: no call here waits for the
/// server. The server's buffer is long, so that a blocked thread causes no gap. `revise` renders the buffered samples
/// again, so that a change is heard soon all the same. Neither `render` nor `rewind` may call the speaker.
/// The speaker retries a missing server until `stop`. `notice` is called when the server comes or goes and when its
/// output is muted. Ended by `stop`.
public final class Speaker: Sendable {
    public static let rate = SoundGrid.rate
    private let connection: Connection

    /// Continuity of the stream since the last call of `render`.
    public enum Continuity: Sendable { case unbroken, broken }

    /// Fills the buffer with this number of stereo samples. The first one will be heard at the given instant of
    /// CLOCK_MONOTONIC.
    public typealias Render = @Sendable (UnsafeMutablePointer<Float>, Int, Time, Continuity) -> Void

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
        guard
            let connection = Connection(
                title: title, server: server, output: output, render: render, rewind: rewind, notice: notice)
        else { return nil }
        self.connection = connection
        if !connection.start() {
            connection.stop()
            return nil
        }
    }

    /// Sets the title of the stream that desktop mixers show.
    public func setTitle(_ title: String) { connection.onItsThread { $0.setTitle(title) } }

    /// The server's name of the output; nil while there is none.
    public var device: String? {
        var device: String?
        connection.onItsThread { device = $0.stream?.device }
        return device
    }

    /// Renders again all samples that are not heard yet.
    public func revise() { connection.onItsThread { $0.revise() } }

    /// Renders again all samples that are not heard yet, and waits until the first `length` of them were heard, for
    /// `limit` at most. Called before `stop`, while the sound fades out.
    public func playOut(_ length: Time, within limit: Time) {
        let latest = Time(nanoseconds: monotonicNanoseconds()) + limit
        var begin: Time?
        connection.onItsThread { begin = $0.revise() }
        guard let begin else { return }
        Threads.sleep(until: min(begin + length, latest).nanoseconds)
    }

    /// True shortens the server's buffer: live sound is heard soon.
    public func setPrompt(_ isPrompt: Bool) { connection.onItsThread { $0.setPrompt(isPrompt) } }

    /// Stops calling `render` and lets the server sleep, until `wake`.
    public func rest() { connection.onItsThread { $0.setResting(.resting) } }
    public func wake() { connection.onItsThread { $0.setResting(.playing) } }

    /// Ends the thread without waiting for the sound that the server still holds. Later calls do nothing.
    public func stop() { connection.stop() }
}

extension LinkedLibrary {
    public static var ofSpeaker: [LinkedLibrary] {
        [LinkedLibrary("libpulse", String(cString: pa_get_library_version()))]
    }
}
