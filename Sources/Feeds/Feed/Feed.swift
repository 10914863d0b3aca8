import Base
import Layout

/// A sequence on a timeline, which one or more tiles play. It is decoded once for all of them.
///
/// Each update drops what is over, plans the next slots and asks for their sources (`PlayerCore.update`). `Reel` plans the
/// runs, pipelines decode them, and the feed decides which of their frames its tiles see. Each part changes its own state
/// only. The player calls a part's functions (`feed.screen.leaveItem()`) and can't write or make its state.
/// The feed's own functions change several parts. The wall carries out what a function returns or leaves in the
/// `Outbox`.
///
/// The player alone keeps feeds, under its lock. What leaves the player are values: scenes, reports, effects.
///
/// Facts that were learned about a run hold for all its slots (`fail`). If only some of a feed's tiles change, the wall
/// divides the feed and copies the decoded frames for those tiles.
///
/// The nouns of a feed:
/// (ARCHITECTURE.md follows a seam, a seek, a short loop and a break through them.)
///
///     Playlist         the items of a sequence in their order, and their known lengths (target Layout)
///     Timeline         a playlist, and the layers on top of it: which run plays at an offset in an iteration
///                      (`LayeredIteration` for an iteration with a layer)
///     Layer            items on top (a break, an alarm) with a timeline of their own, and their place below
///     RunID            one round of one segment of an item of a layer in one iteration: decoded in one go
///     Anchor           where the current iteration begins on the group's clock
///     Course           a timeline on its anchor, with the group's A-B loop: which run follows a slot, and when
///     Slot             the decoded frames of one run, its place in time (`SlotTiming`), and how far its source is open
///     SlotOutlook      whether the next slot is planned now
///     SlotQueue        the slots in order: the front is on the screen, the next ones are prepared
///     Reel             course, slots and sources: plans the runs, and takes what pipelines decode
///     InterruptedRuns  the runs that layers interrupted, with their frames beyond the cut
///     FeedSources      facts of the sources, and those that are kept open
///     FeedTrouble      failures of the sources, and when they are tried again
///     Liveness         the edge of a live source, and how old its frame is; `LiveTurns`: live sources that take turns
///     FeedShowing      the frame that was shown last, and the counts of its items (`ShownItems`, `ItemRecord`)
///     PlaybackContext  the group's clock at one instant, as the feed's functions need it
///     Seam             what is kept of the run before the front: its fade (`FadeOut`), its sound until that is over, and its
///                      last frames (the tail) for a step back
///     Preview          the first frame of a feed that has no seat yet
///     FeedSupply       what pipelines and openers do to the feed: leases, frames, failures
///     Outbox           where all parts of the player leave their effects for the shell
public final class Feed {
    public let id: FeedID
    /// Group that provides its clock. A tile that was moved alone has a group of its own until Home.
    public var group: GroupID
    /// Tiles that show this feed, ascending.
    public internal(set) var tiles: [TileID] = []
    public var watched = Watched()
    /// True while it may use a pipeline. Feeds take turns if there are more of them than pipelines.
    public internal(set) var hasSeat = false
    public internal(set) var phase = Phase.playing
    public let reel: Reel
    public internal(set) var seam = Seam()
    public var screen = FeedShowing()
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

    /// The tiles that show it together with other feeds, and play neither.
    public struct Watched {
        /// Tiles that watch this feed, ascending.
        public var watchers: [TileID] = []
        /// Offset of its frame times from those of the film that it is paired with, in group time. Each frame is shown
        /// with the nearest frame of that film. Zero while it is paired with none.
        public var pairShift = Time.zero
    }

    public init(id: FeedID, tile: TileLayout, group: GroupID, _ outbox: Outbox) {
        (self.id, self.group, reel) = (id, group, Reel(tile, outbox))
        if tile.play.isEmpty { phase = .ended }
    }

    /// Stands for a feed that was removed. It plays nothing, and nothing that it does has an effect.
    public static var missing: Feed {
        Feed(id: FeedID(number: -1), tile: .missing, group: GroupID(number: -1), Outbox())
    }

    /// Makes a separate feed for some of another feed's tiles. It begins with the frame that the other one shows, and
    /// decodes for itself from there.
    public init(id: FeedID, divided other: Feed, for tiles: [TileID]) {
        (self.id, self.tiles, group, phase, trouble) = (id, tiles, other.group, other.phase, other.trouble)
        screen = FeedShowing(divided: other.screen)
        preview = Preview(frame: other.preview.frame, isBlack: other.preview.isBlack)
        hasSeat = other.hasSeat && !other.slots.isEmpty
        reel = Reel(divided: other.reel, isDecoded: hasSeat)
        if hasSeat { seam.fadeOut = other.seam.fadeOut.map(FadeOut.init(divided:)) }
    }

    // MARK: its parts

    public var course: Course { reel.course }
    public var timeline: Timeline { reel.course.timeline }
    public var anchor: Anchor { reel.course.anchor }
    public var slots: SlotQueue { reel.slots }
    public var sources: FeedSources { reel.sources }
    public var liveness: Liveness { reel.liveness }
    public var decoding: DecodeRecord { reel.decoding }
    var outbox: Outbox { reel.sources.outbox }

    var onError: OnError { reel.course.onError }
    public var isLive: Bool { reel.liveness.edge != nil }
    /// True if the front, on screen or planned first, is live.
    public var frontIsLive: Bool { !slots.isEmpty && sources.isLive(slots[0].location) }
    public var mayBeLive: Bool { reel.mayBeLive }

    /// All tiles that show this feed or watch it.
    public var viewers: [TileID] { tiles + watched.watchers }

    // MARK: the tiles that show it, its group and its seat

    /// Shows the feed in these tiles too.
    public func add(_ tiles: [TileID]) { self.tiles = (self.tiles + tiles).sorted() }

    /// The tiles show another feed, or are gone.
    public func remove(_ tiles: [TileID]) { self.tiles.removeAll(where: tiles.contains) }

    /// Gives the feed a seat, or takes it away. Its slots are planned anew.
    public func seat(_ has: Bool, at now: Time) {
        hasSeat = has
        reel.liveness.seat(has, at: now)
        if has { dropPreview() }
        dropSlots()
    }

    // MARK: slots

    /// Releases everything but the frame on the screen.
    public func dropSlots() {
        reel.drop()
        seam.clear()
    }

    func dropPreview() { if let slot = preview.drop() { reel.sources.retire(slot) } }

    /// Drops slots, preview and sources when no tile shows the feed.
    public func release() {
        dropSlots()
        dropPreview()
        reel.sources.keep(where: { _ in false })
        hasSeat = false
    }

    // MARK: its supply

    public var supply: FeedSupply { FeedSupply(feed: self) }

    /// True if the feed has no seat, and nothing to plan until it gets one: its preview is decoded, has failed or is
    /// requested.
    public var restsWithoutSeat: Bool { !hasSeat && needsOnlySeat }

    var needsOnlySeat: Bool {
        phase == .playing && slots.isEmpty && !isLive
            && (preview.slot != nil || preview.frame != nil || screen.last != nil)
    }

    /// Returns the slot that a lease works for; nil if the slot is gone.
    public func slot(of lease: Lease) -> Slot? {
        lease.purpose == .preview
            ? preview.slot.flatMap { $0.id == lease.slot ? $0 : nil } : slots.index(of: lease).map { slots[$0] }
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
    public func expected(of item: ItemRecord) -> ItemRecord.Expected {
        item.expected ?? course.expected(of: item, sources, trouble)
    }

    /// True if at least one of its sources was opened.
    public var isOpen: Bool { timeline.sequence.knowsAnything || slots.contains { $0.wasOpened } }

    /// True while a sound without frames plays, and the frame before it is over.
    public var playsOnlySound: Bool {
        if let preview = preview.slot, case .whole = preview.loading, screen.last == nil {
            return preview.frames.isEmpty
        }
        guard let front = slots.first, case .whole = front.loading else { return false }
        return front.isSound && !seam.isFading
    }
}
