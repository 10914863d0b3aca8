// Sources are opened early, each on its own short-lived thread, and handed over whole.
extension Wall {
    private static var usualStill: Time { .seconds(5) }
    /// What has a picture lasts so long at least, about as one of 240 a second: else passes would have no end.
    static var shortestRun: Time { .milliseconds(4) }

    mutating func requestOpenings(_ feed: FeedID, at wall: Time) {
        for index in feeds[feed].slots.indices where feeds[feed].hasSeat {
            // One that failed, or was entered beyond its end, may have taken the others with it.
            guard index < feeds[feed].slots.count else { break }
            guard case .planned = feeds[feed].slots[index].loading, !feeds[feed].inherits(index) else { continue }
            let slot = feeds[feed].slots[index]
            let location = slot.location
            if feeds[feed].hopeless.contains(location) {
                let said = feeds[feed].said[location]
                feeds[feed].slots[index].loading = .failed(said ?? SourceTrouble(.unsupported, "it can't be played"))
                settleFailure(of: feed, slot: index, at: wall)
                orders.scheduleUpdate(at: wall)
            } else if let source = unpark(location, of: feed) {
                feeds[feed].slots[index].loading = .ready(source)
                feeds[feed].slots[index].openedAt = wall
                settleEntry(feed, slot: index, at: wall)
            } else if isComingBack(location, to: feed, at: wall) {
                continue
            } else {
                order(feed, run: slot.run, purpose: .slot(slot.id), at: wall)
            }
        }
        guard let poster = feeds[feed].poster, case .planned = poster.loading else { return }
        order(feed, run: poster.run, purpose: .poster(poster.id), at: wall)
    }

    /// Asks for an opening, takes over one that is under way for nobody, or fails where the source hangs.
    private mutating func order(_ feed: FeedID, run: RunID, purpose: Opening.Purpose, at wall: Time) {
        let location = feeds[feed].timeline.piece(of: run).source
        if let trouble = openings.refusal(of: location) {
            report(trouble, of: feed, location, item: run.item, pts: nil, at: wall)
            settleOpening(feed, location, purpose, failed: trouble, at: wall)
            return orders.scheduleUpdate(at: wall)
        }
        let opening = Opening(of: location, for: feed, feeds[feed].timeline.items[run.item], purpose, since: wall)
        let owner = feeds[feed]
        if purpose != .probe, openings.takeOver(opening, unless: { owner.awaits($0) }) {
            return noteOpening(feed, purpose)
        }
        switch openings.start(opening, at: wall) {
        case .busy(let until): orders.scheduleUpdate(at: until)
        case .ordered(let order):
            noteOpening(feed, purpose)
            orders.open(order)
        }
    }

    private mutating func noteOpening(_ feed: FeedID, _ purpose: Opening.Purpose) {
        switch purpose {
        case .slot(let id):
            guard let index = feeds[feed].slots.firstIndex(where: { $0.id == id }) else { return }
            feeds[feed].slots[index].loading = .opening
        case .poster: feeds[feed].poster?.loading = .opening
        case .probe: break
        }
    }

    // MARK: posters and lengths

    mutating func planPoster(_ feed: FeedID) {
        let hasImage = feeds[feed].views.allSatisfy { tiles[$0].poster.image != nil }
        guard feeds[feed].last == nil, feeds[feed].posterPicture == nil, feeds[feed].poster == nil, !hasImage,
            feeds[feed].phase == .playing
        else { return }
        var slot = feeds[feed].makeSlot(RunID(pass: feeds[feed].pass), start: nil)
        slot.length = nil
        feeds[feed].poster = slot
    }

    mutating func dropPoster(of feed: FeedID) {
        guard let poster = feeds[feed].poster else { return }
        retire(poster, of: feed)
        feeds[feed].poster = nil
    }

    /// Passes that begin together want every length before the first pass is over; a hand on an item of several
    /// pieces wants those of the item.
    mutating func planProbe(_ feed: FeedID, at wall: Time) {
        let timeline = feeds[feed].timeline
        guard !openings.isProbing(feed), let front = feeds[feed].slots.first?.run else { return }
        let isTogether = clocks[feeds[feed].group].isTogether
        let items = isTogether ? timeline.items.indices : front.item..<front.item + 1
        let probed = feeds[feed].probed
        let isUnknown = { (run: RunID) in timeline.length(of: run) == nil && !probed.contains(run) }
        guard isTogether || timeline.items[front.item].pieces.count > 1,
            let unknown = items.lazy.compactMap({ timeline.runs(ofItem: $0).first(where: isUnknown) }).first
        else { return }
        let isComing = feeds[feed].slots.contains { slot in
            slot.run.item == unknown.item && slot.run.piece == unknown.piece && !slot.isWhole
        }
        guard !isComing else { return }
        order(feed, run: unknown, purpose: .probe, at: wall)
        if openings.isProbing(feed) || feeds[feed].timeline.length(of: unknown) != nil {
            feeds[feed].probed.insert(unknown)
        }
    }

    // MARK: answers

    /// The source is open; `picture` is there when it is a still image.
    public mutating func opened(
        _ ticket: Int, _ source: any WallSource, _ facts: OpenedFacts, picture: (any WallPicture)?, at wall: Time
    ) {
        guard let opening = openings.end(ticket) else { return orders.close(source) }
        let feed = opening.feed
        let location = opening.location
        learn(facts, of: feed, location)
        if opening.hangs {
            keep(source, facts, at: location, of: feed)
            return update(at: wall)
        }
        switch opening.purpose {
        case .probe:
            keep(source, facts, at: location, of: feed)
        case .poster(let id):
            guard feeds[feed].poster?.id == id else {
                keep(source, facts, at: location, of: feed)
                break
            }
            feeds[feed].poster?.loading = .ready(source)
            if facts.kind != .video {
                feeds[feed].poster?.loading = .whole
                if let picture { takePoster(picture, of: feed) }
                orders.close(source)
            }
        case .slot(let id):
            guard let index = feeds[feed].slots.firstIndex(where: { $0.id == id }) else {
                keep(source, facts, at: location, of: feed)
                break
            }
            feeds[feed].slots[index].openedAt = wall
            feeds[feed].slots[index].loading = .ready(source)
            if facts.kind != .video { fill(feed, slot: index, with: picture, source: source, at: wall) }
            settleEntry(feed, slot: index, at: wall)
        }
        update(at: wall)
    }

    /// A still image or a sound needs no pipeline.
    private mutating func fill(_ feed: FeedID, slot index: Int, with picture: (any WallPicture)?, source: any WallSource, at wall: Time) {
        orders.close(source)
        feeds[feed].slots[index].loading = .whole
        feeds[feed].slots[index].isStill = true
        feeds[feed].slots[index].readyAt = wall
        feeds[feed].slots[index].how = .swapped
        feeds[feed].slots[index].length = feeds[feed].timeline.length(of: feeds[feed].slots[index].run)
        feeds[feed].slots[index].decodedTo = feeds[feed].slots[index].length ?? .zero
        guard let picture else { return }
        feeds[feed].slots[index].pictures = [
            .init(offset: .zero, pts: .zero, serial: feeds[feed].nextSerial(), picture: picture)
        ]
        orders.wakeScreen()
    }

    /// What one opening says of a source goes for every piece of it.
    private mutating func learn(_ facts: OpenedFacts, of feed: FeedID, _ location: String) {
        feeds[feed].facts[location] = facts
        for run in feeds[feed].timeline.runs(of: location) { learnLength(facts, of: feed, run: run) }
    }

    /// The length counts from the in-point, at the item's rate; an out-point past the end is the end.
    private mutating func learnLength(_ facts: OpenedFacts, of feed: FeedID, run: RunID) {
        let piece = feeds[feed].timeline.piece(of: run)
        let item = feeds[feed].timeline.items[run.item]
        let rate = feeds[feed].timeline.rate(of: run)
        switch facts.kind {
        case .still:
            feeds[feed].timeline.learn(item.duration ?? Self.usualStill, of: run)
        case .video, .sound:
            if let length = facts.length {
                let end = min(piece.end ?? length, length)
                let played = max(.zero, end - piece.start).lasting(at: rate)
                feeds[feed].timeline.learn(played > .zero ? max(played, Self.shortestRun) : .zero, of: run)
            } else if facts.kind == .sound {
                feeds[feed].timeline.learn(piece.end.map { ($0 - piece.start).lasting(at: rate) }, of: run)
            }
        }
        for index in feeds[feed].slots.indices {
            let other = feeds[feed].slots[index].run
            if other.item == run.item, other.piece == run.piece, !feeds[feed].slots[index].isWhole {
                feeds[feed].slots[index].length = feeds[feed].timeline.length(of: run)
            }
        }
    }

    /// A slot that was entered before its length was known may lie beyond its end: then the feed enters anew.
    mutating func settleEntry(_ feed: FeedID, slot index: Int, at wall: Time) {
        let slot = feeds[feed].slots[index]
        guard index == 0, slot.entry > .zero, slot.pictures.isEmpty, !slot.isStill, let length = slot.length,
            length > .zero, slot.entry >= length
        else { return }
        let isOver = following(slot.run, of: feed) == nil
        if isOver, !slot.isWhole {
            // Beyond the end of all: its last picture is what there is to see.
            feeds[feed].slots[index].entry = length - min(length, Self.lastMoment)
            feeds[feed].slots[index].decodedTo = feeds[feed].slots[index].entry
            return
        }
        dropSlots(of: feed)
        if isOver {
            // It was decoded to its end to learn where that is.
            feeds[feed].slots = [
                feeds[feed].makeSlot(slot.run, start: slot.start, entry: length - min(length, Self.lastMoment))
            ]
            feeds[feed].slots[0].arrival = .entered
        } else {
            enter(feed, at: now(of: feeds[feed], at: wall))
        }
        requestOpenings(feed, at: wall)
    }

    /// What has not been opened in time has failed.
    mutating func giveUpOpenings(at wall: Time) {
        let (late, next) = openings.giveUp(at: wall)
        for opening in late {
            settle(opening, failed: Openings.noAnswer, at: wall)
        }
        orders.scheduleUpdate(at: next)
    }

    /// So near to its end a run is entered for its last picture: at any rate that is before the end in media time.
    static var lastMoment: Time { Time(ticks: 8) }

    public mutating func failedToOpen(_ ticket: Int, _ trouble: SourceTrouble, at wall: Time) {
        guard let opening = openings.end(ticket) else { return }
        // One that hung has failed already; now it may be tried again.
        if !opening.hangs { settle(opening, failed: trouble, at: wall) }
        update(at: wall)
    }

    private mutating func settle(_ opening: Opening, failed trouble: SourceTrouble, at wall: Time) {
        let feed = opening.feed
        let item = feeds[feed].timeline.runs(of: opening.location).first?.item ?? 0
        report(trouble, of: feed, opening.location, item: item, pts: nil, at: wall)
        if trouble.kind == .unsupported { feeds[feed].hopeless.insert(opening.location) }
        settleOpening(feed, opening.location, opening.purpose, failed: trouble, at: wall)
    }

    mutating func settleOpening(
        _ feed: FeedID, _ location: String, _ purpose: Opening.Purpose, failed trouble: SourceTrouble, at wall: Time
    ) {
        switch purpose {
        case .probe:
            for run in feeds[feed].timeline.runs(of: location) {
                feeds[feed].timeline.learn(lengthOfFailure(feed, run: run), of: run)
            }
        case .poster:
            feeds[feed].poster?.loading = .failed(trouble)
        case .slot(let id):
            guard let index = feeds[feed].slots.firstIndex(where: { $0.id == id }) else { break }
            if feeds[feed].slots[index].pictures.isEmpty {
                feeds[feed].slots[index].loading = .failed(trouble)
                settleFailure(of: feed, slot: index, at: wall)
            } else {
                breakOff(feed, slot: index, at: wall)
            }
        }
    }

    /// How long an item that can't be played lasts: no time, unless the layout wants its place held.
    private func lengthOfFailure(_ feed: FeedID, run: RunID) -> Time {
        guard feeds[feed].onError == .hold else { return .zero }
        let item = feeds[feed].timeline.items[run.item]
        let piece = feeds[feed].timeline.piece(of: run)
        return item.duration
            ?? piece.end.map { ($0 - piece.start).lasting(at: feeds[feed].timeline.rate(of: run)) }
            ?? feeds[feed].timeline.length(of: run).flatMap { $0 > .zero ? $0 : nil }
            ?? Self.usualStill
    }

    mutating func settleFailure(of feed: FeedID, slot index: Int, at wall: Time) {
        let run = feeds[feed].slots[index].run
        let length = lengthOfFailure(feed, run: run)
        feeds[feed].timeline.learn(length, of: run)
        feeds[feed].slots[index].length = length
        feeds[feed].slots[index].decodedTo = length
        orders.wakeScreen()
        let failed = PlayedItem(run: run, source: feeds[feed].slots[index].location)
        for tile in feeds[feed].views { tell(.itemEnd(failed, tile: tiles[tile].name, reason: .error), at: wall) }
        // The last picture of the sequence before was to stay until the first of this one is there.
        if index == 0, feeds[feed].last.map({ $0.item < 0 }) ?? false { feeds[feed].last = nil }
        guard feeds[feed].onError == .stop else { return }
        // What plays before it plays to its end; then the feed is over.
        if index == 0 { feeds[feed].phase = .ended }
    }

    /// Said once a source, until it has played or fails in another way: what a card says stands in the trace too.
    mutating func report(
        _ trouble: SourceTrouble, of feed: FeedID, _ source: String, item: Int, pts: Time?, at wall: Time
    ) {
        (feeds[feed].trouble, feeds[feed].troubled) = (trouble, source)
        guard feeds[feed].said[source] != trouble else { return }
        feeds[feed].said[source] = trouble
        for tile in feeds[feed].views {
            tell(.trouble(tile: tiles[tile].name, source: source, item: item, pts: pts, trouble: trouble), at: wall)
        }
    }

    /// The image that the layout names for a tile.
    public mutating func take(_ picture: any WallPicture, for order: PosterOrder) {
        guard isAwaited(order) else { return }
        tiles[order.tile].poster = .image(picture)
        orders.wakeScreen()
    }

    public mutating func failed(_ order: PosterOrder, _ trouble: SourceTrouble, at wall: Time) {
        guard isAwaited(order) else { return }
        tiles[order.tile].poster = .failed
        let tile = tiles[order.tile].name
        tell(.trouble(tile: tile, source: order.location, item: 0, pts: nil, trouble: trouble), at: wall)
    }

    private func isAwaited(_ order: PosterOrder) -> Bool {
        guard tiles.contains(order.tile), case .loading(let location) = tiles[order.tile].poster else { return false }
        return location == order.location
    }

    mutating func takePoster(_ picture: any WallPicture, of feed: FeedID) {
        feeds[feed].posterPicture = .init(picture: picture, serial: feeds[feed].nextSerial(), item: 0)
        orders.wakeScreen()
    }
}
