import Base
import Decoded
import Feeds
import Opened

/// Text about the tiles and the wall.
struct InfoReport {
    let snapshot: Snapshot

    var pipelinesInfo: String {
        let seated = snapshot.feeds.count { $0.hasSeat }
        return
            "\(snapshot.pool.leased) of \(snapshot.pool.limit) pipelines decode, \(seated) of \(snapshot.feeds.count) feeds play"
    }

    /// Returns the media time of the shown frame and its number in the source, from 0; nil for a live source.
    func timeOfFrame(of feed: Feed) -> String? {
        guard feed.liveSource == nil, let origin = feed.screen.last?.origin else { return nil }
        let time = origin.pts.clockText(.milliseconds), facts = snapshot.facts(of: feed)
        guard let length = facts?.frameLength, length > .zero else { return time }
        return "\(time)  frame \((origin.pts.ticks + length.ticks / 2) / length.ticks)"
    }

    /// Returns lines about a tile, besides its time. The first lines fit a small tile.
    func info(of tile: TileID) -> [String] {
        if snapshot.tiles[tile].watch != nil { return snapshot.infoOnComparison(of: tile) }
        let feed = snapshot.feed(of: tile), layout = snapshot.tiles[tile].layout, facts = snapshot.facts(of: feed)
        var lines: [String] = []
        let file = feed.location.map { SourceName.fileName(of: $0) } ?? snapshot.fileName(of: feed)
        lines.append(file.map { "\(layout.id): \($0)" } ?? layout.id)
        if let facts, let frame = feed.screen.last?.frame { lines.append(format(facts, frame)) }
        if let facts, let coded = feed.screen.last?.frame.coded {
            if facts.kind == .video { lines.append(coded.words) }
            lines += coded.colorimetry.remarks(toneMapping(of: feed))
        }
        if layout.offset != .zero { lines.append("offset \(layout.offset.signedText) s") }
        if let leftOut = leftOut(by: feed) { lines.append(leftOut) }
        lines.append(sound(of: tile))
        if let pipeline = feed.slots.first?.pipeline { lines.append("pipeline \(pipeline)") }
        lines.append("late \(feed.screen.health.late), dropped \(feed.screen.health.dropped)")
        return lines
    }

    /// Returns a line on what decoding leaves out now; nil if it leaves out nothing.
    func leftOut(by feed: Feed) -> String? {
        let isPlaying = snapshot.group(of: feed).clock.motion == .running
        let codec = snapshot.facts(of: feed)?.codec ?? ""
        let words = feed.decoding.wordsOnSkips(by: codec, isPlaying: isPlaying, at: snapshot.now)
        return words.isEmpty ? nil : "leaves out: \(words.joined(separator: ", "))"
    }

    func toneMapping(of feed: Feed) -> ToneMapping {
        let item = feed.screen.last?.item.flatMap { feed.timeline.item(at: $0) }
        return item?.look.decoding.toneMapping.resolved ?? ToneMapping()
    }

    private func format(_ facts: OpenedFacts, _ frame: Frame) -> String {
        var text = "\(facts.codec) \(frame.natural.width)x\(frame.natural.height)"
        if frame.size != frame.natural { text += " as \(frame.size.width)x\(frame.size.height)" }
        return ([text] + [frameRate(facts)].compactMap { $0 }).joined(separator: ", ")
    }

    /// Frames a second; nil if unknown.
    func frameRate(_ facts: OpenedFacts) -> String? {
        guard let length = facts.frameLength, length > .zero else { return nil }
        let hundredths = (Time.ticksPerSecond * 100 + length.ticks / 2) / length.ticks
        let rest = hundredths % 100 == 0 ? "" : ".\(hundredths / 10 % 10)\(hundredths % 10)"
        return "\(hundredths / 100)\(rest)/s"
    }

    private func sound(of tile: TileID) -> String {
        switch snapshot.whyUnheard(tile) {
        case nil: "heard, volume \(snapshot.tiles[tile].layout.volume)"
        case .notFocused: "not heard"
        case let why?: "not heard: \(why.words)"
        }
    }
}
