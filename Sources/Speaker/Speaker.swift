import CPulse
import Threads
import WallCore

/// One playback stream on a PulseAudio server, kept open for as long as there is a server.
///
/// It asks `render` for samples on a thread of its own, which also talks to the server: no call here waits for the
/// server. The server holds much, so that nothing that holds up a thread makes a hole; what it holds is made anew by
/// `revise`, so that a change is heard soon all the same. Neither `render` nor `rewind` may call the speaker back.
/// Where the server is away it is looked for again and again; `notice` is told when it comes, goes, or begins to be
/// deaf. Ended by `stop`.
public final class Speaker: Sendable {
    public static let rate = SoundGrid.rate
    private let connection: Connection

    /// What the stream has gone through since samples were last asked for.
    public enum Continuity: Sendable { case unbroken, broken }

    /// Fills stereo samples, the first of which will be heard at that instant of CLOCK_MONOTONIC.
    public typealias Render = @Sendable (UnsafeMutablePointer<Float>, Int, Time, Continuity) -> Void

    /// What `render` makes next takes the place of at most so many samples of what it made last; answers of how many.
    public typealias Rewind = @Sendable (Int) -> Int

    public enum Notice: Sendable, Equatable {
        case connected
        /// The server cannot be reached, or went away; why, in its words.
        case away(String)
        /// What is played is not heard, because the output itself is muted; and it is again.
        case outputMuted, outputAudible
        /// The output that was named is not there; it is looked for again and again.
        case noSuchOutput
    }

    /// Begins to look for the server at once and returns at once. `server` is an address; nil: the user's own. `output`:
    /// as the server calls it; nil: its default.
    /// Fails where the system has no thread or no descriptor left for it.
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

    /// What desktop mixers show as the stream's title.
    public func setTitle(_ title: String) { connection.onItsThread { $0.setTitle(title) } }

    /// The output as the server calls it; nil: it is not there.
    public var device: String? {
        var device: String?
        connection.onItsThread { device = $0.stream?.device }
        return device
    }

    /// What was made and cannot have been heard yet is made anew.
    public func revise() { connection.onItsThread { $0.revise() } }

    /// Something is heard as it is made: the server holds little, so that it comes soon.
    public func setPrompt(_ isPrompt: Bool) { connection.onItsThread { $0.setPrompt(isPrompt) } }

    /// Stops asking for samples, and lets the server sleep; `wake` goes on.
    public func rest() { connection.onItsThread { $0.setResting(.resting) } }
    public func wake() { connection.onItsThread { $0.setResting(.playing) } }

    /// Ends the thread. What the server still holds is not waited for; calls that come later do nothing.
    public func stop() { connection.stop() }
}
