import Base
import Commands
import Layout
import Scene

// Takes: recordings of a microphone while the wall plays, each beside what its tile plays.
extension Wall {
    /// Notes that takes can be recorded. `isOffered`: true if the key `R` begins one whatever the layout states.
    public mutating func takesCanBeRecorded(isOffered: Bool) {
        (takes.recorder, takes.isOffered) = (.present, isOffered)
    }

    /// True if the key begins a take on this wall.
    private var offersTakes: Bool {
        takes.isOffered || layout.audio.input != nil
            || tiles.playing.contains { tiles[$0].play.contains { if case .shown = $0.lyrics { true } else { false } } }
    }

    var isRecording: Bool { takes.session.map { $0.endsAt == nil } ?? false }

    /// Begins or ends a take. Returns false if takes are not offered, or nothing can record.
    mutating func record(_ switching: Command.Switching, of tile: TileID, at now: Time) -> Bool {
        switch switching {
        case .toggle:
            if isRecording { return endRecording(at: now) }
            guard offersTakes else { return false }
            return beginRecording(tile, at: now)
        case .on: return beginRecording(tile, at: now)
        case .off: return endRecording(at: now)
        }
    }

    private mutating func beginRecording(_ tile: TileID, at now: Time) -> Bool {
        if isRecording, takes.session?.tile == tile { return true }
        guard takes.recorder == .present else {
            showNotice("nothing can be recorded: there is no sound server", at: now)
            return false
        }
        takes.begin(tile, tiles[tile].name)
        noteSong(at: now)
        effects.wakeTakes()
        return true
    }

    /// Ends the take. Returns true even if there is none.
    mutating func endRecording(at now: Time) -> Bool {
        guard isRecording else { return true }
        takes.session?.endsAt = now
        effects.wakeTakes()
        return true
    }

    /// Called when the recorder is done with a take, and its microphone is closed.
    public mutating func recordingHasEnded(_ number: Int) {
        guard takes.session?.number == number else { return }
        takes.session = nil
        effects.wakeScreen()
    }

    /// Notes what the take is sung to from now on.
    mutating func noteSong(at now: Time) {
        guard let tile = takes.session?.tile, isRecording else { return }
        guard tiles.contains(tile) else {
            _ = endRecording(at: now)
            return
        }
        let (plan, delay, input) = (songPlan(of: tile), audioState.delayMilliseconds, layout.audio.input)
        takes.session?.note(plan, at: now)
        takes.session?.delay = .milliseconds(Int64(delay))
        guard takes.session?.input != input else { return }
        takes.session?.input = input
        effects.wakeTakes()
    }

    private func songPlan(of tile: TileID) -> SongPlan? {
        let player = player(of: tile)
        let feed = feeds[tiles[player].feed]
        guard feed.phase == .playing else { return nil }
        if let front = feed.slots.first, feed.isLive(front.run) {
            // A live source has no time of its own. A lost connection, or an edge that moves, does not end the file.
            let run = SongPlan.Run(
                RunID(iteration: 0, item: front.run.item), source: front.location, start: .zero, begins: -.distantFuture
            )
            return SongPlan(runs: [run], clock: group(of: feed).clock)
        }
        let runs = feed.slots.compactMap { slot -> SongPlan.Run? in
            guard let start = slot.start, !slot.hasFailed else { return nil }
            let segment = feed.timeline.segment(of: slot.run)
            let source = feed.timeline.items[slot.run.item].song ?? slot.location
            var run = SongPlan.Run(
                slot.run, source: source, from: segment.songStart ?? segment.start, start: start,
                begins: slot.takesOverAt, end: slot.end, rate: feed.timeline.rate(of: slot.run))
            (run.key, run.isSong) = (tiles[player].look(ofItem: slot.run.item).key, segment.songStart != nil)
            run.item = breaks.onTiles[player]?.placed(slot.run)?.item ?? slot.run.item
            return run
        }
        return runs.isEmpty ? nil : SongPlan(runs: runs, clock: group(of: feed).clock)
    }

    // MARK: frames of live feeds

    /// Returns true if the frames of a feed are recorded with the microphone.
    func recordsFrames(of feed: FeedID) -> Bool {
        guard isRecording, feeds[feed].isLive, let tile = takes.session?.tile, tiles.contains(tile) else {
            return false
        }
        return tiles[player(of: tile)].feed == feed
    }

    /// Adds a delivered frame to the take, if it belongs there.
    mutating func noteForTake(_ frame: any WallFrame, pts: Time, of lease: Lease, at now: Time) {
        guard recordsFrames(of: lease.feed), group(of: lease.feed).clock.isMoving(at: now),
            let place = feeds[lease.feed].takePlace(of: lease, pts: pts)
        else { return }
        takes.session?.note(TakeFrame(frame, at: place))
    }

    /// Returns the frames that came since the last call for the take of this number.
    public mutating func takeRecordedFrames(_ number: Int) -> [TakeFrame] {
        takes.session?.number == number ? takes.session?.takeFrames() ?? [] : []
    }

    /// Puts the last take of this tile, or of all, under the item that it was sung to. Returns false if there is none.
    mutating func useTake(of tile: TileID, at now: Time) -> Bool {
        guard let take = takes.last[tile] ?? takes.latest, let item = item(of: tile, sungTo: take) else { return false }
        guard !feeds[tiles[player(of: tile)].feed].isLive else {
            showNotice("\(tiles[tile].name): its take already has the video in a file of its own", at: now)
            return false
        }
        guard tiles[tile].play[item].takesTakes else {
            showNotice("\(tiles[tile].name): a take can't be added to several files with their own sound", at: now)
            return false
        }
        let track = tiles[tile].track
        changeLook(of: tile, item) { $0.add(take: take.file, track: track == 0 ? nil : track) }
        showNotice("\(tiles[tile].name): \(SourceName.fileName(of: take.file))", at: now)
        return true
    }

    /// Returns the item that a take was sung to, else one of the same film, preferably the one on screen.
    private func item(of tile: TileID, sungTo take: Takes.Take) -> Int? {
        let play = tiles[tile].play
        func plays(_ item: Int) -> Bool {
            play[item].song == take.source || play[item].segments.contains { $0.source == take.source }
        }
        // The item of another tile's take has no meaning here.
        func isTheOne(_ item: Int) -> Bool {
            guard takes.last[tile] == take else { return false }
            guard let onBreak = breaks.onTiles[tile] else { return item == take.item }
            return onBreak.placed(RunID(iteration: onBreak.run.iteration, item: item))?.item == take.item
        }
        let candidates = play.indices.filter(plays)
        return candidates.first(where: isTheOne)
            ?? presentItem(of: tile).flatMap { candidates.contains($0) ? $0 : nil } ?? candidates.first
    }

    // MARK: by eye

    /// Starts a test in which the user makes a flash and a click meet.
    public mutating func begin(_ test: EyeTest, at now: Time) {
        change(at: now) { changed in
            changed.eyeTest = test
            changed.showNotice("\u{2191} \u{2193} until flash and click meet, then Enter; h: the keys", at: now)
        }
    }

    mutating func keepDelay() -> Bool {
        guard eyeTest != nil else { return false }
        eyeTest?.delay = audioState.delayMilliseconds
        effects.window(.quit(0))
        return true
    }

    // MARK: states

    /// Notes that a file was begun, is over, or could not be written. `item`: index in the tile's sequence.
    public mutating func take(
        _ file: String, of session: TakeSession, item: Int = 0, _ state: Event.TakeState, at now: Time
    ) {
        switch state {
        // A file that ended on a full disk can be used up to there.
        case .ended: takes.end(file, of: session.tile)
        case .failed(_, let kept): if kept > .zero { takes.end(file, of: session.tile) }
        case .started: break
        }
        if case .started(let start, let source) = state {
            takes.begin(Takes.Take(file: file, source: source, item: item))
            emit(.take(tile: session.name, file: file, .started(start: start, source: source)), at: now)
        } else {
            emit(.take(tile: session.name, file: file, state), at: now)
        }
        if case .failed(let reason, _) = state { showNotice("no recording: \(reason)", at: now) }
        effects.wakeScreen()
    }
}

extension Item {
    /// True if a take can lie beside the item's sound: the sound is not that of several files in turn.
    fileprivate var takesTakes: Bool {
        switch audio {
        case .track, .language: Set(segments.map(\.source)).count == 1
        case .other(let other): other.source != nil || Set(segments.map(\.source)).count == 1
        case .silent, .stems: true
        }
    }

    /// Adds a take as one more stem, or replaces an earlier one. The JSON file beside it states where it lies in the
    /// song. `track`: the song's track that the user chose; nil if the user chose none.
    mutating func add(take file: String, track: Int?) {
        let chosen = track.map { SoundChoice.Track.number($0) }
        var take = ItemAudio.Stem("take", file)
        take.isTake = true
        switch audio {
        case .stems(var stems):
            stems.lay(take)
            audio = .stems(stems)
        case .other(let other):
            var song = ItemAudio.Stem("song", other.source ?? segments[0].source)
            (song.offset, song.volume) = (other.offset, other.volume)
            song.track = chosen ?? other.language.map { .language($0) } ?? .number(other.track ?? 1)
            var stems = ItemAudio.Stems([song, take])
            stems.channel = other.channel
            audio = .stems(stems)
        case .track(let number): audio = .stems(ItemAudio.Stems([song(chosen ?? .number(number)), take]))
        case .language(let language): audio = .stems(ItemAudio.Stems([song(chosen ?? .language(language)), take]))
        case .silent: audio = .stems(ItemAudio.Stems([take]))
        }
    }

    private func song(_ track: SoundChoice.Track) -> ItemAudio.Stem {
        var song = ItemAudio.Stem("song", segments[0].source)
        song.track = track
        return song
    }
}
