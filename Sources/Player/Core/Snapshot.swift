import Base
import Commands
import Feeds
import Heard
import Layout
import Opened

/// The player at one instant, for those who ask it: features, reports, properties.
///
/// A snapshot is read within the call that makes it, under the wall's lock. It sees the feeds and clocks themselves, not
/// copies of them. What is kept longer are the values that a report returns.
public struct Snapshot: TilesOnWall {
    let player: PlayerCore
    let now: Time

    var layouts: Layouts { player.layouts }
    /// Layout as it was applied. The present tiles are in `tiles`, volume and delay in `audioState`.
    var layout: Layout { player.layout }
    var tileFeeds: TileFeeds { player.tileFeeds }
    var transport: Transport { player.transport }
    var tiles: Tiles { player.tiles }
    var pool: Pool { player.pool }
    var audioState: AudioState { player.audioState }
    var needs: FeatureNeeds { player.needs }
    var output: Output { player.output }
    var openRequests: OpenRequests { player.openRequests }

    /// Returns the tiles whose layout names this group, in the layout's order.
    public func tiles(inGroup name: String) -> [TileID] { tiles.order.filter { tiles[$0].layout.group == name } }

    /// Returns the shape of a tile's frame, or of its rect until it has a frame.
    public func shape(of tile: TileID) -> Size {
        feed(of: tile).screen.last?.frame.natural ?? output.rect(of: tile).size
    }

    /// The surroundings of a feed at this instant.
    func context(of feed: Feed) -> PlaybackContext { transport.context(of: feed, at: now) }

    /// True if no tile has an item or watches others.
    var playsNothing: Bool { tiles.order.allSatisfy { tiles[$0].items.isEmpty && tiles[$0].watch == nil } }

    // MARK: frames and sounds of tiles

    /// Returns true if the feed is to be decoded: a tile of it is on the screen, or will be in a moment, or picture in
    /// picture hides a live source.
    func isOnStage(_ feed: Feed) -> Bool { transport.isOnStage(feed, of: output) }

    func verdict(on tile: TileID) -> AudioState.Verdict {
        let playing = tiles.playingTile(for: tile)
        // In a mix the sound of a watching tile is heard already, from its playing tile.
        if audioState.mode == .mix, !audioState.isSolo, playing != tile, tiles.order.contains(playing) {
            return verdict(on: playing)
        }
        return audioState.verdict(on: tiles[tile].layout, hasFocus: tile == focus)
    }

    /// Returns why a tile is not heard. nil if it is heard.
    func whyUnheard(_ tile: TileID) -> Unheard? {
        if case .unheard(let reason) = verdict(on: tile) { return reason }
        if let outage = audioState.outage { return outage }
        let tile = tiles.playingTile(for: tile)
        let feed = feed(of: tile)
        if tiles[tile].track == 0 { return .soundless }
        let audio = feed.slots.first.map { tiles[tile].look(ofItem: $0.run.place).audio }
        if audio == .silent, tiles[tile].track == nil { return .soundless }
        let stems = audio?.stems ?? []
        if !stems.isEmpty, stems.allSatisfy({ $0.level == 0 }) { return .muted }
        return audioState.failure(of: tiles[tile].sound, files: stems.count)
    }

    /// Age from which the frame of a live feed on this tile is old; nil for never.
    func staleLimit(of tile: TileID, _ feed: Feed) -> Time? {
        (tiles[tile].layout.staleAfter ?? layout.staleAfter).time.map { $0 + feed.fetchInterval }
    }

    func frozenLimit(of tile: TileID) -> Time? { (tiles[tile].layout.frozenAfter ?? layout.frozenAfter).time }

    /// Returns the first tile of the same group that has frames.
    func reference(for tile: TileID) -> TileID? { tiles.reference(for: tile, feeds) }

    /// Text that is shown after `Change.solo`.
    func soloText(of tile: TileID) -> String {
        let name = tiles[tile].name
        if case .unheard(let why) = verdict(on: tile) { return "\(name) alone: \(why.words)" }
        let isAlone = audioState.isSolo || audioState.mode == .focus
        return isAlone ? "\(name) alone is heard" : "all tiles are heard"
    }

    // MARK: changes of time that live sources can't follow
    // In a group with live sources and films, only the films are sought, and only they have a rate.

    /// Returns why a command can't be carried out: it concerns the time of live sources alone. nil if it concerns a film,
    /// too, or is no such command.
    func reasonAgainstLive(_ command: Change, of tile: TileID) -> String? {
        let (change, scope): (TimeChange, Change.Scope)
        switch command {
        case .seek(_, let given), .seekToKeyFrame(_, let given): (change, scope) = (.seek, given)
        case .rate(_, let given): (change, scope) = (.rate, given)
        default: return nil
        }
        let feed = feed(of: scope == .group ? tiles.playingTile(for: tile) : tiles.tileMovedAlone(for: tile))
        let isRefused = scope == .group ? refuse(change, feed.group) : refuses(change, feed)
        return isRefused ? "\(tiles[tile].name) is live: \(change.refusal)" : nil
    }

    /// Returns why the time of a group can't be changed; nil if it can.
    func reasonAgainstLive(_ change: TimeChange, of group: GroupID) -> String? {
        refuse(change, group) ? "the tiles of \(clocks[group].name) are live: \(change.refusal)" : nil
    }

    private func refuse(_ change: TimeChange, _ group: GroupID) -> Bool {
        let members = feeds.filter { $0.group == group && !$0.viewers.isEmpty && !$0.timeline.items.isEmpty }
        return !members.isEmpty && members.allSatisfy { refuses(change, $0) }
    }

    /// A rate that is set while a live item plays is the rate of a film after it.
    private func refuses(_ change: TimeChange, _ feed: Feed) -> Bool {
        switch change {
        case .seek: feed.isAtLiveSource
        case .rate: feed.playsOnlyLive
        }
    }

    // MARK: items of tiles, and their names

    /// Returns the chapters that begin within the current item, counted from its in-point.
    func chapters(of feed: Feed) -> [Chapter] {
        guard let run = feed.slots.first?.run, let facts = facts(of: feed) else { return [] }
        let segment = feed.timeline.segment(of: run)
        return facts.chapters.filter { $0.start >= segment.start && $0.start < segment.end ?? .distantFuture }.map {
            chapter in
            Chapter(
                start: (chapter.start - segment.start).lasting(at: feed.timeline.rate(of: run)), title: chapter.title)
        }
    }

    /// Returns the file name of the source that a card is about. nil if there is none.
    func fileName(of feed: Feed) -> String? {
        if feed.presentTrouble != nil { return SourceName.fileName(of: feed.trouble.source) }
        let run = feed.slots.first?.run ?? RunID(iteration: 0)
        return feed.timeline.item(of: run).map { SourceName.fileName(of: $0.name(of: run.segment)) }
    }

    /// Returns the title and the artist of an item: its label, a song's own, else those in the item's file.
    func names(of item: Item, in feed: Feed) -> MediaNames? {
        item.ownNames
            ?? feed.sources.facts(of: item.segments.first.source).flatMap {
                MediaNames(title: $0.names.title, artist: $0.names.artist)
            }
    }

    /// Returns the title and the artist of what a tile plays.
    func names(of tile: TileID) -> MediaNames? {
        let feed = feed(of: tile)
        let item = tileFeeds.presentItem(of: tile).flatMap { tiles[tile].item(at: $0) }
        return item?.ownNames ?? facts(of: feed).flatMap { MediaNames(title: $0.names.title, artist: $0.names.artist) }
    }

    /// Files from which lyrics are read.
    var lyricsFiles: Set<String> {
        let ofItems = tiles.playing.flatMap { tiles[$0].items.flatMap(\.lyricsSources) }.flatMap(\.files)
        return Set(ofItems + tiles.playing.compactMap { tiles[$0].layout.subtitles.file })
    }

    /// Facts of the source that a feed plays; nil until it is open.
    func facts(of feed: Feed) -> OpenedFacts? { feed.location.flatMap { feed.sources.facts(of: $0) } }

    // MARK: times

    /// Returns the place in the feed's item by the clock, and the item's length. An item that is over and waits for
    /// other tiles is at its end.
    func placeByClock(of feed: Feed) -> (position: Time, length: Time?)? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let before = feed.timeline.length(ofSegmentsBefore: front.run)
        let position = group(of: feed).clock.position(at: now) - start + before
        let length = feed.timeline.itemLength(at: front.run.place)
        return (length.map { min(position, $0) } ?? position, length)
    }

    func place(of shown: FeedShowing.Shown, in feed: Feed) -> Time? {
        guard shown.item != nil, let origin = shown.origin, feed.timeline.has(origin.run) else { return nil }
        return feed.timeline.length(ofSegmentsBefore: origin.run) + origin.offset
    }

    /// Converts a group time to a place in the item that a feed plays. The end of an item belongs to that item.
    func placeInItem(_ time: Time, of feed: Feed) -> Time? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let place = time - start + feed.timeline.length(ofSegmentsBefore: front.run)
        if place >= .zero, place <= feed.timeline.itemLength(at: front.run.place) ?? .distantFuture { return place }
        return feed.course.placeInItem(time, clocks[feed.group])
    }

    /// Returns the duration of a frame of a tile on its clock. nil if it is unknown.
    func frameLength(of tile: TileID) -> Time? {
        let feed = feed(of: tile)
        guard let front = feed.slots.first, let facts = feed.sources.facts(of: front.location),
            let length = facts.frameLength, length > .zero
        else { return nil }
        return length.lasting(at: feed.timeline.rate(of: front.run))
    }
}

extension PlayerCore {
    /// The player as it is now.
    func snapshot(at now: Time) -> Snapshot { Snapshot(player: self, now: now) }

    /// Layout as it was applied. The present tiles are in `tiles`, volume and delay in `audioState`.
    var layout: Layout { layouts.applied }
}

/// A change of time that live sources can't follow.
enum TimeChange {
    case seek, rate

    fileprivate var refusal: String {
        switch self {
        case .seek: "a live source can't be sought"
        case .rate: "a live source has no rate"
        }
    }
}

extension Item {
    /// Title and artist that do not come from its file: its label, or those of a song.
    fileprivate var ownNames: MediaNames? { MediaNames(title: look.label, artist: names?.artist) ?? names }
}
