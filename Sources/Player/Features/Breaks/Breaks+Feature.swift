import Base
import Commands
import Feeds
import Layout

// Starts and ends breaks.
extension Breaks {
    /// Longest wait for the first source of a break that begins at once.
    private static var patience: Time { .seconds(2) }

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .playBreak(let name): play(name, snapshot)
        case .breakIsDue(let name): FeatureAnswer(isDone: ask(name, at: snapshot.now), changes: [])
        case .endBreaks: endAll(snapshot)
        default: nil
        }
    }

    private mutating func play(_ name: String, _ snapshot: Snapshot) -> FeatureAnswer {
        if let objection = objection(to: name, snapshot) { return .refused(because: objection) }
        if ask(name, at: snapshot.now) { return .done() }
        let near = nearest(to: name, among: snapshot.layout.breaks.map(\.name)).map { "; did you mean \($0.quoted)?" }
        return .refused(because: "no break is called \(name.quoted)\(near ?? "")")
    }

    /// Refuses if no break is on a tile or about to begin on one.
    private mutating func endAll(_ snapshot: Snapshot) -> FeatureAnswer {
        let isEntering = all.contains { $0.isActive && !$0.entering.isEmpty }
        // Cancels the breaks on the tiles where they have not begun.
        for place in all.indices { all[place].entering = [] }
        let covering = all.map { (name: $0.layout.name, tiles: $0.covered.filter(snapshot.tiles.contains).sorted()) }
            .filter { !$0.tiles.isEmpty }
        if !isEntering, covering.isEmpty { return .refused(because: "no break is on") }
        return FeatureAnswer(isDone: true, changes: covering.map { .pop($0.name, of: $0.tiles) })
    }

    /// Returns why a break can't be asked for now; nil if it can, or if there is none of this name.
    private func objection(to name: String, _ snapshot: Snapshot) -> String? {
        guard let asked = all.last(where: { $0.layout.name == name && !$0.isGone }) else { return nil }
        if snapshot.output.isDisplayOff { return "the display is off, and no break begins" }
        if snapshot.restsSince != nil { return "the wall is hidden, and no break begins" }
        guard asked.layout.isOnce else { return nil }
        if asked.isActive, asked.hasStarted { return "the break \(name) is on already" }
        return asked.isActive || asked.isWaiting ? "the break \(name) waits already" : nil
    }

    /// A break that begins or is on depends on the frames that are decoded and shown.
    var follows: PlayerChanges {
        if all.isEmpty { return .state }
        return all.contains { $0.isActive || $0.isWaiting } ? .all : [.state, .events, .scenes]
    }

    mutating func react(to player: PlayerCore, at now: Time) -> [Change] {
        takeOverLayout(of: player, at: now)
        follow(hiddenSince: player.restsSince, at: now)
        let snapshot = Snapshot(player: player, now: now)
        noteItemEnds(snapshot)
        if all.isEmpty || player.beganAt == nil { return [] }
        let over = noteEnds(snapshot)
        let edits = over + endEmpty(snapshot) + noteStarts(snapshot)
        // Breaks begin in the next call, when the breaks that are over are off the sequences.
        return over.isEmpty ? edits + begin(snapshot) : edits
    }

    // MARK: the end

    /// Notes on which tiles breaks have ended, and takes off those that are over.
    private mutating func noteEnds(_ snapshot: Snapshot) -> [Change] {
        let ends = LayerEnds(snapshot: snapshot)
        var over: [String: [TileID]] = [:]
        for (tile, name) in coveredTiles.sorted(by: { $0.key < $1.key }) {
            guard snapshot.tiles.contains(tile) else {
                self[name]?.covered.remove(tile)
                continue
            }
            let feed = snapshot.feed(of: tile)
            if feed.timeline.number(ofLayer: name) == nil {
                self[name]?.covered.remove(tile)
                if feed.timeline.layer != nil {
                    // Another layer has taken the place of a break that had not begun here. Unless the break has begun
                    // on other tiles, it will.
                    if self[name]?.hasStarted == false { self[name]?.entering.insert(tile) }
                } else if !feed.isLive {
                    let groupTime = snapshot.clocks[feed.group].clock.position(at: snapshot.now)
                    self[name]?.noteEnd(in: feed.group, at: groupTime)
                }
            } else if ends.isOver(name, on: tile) {
                self[name]?.covered.remove(tile)
                over[name, default: []].append(tile)
                if let end = ends.end(name, on: tile) { self[name]?.noteEnd(in: feed.group, at: end) }
            }
        }
        return over.sorted { $0.key < $1.key }.map { .pop($0.key, of: $0.value) }
    }

    /// Ends the breaks that no tile is in or waits for. A layout may have removed their tiles.
    private mutating func endEmpty(_ snapshot: Snapshot) -> [Change] {
        var edits: [Change] = []
        let entries = BreakEntries(snapshot: snapshot)
        for candidate in all where candidate.isActive {
            let name = candidate.layout.name, entering = candidate.entering.filter(snapshot.tiles.contains)
            let reached = entries.tilesReached(by: candidate, of: entering)
            self[name]?.entering.subtract(entering.subtracting(reached))
            guard candidate.covered.isEmpty, self[name]?.entering.contains(where: snapshot.tiles.contains) != true
            else { continue }
            let (hadStarted, held) = end(name, at: snapshot.now)
            if hadStarted { edits += [.emit(.breakChange(name: name, .ended))] + run(candidate.layout.then, of: name) }
            for (group, times) in held.sorted(by: { $0.key < $1.key }) where snapshot.clocks.ids.contains(group) {
                edits.append(.releasePosition(of: group, settingBackBy: times.length))
            }
        }
        return edits
    }

    // MARK: the beginning

    /// Notes the breaks whose first item has taken over, and emits their start.
    private mutating func noteStarts(_ snapshot: Snapshot) -> [Change] {
        coveredTiles.sorted { $0.key < $1.key }.flatMap { tile, name -> [Change] in
            let feed = snapshot.feed(of: tile)
            guard let number = feed.timeline.number(ofLayer: name), let front = feed.slots.first,
                front.run.layer >= number, let started = self[name], !started.hasStarted
            else { return [] }
            self[name]?.hasStarted = true
            return [.emit(.breakChange(name: name, .started))] + run(started.layout.first, of: name)
        }
    }

    /// Has the main thread run commands of a break, which may concern the program too.
    private func run(_ command: KeyCommand?, of name: String) -> [Change] {
        command.map { [.window(.run($0, cause: "break \(name)")), .draw] } ?? []
    }

    private mutating func begin(_ snapshot: Snapshot) -> [Change] {
        var edits: [Change] = []
        var next = Earliest()
        next.add(queueDue(at: snapshot.now) { Self.hasItemOn($0, snapshot) })
        beginWaiting(snapshot)
        for coming in all where coming.isActive && !coming.entering.isEmpty {
            next.add(enter(coming, snapshot, &edits))
        }
        if let next = next.instant { edits.append(.lookAgain(at: next)) }
        return edits
    }

    /// Starts the breaks that are due. A break waits while no tile can take it, or one of its tiles is in another break
    /// or under another layer, or waits for an earlier break.
    private mutating func beginWaiting(_ snapshot: Snapshot) {
        var taken = Set(all.filter(\.isActive).flatMap(\.entering))
        taken.formUnion(snapshot.tiles.order.filter { isCovered($0, snapshot) })
        let entries = BreakEntries(snapshot: snapshot)
        for coming in waiting {
            let named = snapshot.layout.tiles(of: coming.layout).compactMap(snapshot.tiles.id(named:))
            let members = entries.tilesReached(by: coming, of: named)
            if !members.isEmpty, taken.isDisjoint(with: members) {
                self[coming.layout.name]?.begin(entering: Set(members))
            }
            taken.formUnion(members)
        }
    }

    /// True if anything is on top of what a tile plays.
    private func isCovered(_ tile: TileID, _ snapshot: Snapshot) -> Bool {
        snapshot.feed(of: tile).timeline.layer != nil
    }

    /// True if a break comes after a number of items, and its first tile plays an item that will end.
    private static func hasItemOn(_ coming: BreakLayout, _ snapshot: Snapshot) -> Bool {
        guard coming.afterItems != nil,
            let tile = snapshot.layout.tiles(of: coming).first.flatMap(snapshot.tiles.id(ofLayout:))
        else { return false }
        let feed = snapshot.feed(of: tile)
        guard feed.phase == .playing, feed.hasSeat, !feed.frontIsLive, let front = feed.slots.first else {
            return false
        }
        return !front.isOver(at: snapshot.context(of: feed).dueTime)
    }

    /// Puts a break on each of its tiles for which the beginning can be decided now.
    /// Returns the wall time at which to look again.
    private mutating func enter(_ coming: Break, _ snapshot: Snapshot, _ edits: inout [Change]) -> Time? {
        let name = coming.layout.name, reports = BreakEntries(snapshot: snapshot)
        let members = coming.entering.filter { snapshot.tiles.contains($0) && !isCovered($0, snapshot) }.sorted()
        var decision = BreakEntries.Decision()
        if coming.layout.isTogether {
            decision = reports.together(coming, members, beside: coming.covered.sorted())
            self[name]?.entering.subtract(decision.skipping)
            if let (instants, holding) = decision.begins {
                self[name]?.begins = instants
                for group in holding {
                    let begin = instants[group] ?? .zero
                    self[name]?.held[group] = Break.Held(begin: begin)
                    edits.append(.holdPosition(of: group, from: begin))
                }
            }
        } else {
            let ready = members.filter {
                prepare(coming, of: snapshot.tiles[$0].feed, snapshot, &edits, &decision.next)
            }
            reports.separately(ready, for: coming.layout, &decision)
        }
        if !decision.entries.isEmpty {
            // Their films may play on until the break begins.
            self[name]?.entering.subtract(decision.entries.map(\.tile))
            self[name]?.covered.formUnion(decision.entries.map(\.tile))
            let pushes = decision.entries.map {
                Push(
                    tile: $0.tile, name: name, items: coming.layout.play, place: $0.entry.place, begin: $0.entry.begin,
                    isCut: decision.isCut)
            }
            edits.append(.push(pushes))
        }
        return decision.next.instant
    }

    /// Opens the first source of a break that interrupts. The break begins when the source is open; until then its tile
    /// plays on. If the source is not open in time, the break begins and skips it. Returns true if the break may begin;
    /// else `next` gets the wall time at which to look again, if it is known.
    private mutating func prepare(
        _ coming: Break, of feed: FeedID, _ snapshot: Snapshot, _ edits: inout [Change], _ next: inout Earliest
    ) -> Bool {
        let (layout, now, state) = (coming.layout, snapshot.now, snapshot.feeds[feed])
        guard layout.when == .now, state.phase == .playing, state.hasSeat, let item = layout.play.first,
            case let location = item.segments.first.source, !SourceName.isPushed(location),
            state.sources.facts(of: location).map({ $0.kind == .video && $0.live == nil }) ?? true
        else { return true }
        if let since = snapshot.openRequests.began(.ahead(layout.name), of: feed) {
            let end = since + Self.patience
            if now >= end { edits.append(.giveUpAhead(layout.name, of: feed)) } else { next.add(end) }
            return now >= end
        }
        guard !coming.tried.contains(feed), snapshot.openRequests.refusal(of: location) == nil else { return true }
        if let until = snapshot.openRequests.busy(at: now) {
            next.add(until)
            return false
        }
        self[layout.name]?.tried.insert(feed)
        edits.append(.openAhead(item, of: feed, for: layout.name))
        return false
    }
}
