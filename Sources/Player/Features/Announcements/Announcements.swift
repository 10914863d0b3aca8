import Base
import Commands
import Feeds
import Layout
import Scene

/// Cards that announce what a tile plays, and lines on what or who comes next.
struct Announcements: Feature {
    /// Lines that `next-up` has set.
    private var lines: [TileID: String] = [:]

    /// Time for which a card is shown at the beginning of an item.
    static let cardTime = Time.seconds(5)
    /// Time before the end of an item at which the next one is announced.
    static let nextTime = Time.seconds(10)
    private static let longestLine = 200

    static let tileProperties: [TileProperty] = [
        Property(
            "next-up", .tile, "the line on what or who comes next, set by the command next-up; empty if there is none",
            inObjects: .absent, get: { .text($0.features[Announcements.self].lines[$0.owner] ?? "") })
    ]

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        guard case .nextUp(let text) = command else { return nil }
        guard let tile else { return .refused() }
        let line = text.printable.prefix(Self.longestLine)
        lines[tile] = line.isEmpty ? nil : String(line)
        return .done(.draw)
    }

    func add(to marks: inout Marks, of view: View, _ context: MarksContext, _ snapshot: Snapshot) -> Time? {
        announce(on: &marks, of: view.tile, snapshot)
    }

    /// Adds the present card and line of a tile. Returns the wall time at which they change.
    @discardableResult
    func announce(on marks: inout Marks, of tile: TileID, _ snapshot: Snapshot) -> Time? {
        let line = lines[tile], moment = moment(of: tile, snapshot)
        marks.performance.nextUp = line.map { "next: \($0)" }
        switch moment?.part {
        case .beginning(let names):
            marks.performance.announcement = Card(.announcement, names.title, names.artist ?? "")
        case .end(let next): if line == nil { marks.performance.nextUp = "next: \(next.text)" }
        case .middle, nil: break
        }
        return moment?.until
    }

    /// A part of an item with what is announced, and the wall time of its end; nil if it does not end by itself.
    private typealias Moment = (part: Part, until: Time?)
    private enum Part { case beginning(MediaNames), middle, end(next: MediaNames) }

    /// Returns the present part of the tile's item; nil if the tile announces nothing.
    private func moment(of tile: TileID, _ snapshot: Snapshot) -> Moment? {
        guard snapshot.tiles[tile].layout.announces, snapshot.tiles[tile].watch == nil else { return nil }
        let feed = snapshot.feed(of: tile)
        guard feed.phase == .playing, feed.hasSeat, !feed.isLive, let run = feed.slots.first?.run,
            let (position, length) = snapshot.placeByClock(of: feed)
        else { return nil }
        func until(_ place: Time?) -> Time? {
            let clock = snapshot.clocks[feed.group].clock
            guard let place, clock.motion == .running, clock.rate.value > 0 else { return nil }
            return snapshot.now + (place - position).lasting(at: clock.rate)
        }
        if position < Self.cardTime, let names = snapshot.names(ofItemAt: run.place, of: tile) {
            return (.beginning(names), until(Self.cardTime))
        }
        guard let length, let next = next(after: run, in: feed, of: tile, snapshot) else { return nil }
        let end = max(Self.cardTime, length - Self.nextTime)
        if position < end { return (.middle, until(end)) }
        return (.end(next: next), nil)
    }

    /// Returns the names of the next item in the tile's sequence that can be played; nil if none follows, or if it is
    /// the same.
    private func next(after run: RunID, in feed: Feed, of tile: TileID, _ snapshot: Snapshot) -> MediaNames? {
        let count = feed.timeline.items.count
        guard run.layer == 0, !run.isRest, count > 1 else { return nil }
        let present = run.iteration * count + run.item
        guard
            let place = (present + 1..<present + count).first(where: {
                !feed.course.isUnplayable($0 % count, feed.trouble)
            }),
            feed.timeline.takesPart(inIteration: place / count)
        else { return nil }
        return snapshot.names(ofItemAt: ItemPlace(place % count), of: tile)
    }
}

extension Snapshot {
    /// Returns the names to announce for an item: its own, those in its file, or else the file's name without its
    /// ending. nil if there is no such item.
    fileprivate func names(ofItemAt place: ItemPlace, of tile: TileID) -> MediaNames? {
        tiles[tile].item(at: place).flatMap { item in
            names(of: item, in: feeds[tiles[tile].feed])
                ?? MediaNames(title: SourceName.withoutEnding(SourceName.fileName(of: item.name(of: 0))), artist: nil)
        }
    }
}

extension Wall {
    /// Adds the cards and lines that the layout has announce items, and no other marks.
    public func announceItems(in scene: inout Scene, at now: Time) {
        let snapshot = player.snapshot(at: now), announcements = features[Announcements.self]
        for index in scene.views.indices {
            announcements.announce(on: &scene.views[index].marks, of: scene.views[index].tile, snapshot)
        }
    }
}
