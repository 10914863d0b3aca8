import Base
import Layout
import Scene

/// A sequence on a timeline, which one or more tiles play. It is decoded once for all of them.
///
/// `Reel` plans and decodes the runs, and the feed decides which of their frames its tiles see. Each part changes its
/// own state only. The player calls a part's functions (`feed.screen.leaveItem()`) and can't write or make its state.
/// The feed's own functions change several parts. The wall carries out what a function returns or leaves in `Effects`.
///
/// A feed is a large struct, and Swift copies it for most calls that do not change it. A scene therefore asks each feed
/// once, by a mutating call (`makeScenePart`).
///
/// Facts that were learned about a run hold for all its slots (`fail`). If only some of a feed's tiles change, the wall
/// divides the feed and copies the decoded frames for those tiles.
public struct Feed {
    public let id: FeedID
    /// Group that provides its clock. A tile that was moved alone has a group of its own until Home.
    public internal(set) var group: GroupID
    /// Tiles that show this feed, ascending.
    public internal(set) var tiles: [TileID] = []
    public var compared = Compared()
    /// True while it may use a pipeline. Feeds take turns if there are more of them than pipelines.
    public internal(set) var hasSeat = false
    public internal(set) var phase = Phase.playing
    public var reel: Reel
    public internal(set) var seam = Seam()
    public var screen = FeedScreen()
    public var preview = Preview()
    public var trouble = FeedTrouble()

    public enum Phase: Equatable {
        case playing
        /// Nothing follows: the last frame stays.
        case ended
        /// Nothing in a whole iteration could be played. Retried at this wall time.
        case barren(until: Time)
        /// No source can ever be played.
        case hopeless(SourceTrouble)
    }

    /// The comparisons that show it.
    public struct Compared {
        /// Tiles that compare this feed with another, ascending.
        public private(set) var watchers: [TileID] = []
        /// Offset of its frame times from those of the film that it is compared with, in group time. Each frame is
        /// shown with the nearest frame of that film. Zero while it is compared with none.
        public private(set) var phase = Time.zero

        /// `tiles`: the tiles that compare this feed with another, ascending.
        public mutating func watch(by tiles: [TileID]) { if tiles != watchers { watchers = tiles } }

        /// `phase`: offset of its frame times from those of the film that it is compared with.
        public mutating func pairFrames(at phase: Time) { self.phase = phase }
    }

    public init(id: FeedID, tile: TileLayout, group: GroupID) {
        (self.id, self.group, reel) = (id, group, Reel(tile))
        if tile.play.isEmpty { phase = .ended }
    }

    /// Stands for a feed that was removed. It plays nothing.
    public static var missing: Feed {
        Feed(id: FeedID(number: -1), tile: .missing, group: GroupID(number: -1))
    }

    /// Returns a separate feed for some of the tiles. The separate feed begins with the frame that this feed shows, and
    /// decodes for itself from there.
    public func divided(as id: FeedID, for tiles: [TileID]) -> Feed {
        var own = Feed(id: id, divided: self)
        own.tiles = tiles
        return own
    }

    private init(id: FeedID, divided other: Feed) {
        (self.id, group, phase, trouble) = (id, other.group, other.phase, other.trouble)
        (screen, preview) = (FeedScreen(divided: other.screen), Preview(divided: other.preview))
        hasSeat = other.hasSeat && !other.slots.isEmpty
        reel = Reel(divided: other.reel, isDecoded: hasSeat)
        if hasSeat { seam = Seam(divided: other.seam) }
    }

    // MARK: its parts

    @inlinable public var course: Course {
        get { reel.course }
        _modify { yield &reel.course }
    }

    @inlinable public var timeline: Timeline { reel.course.timeline }
    @inlinable public var anchor: Anchor { reel.course.anchor }
    @inlinable public var slots: SlotQueue { reel.slots }

    @inlinable public var sources: FeedSources {
        get { reel.sources }
        _modify { yield &reel.sources }
    }

    @inlinable public var decoding: DecodeRecord {
        get { reel.decoding }
        _modify { yield &reel.decoding }
    }

    @inlinable public var liveness: Liveness {
        get { reel.liveness }
        _modify { yield &reel.liveness }
    }

    var onError: OnError { reel.course.onError }
    @inlinable public var isLive: Bool { reel.liveness.edge != nil }
    /// True if the front, on screen or planned first, is live.
    @inlinable public var frontIsLive: Bool { !slots.isEmpty && sources.isLive(slots[0].location) }
    public var mayBeLive: Bool { reel.mayBeLive }

    /// All tiles that show this feed or compare it.
    @inlinable public var viewers: [TileID] { tiles + compared.watchers }

    // MARK: slots

    /// Releases everything but the frame on the screen.
    public mutating func dropSlots(_ effects: inout Effects) {
        reel.drop(&effects)
        seam.clear()
    }

    mutating func dropPreview(_ effects: inout Effects) {
        if let slot = preview.drop() { reel.sources.retire(slot, &effects) }
    }

    /// Drops slots, preview and sources when no tile shows the feed.
    public mutating func release(_ effects: inout Effects) {
        dropSlots(&effects)
        dropPreview(&effects)
        reel.sources.keep(where: { _ in false }, &effects)
        hasSeat = false
    }

    // MARK: facts of its sources

    /// Source of its front.
    public var location: String? { slots.first?.location }

    /// Returns the text for the card: the trouble, with the source's name if the feed has several sources.
    public func cardText(for trouble: SourceTrouble) -> String {
        let sources = Set(timeline.items.flatMap { $0.segments.map(\.source) })
        return sources.count > 1 ? "\(SourceName.fileName(of: self.trouble.source)): \(trouble.what)" : trouble.what
    }

    /// Returns frames and length of an item, with all its rounds, as far as its sources state them.
    public func expected(of item: PlayedItem) -> PlayedItem.Expected {
        item.expected ?? course.expected(of: item, sources, trouble)
    }

    /// True if at least one of its sources was opened.
    public var isOpen: Bool { timeline.knowsAnything || slots.contains { $0.wasOpened } }

    /// True while a sound without frames plays, and the frame before it is over.
    public var playsOnlySound: Bool {
        if let preview = preview.slot, case .whole = preview.loading, screen.last == nil {
            return preview.frames.isEmpty
        }
        guard let front = slots.first, case .whole = front.loading else { return false }
        return front.isSound && !seam.isFading
    }
}
