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
        let feed = snapshot.feeds[snapshot.tiles[tile].feed], layout = snapshot.tiles[tile].layout
        let facts = snapshot.facts(of: feed)
        if snapshot.tiles[tile].comparison != nil { return infoOnComparison(of: tile) }
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
        let isPlaying = snapshot.transport.group(of: feed).clock.motion == .running
        let codec = snapshot.facts(of: feed)?.codec ?? ""
        let words = feed.decoding.wordsOnSkips(by: codec, isPlaying: isPlaying, at: snapshot.now)
        return words.isEmpty ? nil : "leaves out: \(words.joined(separator: ", "))"
    }

    private func toneMapping(of feed: Feed) -> ToneMapping {
        let item = feed.screen.last?.item.flatMap { feed.timeline.item(at: $0) }
        return item?.look.decoding.toneMapping.resolved ?? ToneMapping()
    }

    private func format(_ facts: OpenedFacts, _ frame: Frame) -> String {
        var text = "\(facts.codec) \(frame.natural.width)x\(frame.natural.height)"
        if frame.size != frame.natural { text += " as \(frame.size.width)x\(frame.size.height)" }
        return ([text] + [rate(facts)].compactMap { $0 }).joined(separator: ", ")
    }

    /// Frames a second; nil if unknown.
    private func rate(_ facts: OpenedFacts) -> String? {
        guard let length = facts.frameLength, length > .zero else { return nil }
        let hundredths = (Time.ticksPerSecond * 100 + length.ticks / 2) / length.ticks
        let rest = hundredths % 100 == 0 ? "" : ".\(hundredths / 10 % 10)\(hundredths % 10)"
        return "\(hundredths / 100)\(rest)/s"
    }

    /// Returns lines on one side of a comparison: how its frame is coded, and what the samples mean.
    private func side(_ shown: TileComparison.Shown) -> [String] {
        let feed = snapshot.feeds[snapshot.tiles[shown.member].feed], frame = shown.frame.frame
        guard let facts = snapshot.facts(of: feed) else { return [] }
        let isFilm = facts.kind == .video
        let coding = [
            facts.codec, "\(frame.bits) bits", isFilm ? rate(facts) : nil, frame.type.map { "\($0.rawValue) frame" },
        ]
        let content = [
            "\(frame.natural.width)x\(frame.natural.height)",
            isFilm ? facts.bitRate.map { "\(($0 + 500) / 1000) kb/s" } : nil, frame.coded?.words,
        ]
        let remarks = frame.coded?.colorimetry.remarks(toneMapping(of: feed)) ?? []
        return [
            "\(snapshot.nameOfMember(shown.member)): \(coding.compactMap { $0 }.joined(separator: ", "))",
            content.compactMap { $0 }.joined(separator: ", "),
        ] + remarks
    }

    private func sound(of tile: TileID) -> String {
        switch snapshot.whyUnheard(tile) {
        case nil: "heard, volume \(snapshot.tiles[tile].layout.volume)"
        case .notFocused: "not heard"
        case let why?: "not heard: \(why.words)"
        }
    }

    /// Returns the offset of a tile from another, and how it pairs their frames. nil without an offset.
    private func offset(of tile: TileID, from reference: TileID) -> String? {
        let offset = snapshot.tiles[tile].layout.offset - snapshot.tiles[reference].layout.offset
        return snapshot.wordsOnPairing(of: tile, with: reference)?.long ?? snapshot.wordsOnLead(
            of: tile, with: reference)
            ?? (offset == .zero ? nil : "offset \(offset.signedText) s")
    }

    /// Returns lines on a comparison: names, mode, the coding of each side, sizes and offsets.
    func infoOnComparison(of tile: TileID) -> [String] {
        guard let comparison = snapshot.tiles[tile].comparison, let loaded = snapshot.tiles[tile].layout.compare else {
            return []
        }
        let names = comparison.members.map(snapshot.nameOfMember)
        let sizes = Set(comparison.shown.map { $0.frame.frame.natural })
        let first = comparison.shown.first?.frame.frame.natural
        let scaled = sizes.count > 1 ? first.map { "scaled to \($0.width)x\($0.height)" } : nil
        let offsets = comparison.members.dropFirst().compactMap { member -> String? in
            let words = offset(of: member, from: comparison.members[0])
            return comparison.members.count > 2 ? words.map { "\(snapshot.nameOfMember(member)): \($0)" } : words
        }
        let leftOut = comparison.members.compactMap { member in
            self.leftOut(by: snapshot.feeds[snapshot.tiles[member].feed]).map {
                "\(snapshot.nameOfMember(member)) \($0)"
            }
        }
        return ["\(names.joined(separator: ", ")): \(loaded.words)"] + comparison.shown.flatMap(side)
            + [scaled].compactMap { $0 } + offsets + leftOut
    }
}
