// What is to be heard, and who is.
extension Wall {
    /// With a negative `audio.delay`, so long after their clock was let go the pictures begin to move. The sound is as
    /// far ahead of the clock, so it begins at once, and neither loses its beginning.
    var pictureHold: Time { layout.audio.pictureHold }

    /// With a positive one, sound is heard so long after its clock's instant: also that of runs that are over.
    private var soundLag: Time { max(.zero, .milliseconds(Int64(layout.audio.delayMilliseconds))) }

    /// Slots that are over may have something to be heard still.
    mutating func keepSound(of slots: [Slot<Picture, Source>], of feed: FeedID, now: Time) {
        guard soundLag > .zero else { return }
        let kept = now - (soundLag + .milliseconds(100)).played(at: groups[feeds[feed].group].clock.rate)
        feeds[feed].pastRuns.removeAll { ($0.end ?? now) <= kept || $0.start > now }
        feeds[feed].pastRuns += slots.compactMap { soundRun(of: $0, in: feeds[feed]) }
    }

    /// Everything that the sound needs to know, at this instant.
    public func soundScene(at wall: Time) -> SoundScene {
        var soundScene = SoundScene(title: title(of: focus))
        for feed in feeds where !feed.slots.isEmpty {
            let gains = feed.views.map { tile -> Float in
                if case .heard(let gain) = hearing.verdict(on: tile, focus: focus) { gain } else { 0 }
            }
            let plan = SoundPlan(runs: soundRuns(of: feed), clock: groups[feed.group].clock)
            soundScene.parts.append(SoundScene.Part(feed: feed.id, plan: plan, gain: gains.max() ?? 0))
        }
        if let bed = layout.audio.bed {
            let run = SoundRun(source: bed.source, start: .zero, repetition: .forever)
            var clock = Clock(position: .zero, rate: .one)
            if bed.clock == .wall {
                clock = groups.first { $0.name == "main" }?.clock ?? clock
            } else if let beganAt {
                clock.run(at: beganAt, after: pictureHold)
            }
            soundScene.bed = SoundScene.Part(
                feed: .bed, plan: SoundPlan(runs: [run], clock: clock), gain: hearing.bedGain(bed))
        }
        return soundScene
    }

    /// The runs whose beginning is known. Those that failed are silent.
    private func soundRuns(of feed: Feed<Picture, Source>) -> [SoundRun] {
        let runs = feed.slots.compactMap { soundRun(of: $0, in: feed) }
        let begin = runs.first?.start ?? .distantFuture
        return feed.pastRuns.filter { $0.start < begin } + runs
    }

    private func soundRun(of slot: Slot<Picture, Source>, in feed: Feed<Picture, Source>) -> SoundRun? {
        guard let start = slot.start, !slot.hasFailed else { return nil }
        return soundRun(
            of: feed.timeline.piece(of: slot.run), feed.timeline.items[slot.run.item].audio,
            track: trackByHand(of: feed), start: start, end: slot.end, rate: feed.timeline.rate(of: slot.run))
    }

    private func soundRun(
        of piece: Item.Piece, _ audio: ItemAudio, track: Int?, start: Time, end: Time?, rate: Rate
    ) -> SoundRun? {
        var run = SoundRun(source: piece.source, from: piece.start, start: start, end: end, rate: rate)
        switch audio {
        case .silent: if track == nil { return nil }
        case .track(let number): run.choice.track = .number(number)
        case .language(let language): run.choice.track = .language(language)
        case .other(let other):
            run.source = other.source ?? piece.source
            run.choice = SoundChoice(
                other.language.map { .language($0) } ?? .number(other.track ?? 1), channel: other.channel)
            run.from -= other.offset
            run.gain = Loudness.gain(ofVolume: other.volume)
        }
        if let track { run.choice.track = .number(track) }
        return run
    }

    private func trackByHand(of feed: Feed<Picture, Source>) -> Int? {
        feed.views.lazy.compactMap { hearing.tracks[$0] }.first
    }

    /// What a tile plays, for desktop mixers: its source's title, or its name without its folder.
    private func title(of tile: Int) -> String {
        let feed = feeds[feedOfTile[tile]]
        let run = feed.slots.first?.run ?? RunID(pass: 0)
        let source = feed.timeline.piece(of: run).source
        return feed.titles[source] ?? source.split(separator: "/").last.map(String.init) ?? source
    }

    // MARK: what people change

    public mutating func toggleMute(_ target: Command.MuteTarget) {
        switch target {
        case .tile: hearing.mutes[focus].toggle()
        case .wall: hearing.isMuted.toggle()
        }
        orders.wakesScreen = true
    }

    public mutating func changeVolume(by amount: Int) {
        hearing.volume = min(100, max(0, hearing.volume + amount))
        orders.wakesScreen = true
    }

    public mutating func silence() { hearing.isMuted = true }

    /// The focused tile's next track; after the last the first.
    public mutating func nextTrack() {
        let feed = feeds[feedOfTile[focus]]
        let count: Int
        switch hearing.conditions[feed.id] {
        case .sounding(let tracks), .noTrack(let tracks): count = tracks
        case .soundless, .failed, .unknown, nil: return
        }
        guard count > 0 else { return }
        let run = feed.slots.first?.run ?? RunID(pass: 0)
        var current = 1
        switch feed.timeline.items[run.item].audio {
        case .track(let number): current = number
        case .other(let other): current = other.track ?? 1
        case .language, .silent: current = 0
        }
        hearing.tracks[focus] = (hearing.tracks[focus] ?? current) % count + 1
        orders.wakesScreen = true
    }

    // MARK: what is known of the sound

    public mutating func outlet(is outlet: Hearing.Outlet) {
        hearing.outlet = outlet
        orders.wakesScreen = true
    }

    /// By feed: what became of its sound.
    public mutating func note(_ conditions: [FeedID: SoundCondition], at wall: Time) {
        for (feed, condition) in conditions where hearing.conditions[feed] != condition {
            if case .failed(let source, let trouble) = condition { report(soundOf: feed, source, trouble, at: wall) }
        }
        hearing.conditions = conditions
        orders.wakesScreen = true
    }

    /// Said once a source, as that of pictures is; the bed is no tile's.
    private mutating func report(soundOf feed: FeedID, _ source: String, _ trouble: SourceTrouble, at wall: Time) {
        if feed == .bed {
            return tell(.trouble(tile: nil, source: source, item: 0, pts: nil, trouble: trouble), at: wall)
        }
        guard feeds.contains(feed), feeds[feed].said[source] == nil else { return }
        feeds[feed].said[source] = trouble
        let item = feeds[feed].slots.first?.run.item ?? 0
        for tile in feeds[feed].views {
            tell(.trouble(tile: tile, source: source, item: item, pts: nil, trouble: trouble), at: wall)
        }
    }

    /// Why a tile is not heard; nil: it is.
    public func whyUnheard(_ tile: Int) -> Unheard? {
        if case .unheard(let reason) = hearing.verdict(on: tile, focus: focus) { return reason }
        switch hearing.outlet {
        case .open: break
        case .muted: return .sinkMuted
        case .away: return .noServer
        case .unwanted: return .switchedOff
        }
        let feed = feeds[feedOfTile[tile]]
        if let run = feed.slots.first?.run, feed.timeline.items[run.item].audio == .silent,
            hearing.tracks[tile] == nil
        {
            return .soundless
        }
        return switch hearing.conditions[feed.id] {
        case .soundless: .soundless
        case .failed: .unplayable
        case .noTrack: .noTrack
        case .sounding, .unknown, nil: nil
        }
    }
}

/// What is to be heard: every feed that has a seat, with its gain, and the bed.
public struct SoundScene: Sendable, Equatable {
    public var parts: [Part] = []
    public var bed: Part?
    /// What the focused tile plays.
    public var title: String

    public init(title: String) { self.title = title }

    public struct Part: Sendable, Equatable {
        public var feed: FeedID
        public var plan: SoundPlan
        /// 0: not heard, but it may be at any time.
        public var gain: Float

        public init(feed: FeedID, plan: SoundPlan, gain: Float) {
            (self.feed, self.plan, self.gain) = (feed, plan, gain)
        }
    }
}
