import Base
import Lyrics
import Threads

/// The subtitle events that have been read so far, in libass's form. Any thread may call its methods. None of them
/// blocks.
public final class SubtitleScript: Sendable {
    /// Script header with the styles; nil if the renderer's own style applies.
    public let head: [UInt8]?
    public let fonts: [Font]
    private let state = Locked(State())

    public struct Font: Sendable {
        public let name: String
        public let bytes: [UInt8]
    }

    /// A subtitle event, in the ASS form of libavcodec, or images.
    public struct Event: Sendable {
        public let text: [UInt8]
        /// Empty for text.
        public let images: [SubtitleImage]
        public let begin: Time
        public let end: Time
        /// True if the event may look different at each instant.
        public let isAnimated: Bool
        /// Estimated work of libass for this event.
        let load: SubtitleLoad

        init(_ text: [UInt8], _ begin: Time, _ end: Time, _ load: SubtitleLoad = SubtitleLoad()) {
            (self.text, self.begin, self.end, self.load) = (text, begin, end, load)
            isAnimated = Event.isAnimated(text)
            images = []
        }

        init(_ images: [SubtitleImage], _ begin: Time, _ end: Time) {
            (self.images, self.begin, self.end) = (images, begin, end)
            (text, isAnimated, load) = ([], false, SubtitleLoad())
        }

        private static let movements = ["\\k", "\\K", "\\t", "\\move", "\\fa"].map { Array($0.utf8) }

        /// Returns true if the event has an animating override tag, or an effect (its eighth field).
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
        /// Sorted by time.
        var edges: [Edge] = []
    }

    /// Instant at which an event begins or ends.
    private struct Edge {
        let at: Time
        let change: Shown
        /// Events that are shown from here on, if the next edge is later.
        var total = Shown()
    }

    /// Number of shown events, and of animated ones among them, with libass's estimated work for them.
    private struct Shown {
        var count = 0
        var animated = 0
        var load = SubtitleLoad()

        static func + (a: Shown, b: Shown) -> Shown {
            Shown(count: a.count + b.count, animated: a.animated + b.animated, load: a.load + b.load)
        }
    }

    /// True if its events are images.
    public let isOfImages: Bool

    init(head: [UInt8]?, fonts: [Font], isOfImages: Bool = false) {
        (self.head, self.fonts, self.isOfImages) = (head, fonts, isOfImages)
    }

    /// Images that are shown at an instant, the lower ones first.
    public func images(at time: Time) -> [SubtitleImage] {
        state.locked { state in state.events.filter { $0.begin <= time && time < $0.end }.flatMap(\.images) }
    }

    /// Called by the thread that reads the subtitles.
    func add(_ events: [Event]) {
        if events.isEmpty { return }
        let added = events.flatMap { event in
            let animated = event.isAnimated ? 1 : 0, load = event.load
            let less = SubtitleLoad(area: -load.area, points: -load.points)
            return [
                Edge(at: event.begin, change: Shown(count: 1, animated: animated, load: load)),
                Edge(at: max(event.begin, event.end), change: Shown(count: -1, animated: -animated, load: less)),
            ]
        }
        // Two lists that are sorted take no longer than to merge them.
        var edges = (state.locked { $0.edges } + added.sorted { $0.at < $1.at }).sorted { $0.at < $1.at }
        var total = Shown()
        for place in edges.indices {
            total = total + edges[place].change
            edges[place].total = total
        }
        state.locked { state in
            state.events += events
            state.edges = edges
        }
    }

    /// Number of events read so far.
    public var count: Int { state.locked { $0.events.count } }

    public func events(from index: Int) -> ArraySlice<Event> { state.locked { $0.events.dropFirst(index) } }

    /// State of the subtitles at an instant: the time since which they have looked the same, and the next change.
    public struct Moment: Sendable, Equatable {
        /// nil if nothing is drawn: no event is shown, or too many for libass.
        public var since: Time?
        /// The instant itself while an event is animated; nil if nothing changes any more.
        public var change: Time?
    }

    /// Rate at which animated events are drawn, in frames a second.
    private static let frames: Int64 = 60

    public func moment(at time: Time) -> Moment {
        state.locked { state in
            let next = state.edges.partitionPoint { $0.at > time }
            let change = next < state.edges.count ? state.edges[next].at : nil
            guard next > 0, case let last = state.edges[next - 1], last.total.count > 0, !last.total.load.isTooMuch
            else {
                return Moment(since: nil, change: change)
            }
            guard last.total.animated > 0 else { return Moment(since: last.at, change: change) }
            let frame = Time(ticks: Time.ticksPerSecond / Self.frames)
            return Moment(since: max(last.at, frame * (time.ticks / frame.ticks)), change: time)
        }
    }
}
