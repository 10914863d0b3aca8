import Base
import Feeds
import Heard
import Layout
import Scene

// Frames, sounds and missing parts of tiles.
extension Snapshot {
    /// Returns true if the feed is to be decoded: a tile of it is on the screen, or will be in a moment, or picture in
    /// picture hides a live source.
    func isOnStage(_ feed: FeedID) -> Bool { transport.isOnStage(feed, of: output) }

    func verdict(on tile: TileID) -> AudioState.Verdict {
        let playing = tiles.playingTile(for: tile)
        // In a mix the sound of a comparison is heard already, from its playing tile.
        if audioState.mode == .mix, !audioState.isSolo, playing != tile, tiles.order.contains(playing) {
            return verdict(on: playing)
        }
        return audioState.verdict(on: tiles[tile].layout, hasFocus: tile == focus)
    }

    /// Returns why a tile is not heard. nil if it is heard.
    func whyUnheard(_ tile: TileID) -> Unheard? {
        if case .unheard(let reason) = verdict(on: tile) { return reason }
        let tile = tiles.playingTile(for: tile)
        switch audioState.outlet {
        case .open: break
        case .muted: return .sinkMuted
        case .away: return .noServer
        case .unwanted: return .switchedOff
        }
        let feed = feeds[tiles[tile].feed]
        if tiles[tile].track == 0 { return .soundless }
        let audio = feed.slots.first.map { tiles[tile].look(ofItem: $0.run.place).audio }
        if audio == .silent, tiles[tile].track == nil { return .soundless }
        let stems = audio?.stems ?? []
        if !stems.isEmpty, stems.allSatisfy({ $0.level == 0 }) { return .muted }
        return audioState.failure(of: tiles[tile].sound, files: stems.count)
    }

    /// Age from which the frame of a live feed on this tile is old; nil for never.
    func staleLimit(of tile: TileID, _ feed: Feed) -> Time? {
        tiles[tile].staleLimit(layout.staleAfter).map { $0 + feed.fetchInterval }
    }

    func frozenLimit(of tile: TileID) -> Time? { tiles[tile].frozenLimit(layout.frozenAfter) }

    /// Returns why a tile's frame does not belong to this instant: its film has ended, or has not begun. nil while the
    /// film plays.
    func absence(of tile: TileID, at now: Time) -> String? {
        let feed = feeds[tiles[tile].feed]
        switch feed.presence(at: transport.context(of: feed.id, at: now).dueTime) {
        case .plays: return nil
        case .hasEnded: return "\(nameOfMember(tile)) has ended"
        case .hasNotBegun: return "\(nameOfMember(tile)) has not begun"
        }
    }

    /// Returns the first tile of the same group that has frames.
    func reference(for tile: TileID) -> TileID? { tiles.reference(for: tile, feeds) }

    /// Text that is shown after `Change.solo`.
    func soloText(of tile: TileID) -> String {
        let name = tiles[tile].name
        if case .unheard(let why) = verdict(on: tile) { return "\(name) alone: \(why.words)" }
        let isAlone = audioState.isSolo || audioState.mode == .focus
        return isAlone ? "\(name) alone is heard" : "all tiles are heard"
    }

    /// Returns the reasons why members of a comparison are not shown.
    func missingMembers(of tile: TileID) -> [Marks.Reason] {
        guard let comparison = tiles[tile].comparison else { return [] }
        return comparison.members.compactMap { member in
            guard !comparison.shown.contains(where: { $0.member == member }) else { return nil }
            let feed = feeds[tiles[member].feed], name = nameOfMember(member)
            if let trouble = feed.trouble.latest { return .trouble("\(name): \(trouble.what)") }
            return feed.playsOnlySound ? .trouble("\(name) has no video") : nil
        }
    }

    /// Text about two films of which one begins with sound alone, if their frames are not paired by their timestamps.
    /// nil if they are.
    func wordsOnLead(of other: TileID, with reference: TileID) -> String? {
        guard let mine = facts(of: feeds[tiles[other].feed]), let its = facts(of: feeds[tiles[reference].feed]),
            let frame = frameLength(of: other)
        else { return nil }
        let wanted = its.lead - mine.lead, offset = tiles[other].layout.offset - tiles[reference].layout.offset
        let apart = offset + feeds[tiles[other].feed].compared.phase - wanted
        guard wanted.magnitude * 2 >= frame, apart.magnitude * 2 >= frame else { return nil }
        let (owner, lead) = wanted < .zero ? ("its", mine.lead) : ("the reference's", its.lead)
        return "\(owner) video begins \(fixed(lead.seconds, 3)) s after its sound: by timestamps, offset "
            + "\(wanted.signedText) s"
    }

    /// Short and long text about two films whose frames do not start together. nil if they start together, or if
    /// the rates of the films differ.
    func wordsOnPairing(of other: TileID, with reference: TileID) -> (short: String, long: String)? {
        let feed = feeds[tiles[other].feed]
        guard feed.compared.phase != .zero, let frame = frameLength(of: other) else { return nil }
        let offset = tiles[other].layout.offset - tiles[reference].layout.offset, whole = offset + feed.compared.phase
        let count = Int64((Double(whole.ticks) / Double(frame.ticks)).rounded())
        guard (whole - frame * count).magnitude <= frame.dueTolerance else {
            let apart = fixed(feed.compared.phase.magnitude.seconds * 1000, 1)
            return ("nearest frames, \(apart) ms apart", "frames start \(apart) ms apart: the nearest are paired")
        }
        let frames = count < 0 ? "\u{2212}\(-count)" : "+\(count)"
        return (
            "paired as \(frames) frames",
            "offset \(offset.signedText) s is no whole number of frames: paired as \(frames) (\(whole.signedText) s)"
        )
    }
}
