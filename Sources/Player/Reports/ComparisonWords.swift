import Base
import Feeds
import Layout
import Scene

// Words about tiles that compare others.
extension Snapshot {
    // MARK: members

    /// Returns the name of a member: of a tile that is not drawn, that of its file.
    func nameOfMember(_ member: TileID) -> String {
        if tiles[member].layout.comparedBy == nil { return tiles[member].name }
        let feed = feed(of: member)
        return feed.location.map { SourceName.fileName(of: $0) } ?? fileName(of: feed) ?? tiles[member].name
    }

    /// Returns why a tile's frame does not belong to this instant: its film has ended, or has not begun. nil while the
    /// film plays.
    func absence(of tile: TileID) -> String? {
        let feed = feed(of: tile)
        switch feed.presence(at: context(of: feed).dueTime) {
        case .plays: return nil
        case .hasEnded: return "\(nameOfMember(tile)) has ended"
        case .hasNotBegun: return "\(nameOfMember(tile)) has not begun"
        }
    }

    /// Returns the reasons why members of a comparison are not shown.
    func missingMembers(of tile: TileID) -> [Marks.Reason] {
        guard let watch = tiles[tile].watch else { return [] }
        return watch.members.compactMap { member in
            if watch.shown.contains(where: { $0.member == member }) { return nil }
            let feed = feed(of: member), name = nameOfMember(member)
            if let trouble = feed.trouble.latest { return .trouble("\(name): \(trouble.what)") }
            return feed.playsOnlySound ? .trouble("\(name) has no video") : nil
        }
    }

    // MARK: pairing

    /// Text about two films of which one begins with sound alone, if their frames are not paired by their timestamps.
    /// nil if they are.
    func wordsOnLead(of other: TileID, with reference: TileID) -> String? {
        guard let mine = facts(of: feed(of: other)), let its = facts(of: feed(of: reference)),
            let frame = frameLength(of: other)
        else { return nil }
        let wanted = its.lead - mine.lead, offset = tiles[other].layout.offset - tiles[reference].layout.offset
        let apart = offset + feed(of: other).watched.pairShift - wanted
        guard wanted.magnitude * 2 >= frame, apart.magnitude * 2 >= frame else { return nil }
        let (owner, lead) = wanted < .zero ? ("its", mine.lead) : ("the reference's", its.lead)
        return "\(owner) video begins \(fixed(lead.seconds, 3)) s after its sound: by timestamps, offset "
            + "\(wanted.signedText) s"
    }

    /// Short and long text about two films whose frames do not start together. nil if they start together, or if
    /// the rates of the films differ.
    func wordsOnPairing(of other: TileID, with reference: TileID) -> (short: String, long: String)? {
        let feed = feed(of: other)
        let shift = feed.watched.pairShift
        guard shift != .zero, let frame = frameLength(of: other) else { return nil }
        let offset = tiles[other].layout.offset - tiles[reference].layout.offset, whole = offset + shift
        let count = Int64((Double(whole.ticks) / Double(frame.ticks)).rounded())
        guard (whole - frame * count).magnitude <= frame.dueTolerance else {
            let apart = fixed(shift.magnitude.seconds * 1000, 1)
            return ("nearest frames, \(apart) ms apart", "frames start \(apart) ms apart: the nearest are paired")
        }
        let frames = count < 0 ? "\u{2212}\(-count)" : "+\(count)"
        return (
            "paired as \(frames) frames",
            "offset \(offset.signedText) s is no whole number of frames: paired as \(frames) (\(whole.signedText) s)"
        )
    }

    // MARK: lines

    /// Returns the offset of a tile from another, and how it pairs their frames. nil without an offset.
    private func offset(of tile: TileID, from reference: TileID) -> String? {
        let offset = tiles[tile].layout.offset - tiles[reference].layout.offset
        return wordsOnPairing(of: tile, with: reference)?.long ?? wordsOnLead(of: tile, with: reference)
            ?? (offset == .zero ? nil : "offset \(offset.signedText) s")
    }

    /// Returns lines on a comparison: names, mode, the coding of each side, sizes and offsets.
    func infoOnComparison(of tile: TileID) -> [String] {
        guard let comparison = tiles[tile].watch, let loaded = tiles[tile].layout.compare else { return [] }
        let names = comparison.members.map(nameOfMember)
        let sizes = Set(comparison.shown.map { $0.frame.frame.natural })
        let first = comparison.shown.first?.frame.frame.natural
        let scaled = sizes.count > 1 ? first.map { "scaled to \($0.width)x\($0.height)" } : nil
        let offsets = comparison.members.dropFirst().compactMap { member -> String? in
            let words = offset(of: member, from: comparison.members[0])
            return comparison.members.count > 2 ? words.map { "\(nameOfMember(member)): \($0)" } : words
        }
        return ["\(names.joined(separator: ", ")): \(loaded.words)"] + comparison.shown.flatMap(side)
            + [scaled].compactMap { $0 } + offsets + wordsOnLeftOut(by: comparison.members)
    }

    /// Returns lines on what the decoders of these members leave out.
    func wordsOnLeftOut(by members: [TileID]) -> [String] {
        members.compactMap { member in
            InfoReport(snapshot: self).leftOut(by: feed(of: member)).map { "\(nameOfMember(member)) \($0)" }
        }
    }

    /// Returns lines on one side of a comparison: how its frame is coded, and what the samples mean.
    private func side(_ shown: TileWatch.Shown) -> [String] {
        let feed = feed(of: shown.member), frame = shown.frame.frame
        guard let facts = facts(of: feed) else { return [] }
        let isFilm = facts.kind == .video
        let coding = [
            facts.codec, "\(frame.bits) bits", isFilm ? InfoReport(snapshot: self).frameRate(facts) : nil,
            frame.type.map { "\($0.rawValue) frame" },
        ]
        let content = [
            "\(frame.natural.width)x\(frame.natural.height)",
            isFilm ? facts.bitRate.map { "\(($0 + 500) / 1000) kb/s" } : nil, frame.coded?.words,
        ]
        let remarks = frame.coded?.colorimetry.remarks(InfoReport(snapshot: self).toneMapping(of: feed)) ?? []
        return [
            "\(nameOfMember(shown.member)): \(coding.compactMap { $0 }.joined(separator: ", "))",
            content.compactMap { $0 }.joined(separator: ", "),
        ] + remarks
    }
}

extension ComparisonLayout {
    /// Mode of the comparison, with the gain if the mode uses one.
    var words: String { mode.usesGain ? "\(mode.rawValue) \(wordsOnGain)" : mode.rawValue }

    private var wordsOnGain: String { factor.map { "\u{D7}\($0.plain)" } ?? "with automatic gain" }
}
