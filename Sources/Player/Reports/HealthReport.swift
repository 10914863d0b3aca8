import Base
import Feeds
import Heard
import Scene

/// Health of the wall: whether the due frames are on the screen.
public struct HealthReport {
    let snapshot: Snapshot

    public init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Time for which the due frame must be missing before a tile is ill.
    private static var illAfter: Time { .seconds(5) }

    /// Reason why a tile does not show the due frame.
    private struct Illness {
        let state: State
        let reason: String
        /// Wall time at which the illness began; nil if unknown.
        var since: Time?
        var nextTry: Time?
    }

    /// Kind of an illness, in one word for programs. The manual lists the words, which are not translated or changed.
    private enum State: String {
        /// Its source can't be played at present.
        case failed
        /// Its live source sends no new frame.
        case stale
        /// The frames of its live source are identical.
        case frozen
        /// Its live source is heard and gives no sound.
        case silent
        /// Other tiles have the decoders.
        case waiting
        /// A due frame is not on the screen, for a reason that is not known.
        case late
    }

    /// The ill tiles, from which both `health` and `status` follow. A tile is ill if its due frame has been missing on the
    /// screen for a while.
    private var illTiles: [(tile: TileID, illness: Illness)] {
        snapshot.tiles.order.compactMap { tile in illness(of: snapshot.feed(of: tile), on: tile).map { (tile, $0) } }
    }

    /// Returns the health of the wall.
    func health() -> PropertyValue {
        let ill = illTiles.map { tile, illness -> PropertyValue in
            let feed = snapshot.feed(of: tile)
            return [
                "id": .text(snapshot.tiles[tile].name), "state": .text(illness.state.rawValue),
                "reason": .text(illness.reason),
                "due": sourceDue(of: feed).map { .text(SourceName.withoutSecrets($0)) } ?? .null,
                "missing-for": illness.since.map { .number((snapshot.now - $0).seconds) } ?? .null,
                "tries": .integer(feed.trouble.tries),
                "next-try": illness.nextTry.map { .number(max(.zero, $0 - snapshot.now).seconds) } ?? .null,
            ]
        }
        return [
            "healthy": .flag(ill.isEmpty), "display": .text(snapshot.output.isDisplayOff ? "off" : "on"),
            "ill": .list(ill), "skipped": .list(snapshot.tiles.order.flatMap(skipped)),
        ]
    }

    /// Returns the sources of a tile's sequence that can't be played, while the tile plays the others.
    private func skipped(by tile: TileID) -> [PropertyValue] {
        let feed = snapshot.feed(of: tile)
        guard feed.phase == .playing || feed.phase == .ended else { return [] }
        var seen: Set<String> = []
        return feed.timeline.items.flatMap(\.segments).map(\.source).compactMap { source -> PropertyValue? in
            // A live source whose connection was lost is connected again at its next turn.
            guard source != feed.location, !feed.sources.isKnownLive(source) || feed.sources.failed.contains(source),
                let trouble = feed.trouble.trouble(of: source), seen.insert(source).inserted
            else { return nil }
            return [
                "id": .text(snapshot.tiles[tile].name), "source": .text(SourceName.withoutSecrets(source)),
                "reason": .text(trouble.what),
            ]
        }
    }

    private func illness(of feed: Feed, on tile: TileID) -> Illness? {
        let trouble = feed.trouble.latest.map(feed.cardText)
        if let source = feed.liveSource {
            switch verdict(onLive: feed, showing: source, on: tile, trouble) {
            case .well: return silence(of: tile)
            case .ill(let illness): return illness
            case .withoutFrame: break
            }
        }
        if let since = feed.screen.dueSince, snapshot.now - since < Self.illAfter { return nil }
        switch feed.phase {
        case .barren, .hopeless:
            var illness = Illness(
                state: .failed, reason: trouble ?? "nothing can be played", since: feed.screen.dueSince)
            if case .barren(let until) = feed.phase { illness.nextTry = until }
            return illness
        case .ended: return nil
        case .playing: break
        }
        guard let since = missingSince(feed), snapshot.now - since >= Self.illAfter else { return nil }
        return Illness(
            state: trouble == nil ? .late : .failed,
            reason: trouble ?? "no frame for \((snapshot.now - since).ticks / Time.ticksPerSecond) s", since: since,
            nextTry: nextTry(of: feed))
    }

    /// Judges the sound of a live tile that shows the due frame. nil if the tile is heard, or is not to be heard.
    private func silence(of tile: TileID) -> Illness? {
        switch snapshot.whyUnheard(tile) {
        case .stalled: return Illness(state: .silent, reason: Unheard.stalled.words)
        case .unplayable:
            let since =
                snapshot.audioState.failedSince[snapshot.tiles[snapshot.tiles.playingTile(for: tile)].sound]
                ?? snapshot.now
            guard snapshot.now - since >= Self.illAfter else { return nil }
            return Illness(state: .silent, reason: Unheard.unplayable.words, since: since)
        default: return nil
        }
    }

    private enum LiveVerdict {
        case well
        case ill(Illness)
        /// No frame of the source was presented yet: the tile is judged like a film.
        case withoutFrame
    }

    /// Judges a live tile. A newly presented frame makes the tile well again, whatever is retried meanwhile.
    private func verdict(onLive feed: Feed, showing source: String, on tile: TileID, _ trouble: String?) -> LiveVerdict
    {
        let limit = snapshot.staleLimit(of: tile, feed) ?? Self.illAfter + feed.fetchInterval
        let isShown = feed.liveness.newest?.source == source
        let age = isShown ? snapshot.transport.age(of: feed, showing: source, at: snapshot.now) : nil
        switch feed.phase {
        case .ended where feed.lastingTrouble == nil: return .well
        case .playing where !feed.hasSeat:
            guard let waits = feed.liveness.waitsSince else { return .well }
            let since = age.map { snapshot.now - $0 } ?? waits
            guard snapshot.now - since >= limit else { return .well }
            return .ill(Illness(state: .waiting, reason: Marks.Reason.waitsForDecoder.text, since: since))
        case .playing, .barren, .hopeless, .ended: break
        }
        guard let age else { return .withoutFrame }
        if age >= limit {
            let reason = silence(of: feed) ?? trouble ?? Marks.Reason.noNewFrame(age.ageText).text
            return .ill(Illness(state: .stale, reason: reason, since: snapshot.now - age, nextTry: nextTry(of: feed)))
        }
        guard case .frozen(let time)? = snapshot.staleness(of: tile, feed).0 else { return .well }
        let reason = "frozen: \(Marks.Reason.frozen(time.ageText).text)"
        return .ill(Illness(state: .frozen, reason: reason, since: snapshot.now - time))
    }

    /// Returns that the source has not answered an attempt for a while. The trouble of an attempt before may be another.
    private func silence(of feed: Feed) -> String? {
        feed.silentSince.flatMap { since in
            snapshot.now - since < Self.silence ? nil : "no answer for \((snapshot.now - since).ageText)"
        }
    }

    /// Time without an answer to an attempt that is reported.
    private static var silence: Time { .seconds(3) }

    private func nextTry(of feed: Feed) -> Time? {
        if case .barren(let until) = feed.phase { return until }
        return feed.slots.compactMap(\.reconnectsAt).min()
    }

    /// Returns the wall time since which the due frame of a feed is missing on the screen. nil if the frame is there,
    /// or no frame is due.
    private func missingSince(_ feed: Feed) -> Time? {
        guard feed.hasSeat else { return nil }
        if feed.playsOnlySound { return feed.screen.silentSince }
        return feed.screen.dueSince ?? feed.screen.lack?.since ?? undrawnSince(feed)
    }

    /// Returns the wall time since which a due, decoded frame has not been drawn. nil if there is no such frame.
    private func undrawnSince(_ feed: Feed) -> Time? {
        let context = snapshot.context(of: feed)
        guard context.isRunning, !context.group.isWaiting,
            let (slot, index) = feed.dueFrame(at: context.dueTime), let start = slot.start,
            let startup = feed.screen.health.startup, !feed.screen.isOnScreen(slot.frames[index].serial)
        else { return nil }
        let drawn = snapshot.output.places(of: snapshot.tiles.order, at: snapshot.now).map(\.tile)
        guard feed.viewers.contains(where: drawn.contains) else { return nil }
        // If the display is stalled, earlier frames were missed too: count from the first scene not presented.
        let due =
            snapshot.now
            - (context.position + feed.watched.pairShift - start - slot.frames[index].offset).lasting(at: context.rate)
        return max(min(due, snapshot.output.unshownSince ?? due), startup)
    }

    /// Returns false if a due frame of a local file has long been missing without a reported trouble. A watchdog then
    /// restarts the program. Servers and broken files do not count, since a restart would not mend them.
    public func showsWhatItCan() -> Bool {
        snapshot.feeds.allSatisfy { feed in
            guard feed.phase == .playing, !feed.tiles.isEmpty, feed.trouble.latest == nil, !feed.isLive,
                sourceDue(of: feed).map({ SourceName.path(of: $0) != nil }) ?? true, let since = missingSince(feed)
            else { return true }
            return snapshot.now - since < Self.illAfter
        }
    }

    /// Returns the source of the first slot that is not over, else of the last slot. Without slots: the source that
    /// failed last, or the first source of the sequence if none failed.
    private func sourceDue(of feed: Feed) -> String? {
        let groupTime = snapshot.context(of: feed).dueTime
        if let due = feed.slots.first(where: { !$0.isOver(at: groupTime) }) ?? feed.slots.last { return due.location }
        return feed.trouble.latest == nil ? feed.timeline.items.first?.segments.first.source : feed.trouble.source
    }

    /// State of the wall in one line, for the service manager: what is wrong with its tiles, as `health` has it, or what
    /// the wall does.
    public var status: String {
        let ill = illTiles.map { "\(snapshot.tiles[$0.tile].name) (\($0.illness.reason))" }
        if !ill.isEmpty { return "ill: \(ill.listed)" }
        let waiting = tilesWithoutFrame
        if !waiting.isEmpty { return "without a frame: \(waiting.listed)" }
        if snapshot.output.isDisplayOff { return "the display is off" }
        return snapshot.outlook == .over ? "nothing is left to play" : "playing"
    }

    /// Names of the tiles that have not shown a frame yet.
    public var tilesWithoutFrame: [String] {
        snapshot.tiles.order.filter { tile in
            let feed = snapshot.feed(of: tile)
            return feed.screen.health.startup == nil && !feed.playsOnlySound && !feed.timeline.items.isEmpty
        }.map { snapshot.tiles[$0].name }
    }
}
