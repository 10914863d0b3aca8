import Base
import Layout
import Scene

// Text about the tiles and the wall.
extension Wall {
    /// Text shown after a command, such as the changed value.
    struct Notice {
        let text: String
        let until: Time
    }

    /// Shows a notice until the next command, or for as long as marks stay.
    mutating func showNotice(_ text: String, at now: Time) {
        notice = Notice(text: text, until: now + MarksVisibility.stay)
    }

    mutating func showSoloNotice(of tile: TileID, at now: Time) {
        let name = tiles[tile].name
        if case .unheard(let why) = verdict(on: tile) { return showNotice("\(name) alone: \(why.words)", at: now) }
        let isAlone = audioState.isSolo || audioState.mode == .focus
        showNotice(isAlone ? "\(name) alone is heard" : "all tiles are heard", at: now)
    }

    var pipelinesInfo: String {
        let seated = feeds.count { $0.hasSeat }
        return "\(pool.leased) of \(pool.limit) pipelines decode, \(seated) of \(feeds.count) feeds play"
    }

    /// Returns the media time of the shown frame and its number in the source, from 0.
    func timeOfFrame(of feed: Feed) -> String? {
        guard let origin = feed.screen.last?.origin else { return nil }
        let time = origin.pts.clockText(.milliseconds), facts = feed.location.flatMap { feed.sources.facts(of: $0) }
        guard let length = facts?.frameLength, length > .zero else { return time }
        return "\(time)  frame \((origin.pts.ticks + length.ticks / 2) / length.ticks)"
    }

    /// Returns lines about a tile, besides its time. The first lines fit a small tile.
    func info(of tile: TileID) -> [String] {
        let feed = feeds[tiles[tile].feed], layout = tiles[tile].layout
        let facts = feed.location.flatMap { feed.sources.facts(of: $0) }
        if tiles[tile].comparison != nil { return infoOnComparison(of: tile) }
        var lines: [String] = []
        let file = feed.location.map { SourceName.fileName(of: $0) } ?? fileName(of: feed)
        lines.append(file.map { "\(layout.id): \($0)" } ?? layout.id)
        if let facts, let frame = feed.screen.last?.frame { lines.append(format(facts, frame)) }
        if let facts, let coded = feed.screen.last?.frame.coded {
            if facts.kind == .video { lines.append(coded.words) }
            lines += coded.colorimetry.cautionLines ?? []
        }
        if layout.offset != .zero { lines.append("offset \(layout.offset.signedText) s") }
        if feed.decoding.step > .nothing { lines.append("leaves out: \(feed.decoding.step.words)") }
        lines.append(sound(of: tile))
        if let pipeline = feed.slots.first?.pipeline { lines.append("pipeline \(pipeline)") }
        lines.append("late \(feed.screen.health.late), dropped \(feed.screen.health.dropped)")
        return lines
    }

    private func format(_ facts: OpenedFacts, _ frame: any WallFrame) -> String {
        var text = "\(facts.codec) \(frame.natural.width)x\(frame.natural.height)"
        if frame.size != frame.natural { text += " as \(frame.size.width)x\(frame.size.height)" }
        if let length = facts.frameLength, length > .zero {
            let hundredths = (Time.ticksPerSecond * 100 + length.ticks / 2) / length.ticks
            text += ", \(hundredths / 100)"
            if hundredths % 100 != 0 { text += ".\(hundredths / 10 % 10)\(hundredths % 10)" }
            text += "/s"
        }
        return text
    }

    private func sound(of tile: TileID) -> String {
        switch whyUnheard(tile) {
        case nil: "heard, volume \(tiles[tile].layout.volume)"
        case .notFocused: "not heard"
        case let why?: "not heard: \(why.words)"
        }
    }
}
