import Threads
import WallCore

/// Subtitles as libass takes them, as far as they have been read. Any thread may call its methods; none waits.
public final class SubtitleScript: Sendable {
    /// What says how they look; nil: whoever draws them.
    public let head: [UInt8]?
    public let fonts: [Font]
    private let state = Monitor(State())

    public struct Font: Sendable {
        public let name: String
        public let bytes: [UInt8]
    }

    /// One that is read, in the form of libavcodec's.
    public struct Event: Sendable {
        public let text: [UInt8]
        public let begin: Time
        public let end: Time
        /// It may look otherwise at each instant.
        public let isAnimated: Bool

        init(_ text: [UInt8], _ begin: Time, _ end: Time) {
            (self.text, self.begin, self.end) = (text, begin, end)
            isAnimated = Event.isAnimated(text)
        }

        private static let movements = ["\\k", "\\K", "\\t", "\\move", "\\fa"].map { Array($0.utf8) }

        /// A word after a backslash, or an effect: the eighth field is named.
        private static func isAnimated(_ text: [UInt8]) -> Bool {
            let fields = text.split(separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
            if fields.count == 9, !fields[7].isEmpty { return true }
            return text.indices.contains { place in
                text[place] == UInt8(ascii: "\\") && movements.contains { text[place...].starts(with: $0) }
            }
        }
    }

    private struct State {
        var events: [Event] = []
    }

    init(head: [UInt8]?, fonts: [Font]) { (self.head, self.fonts) = (head, fonts) }

    func add(_ events: [Event]) { state.locked { $0.events += events } }

    /// How many have been read.
    public var count: Int { state.locked { $0.events.count } }

    public func events(from index: Int) -> ArraySlice<Event> { state.locked { $0.events.dropFirst(index) } }

    /// How things stand at an instant: since when they have looked so, and when they look otherwise.
    public struct Moment: Sendable, Equatable {
        /// nil: nothing is to be seen.
        public var since: Time?
        public var change: LyricsDisplay.Change
    }

    /// What moves is drawn so many times a second.
    private static let frames: Int64 = 60

    public func moment(at time: Time) -> Moment {
        state.locked { state in
            var (isShown, isMoving) = (false, false)
            var (since, next) = (-Time.distantFuture, Time.distantFuture)
            for event in state.events {
                if event.begin <= time, time < event.end {
                    isShown = true
                    if event.isAnimated { isMoving = true }
                }
                for edge in [event.begin, event.end] {
                    if edge <= time { since = max(since, edge) } else { next = min(next, edge) }
                }
            }
            let change: LyricsDisplay.Change = next == .distantFuture ? .never : .at(next)
            guard isShown else { return Moment(since: nil, change: change) }
            guard isMoving else { return Moment(since: since, change: change) }
            let frame = Time(ticks: Time.ticksPerSecond / Self.frames)
            return Moment(since: max(since, frame * (time.ticks / frame.ticks)), change: .always)
        }
    }
}
