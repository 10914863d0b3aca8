@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import Scene

/// A clip that exists only as numbers.
struct FakeClip {
    var frames: Int
    var rate = 30
    /// The clip's rate is `rate` frames in this many seconds.
    var seconds = 1
    var opensIn = Time.milliseconds(5)
    var framesDecodeIn = Time.milliseconds(3)
    /// Delay of the server's answer to each request for another position.
    var answersIn = Time.zero
    var knowsItsLength = true
    var trouble: SourceTrouble?
    /// Distance of key frames, in frames. A start between two of them decodes from the earlier one.
    var gop = 30
    var listsKeyFrames = true
    var isStill = false
    var isSound = false
    /// True if it opens, and none of its frames can be decoded.
    var isUndecodable = false
    /// Number of frames that the container claims and that are missing.
    var lacks = 0
    /// True if the container states that frames differ in length.
    var isUneven = false
    /// Number of black frames at the start.
    var blackUntil = 0
    var natural = Size(64, 36)
    /// Time from the start of its sound to its first frame.
    var lead = Time.zero
    /// FFmpeg's name of its codec.
    var codec = ""
    /// Bits a second of its video; nil if the container does not state them.
    var bitRate: Int?
    /// Traits of the coded frames; nil if unknown.
    var coded: CodedTraits?
    var subtitles: [SubtitleTrack] = []
    var soundTracks: [SoundTrack] = []
    var title: String?
    var artist: String?
    /// Wall time at which frame 0 of a live clip is made. Each later frame is made at its own time. nil if the clip is
    /// finite.
    var madeFrom: Time?
    /// Wall time during which no frames of a live clip arrive.
    var isSilent: Range<Time>?
    /// Length of the frames with which a connection to a live clip begins, as the last segments of a playlist; nil for
    /// a stream, of which a connection gets no earlier frames.
    var keeps: Time?
    /// Wall time during which all frames of a live clip look the same.
    var isFrozen: Range<Time>?

    func start(of frame: Int) -> Time { Time(Int64(frame), ofUnits: Int64(seconds), over: Int64(rate)) }
    var length: Time { start(of: frames) }
    var dueTolerance: Time { start(of: 1).dueTolerance }

    var facts: OpenedFacts {
        var facts = OpenedFacts(
            kind: isStill ? .still : isSound ? .sound : .video,
            length: knowsItsLength && madeFrom == nil ? length : nil, frameLength: start(of: 1))
        if !isSound { (facts.natural, facts.stored, facts.lead) = (natural, natural, lead) }
        (facts.hasEvenRate, facts.bitRate, facts.subtitles) = (!isUneven, bitRate, subtitles)
        (facts.codec, facts.soundTracks, facts.title, facts.artist) = (codec, soundTracks, title, artist)
        if lacks > 0 { (facts.isCutOff, facts.statedLength) = (true, start(of: frames + lacks)) }
        if madeFrom != nil { facts.live = keeps == nil ? .pushed : .listed }
        if listsKeyFrames { facts.keyFrames = stride(from: 0, to: frames, by: gop).map(start) }
        return facts
    }

    /// Returns the first frame of a live clip that a connection at `now` gets.
    func firstFrame(ofConnectionAt now: Time) -> Int {
        guard let begin = madeFrom else { return 0 }
        guard let keeps else { return (0..<frames).first { begin + start(of: $0) >= now } ?? frames }
        let made = (0..<frames).last { isMade($0, at: now) }.map(start) ?? .zero
        return (0..<frames).first { isMade($0, at: now) && start(of: $0) > made - keeps } ?? frames
    }

    /// True if a frame of a playlist is made at `now`. No frame is made while the clip is silent.
    private func isMade(_ frame: Int, at now: Time) -> Bool {
        guard let begin = madeFrom else { return true }
        let time = begin + start(of: frame)
        return time <= now && isSilent?.contains(time) != true
    }
}

extension PlayerCore {
    /// Open sources that no pipeline has.
    var heldSources: [OpenSourceID] {
        var held = pool.pipelines.compactMap(\.source)
        for feed in feeds {
            held += feed.sources.parked.map(\.source)
            for slot in feed.slots + [feed.preview.slot].compactMap({ $0 }) {
                if case .ready(let source) = slot.loading { held.append(source) }
            }
        }
        return held
    }
}

extension Job {
    /// Name of the clip.
    var clip: String { lease.location }
}

/// The shell around a `Wall`, where time moves only from one event to the next. Its openers, pipelines, screen and
/// conductor take exactly the time that they are given.
struct Simulation {
    var wall: Wall
    var clips: [String: FakeClip]
    var now = Time.seconds(100)
    /// Every change of the frame of each tile.
    private(set) var shown: [[(at: Time, frame: FakeFrame?)]]
    /// By tile: the blended frames of fades.
    private(set) var fades: [Int: [Faded]] = [:]
    /// Times at which each tile's spinner appeared and disappeared.
    private(set) var spinners: [[(at: Time, isThere: Bool)]]
    /// By tile: times at which it was dimmed and undimmed.
    private(set) var dims: [Int: [(at: Time, isThere: Bool)]] = [:]
    /// By tile: every change of the reasons that it shows.
    private(set) var reasons: [Int: [(at: Time, texts: [String])]] = [:]
    /// Steps that were taken since an instant; a new count begins a millisecond later.
    private var busy = (since: Time.zero, steps: 0)
    /// Every change of the text that is shown over the whole wall.
    private(set) var notices: [(at: Time, lines: [String])] = []
    /// Connections to live sources that are open.
    private(set) var liveOrigins: Set<Int128> = []
    private(set) var events: [Event] = []
    /// Commands for the main thread.
    private(set) var windowCommands: [Command.WindowCommand] = []
    /// Orders to measure figures. Only the test answers them.
    private(set) var figureOrders: [FiguresOrder] = []
    private var posterOrders: [PosterOrder] = []
    private(set) var mostLeases = 0
    private(set) var openSources: Set<OpenSourceID> = []
    /// Location of each open source.
    private var locations: [OpenSourceID: String] = [:]
    /// Live clips that were to be opened while another connection to them was open.
    private(set) var openedTwice: [String] = []
    /// By source of a playlist: number of the frame that the connection begins with.
    private var firstFrames: [OpenSourceID: Int] = [:]
    /// By clip: number of openings.
    private(set) var openRequests: [String: Int] = [:]
    func openRequestsUnderWay(_ clip: String) -> Int { opening.count { $0.order.terms.location == clip } }
    /// Time and location of each opening.
    private(set) var asked: [(at: Time, location: String)] = []
    /// By clip: number of frames that were decoded after a run's first.
    private(set) var decoded: [String: Int] = [:]
    /// Number of cores that the decoders share; nil if each has its own.
    var cores: Int?
    /// Time to open a decoder. A pipeline that goes on with the same clip keeps its decoder.
    var decoderOpensIn = Time.milliseconds(10)
    /// True to have frames decided on with the delivery of the frame before, as pipelines do.
    var decidesAhead = false
    /// Number of calls of the wall to decide on a frame or to deliver one.
    private(set) var frameCalls = 0
    /// Number of delivered frames.
    private(set) var delivered = 0

    /// Two blended frames of a fade.
    struct Faded: Equatable {
        let at: Time
        let from: FakeFrame
        let to: FakeFrame
        let weight: Int
    }

    private var opening: [(at: Time, order: OpenOrder)] = []
    private var pipelines: [Pipeline]
    private var screenAt: Time?
    /// True while the display takes no scene.
    var displayStandsStill = false

    private struct Pipeline {
        var job: Job?
        var next = 0
        /// Number of the live clip's frame that its source counts from.
        var first = 0
        var wakesAt: Time?
        var lastClip: String?
        var skips = DecodeSkips.none
        /// True while decoding, not waiting for room.
        var isBusy = false
        /// True while waiting for room, until notified or until `wakesAt`.
        var waits = false
        /// Decision on the next frame, made with the delivery of the frame before; nil if there is none.
        var decided: FrameDecision?
        /// Number of frames that were just decoded, while the pipeline leaves the cores to others; nil otherwise.
        var rests: Int?
    }

    init(_ layout: Layout, clips: [String: FakeClip], pipelines count: Int = 4, start: Time = .zero) {
        wall = Wall(layout: layout, pipelines: count, start: Clock.Start(position: start))
        self.clips = clips
        pipelines = Array(repeating: Pipeline(), count: count)
        shown = Array(repeating: [], count: layout.tiles.count)
        spinners = Array(repeating: [], count: layout.tiles.count)
        wall.player.update(at: now)
        settle()
        wall.player.note(.began, at: now)
        settle()
        screenAt = now
    }

    mutating func command(_ command: Command) {
        wall.carryOut(command, at: now)
        settle()
    }

    @discardableResult
    mutating func apply(_ layout: Layout, pipelines: Int? = nil) -> LayoutDiff {
        let diff = wall.apply(layout, pipelines: pipelines, at: now)
        settle()
        return diff
    }

    /// Returns the posters that were ordered since the last call. Only the test answers them.
    mutating func takePosterOrders() -> [PosterOrder] {
        defer { posterOrders = [] }
        return posterOrders
    }

    /// Returns the frame that a tile shows now, by the tile's id.
    func frameNow(_ tile: String) -> FakeFrame? {
        wall.tiles.id(named: tile).flatMap { shown[$0.number].last?.frame }
    }

    /// Changes the wall other than by a command.
    mutating func act(_ body: (inout Wall, Time) -> Void) {
        body(&wall, now)
        settle()
    }

    /// Frames that the tiles show now.
    var framesNow: [FakeFrame?] { shown.map { $0.last?.frame } }

    mutating func run(for length: Time) {
        let end = now + length
        while let next = nextEvent, next <= end {
            now = max(now, next)
            step()
        }
        now = end
        expectSources()
    }

    private var nextEvent: Time? {
        let times =
            opening.map(\.at) + pipelines.compactMap(\.wakesAt) + [screenAt, wall.nextUpdate].compactMap { $0 }
        return times.min()
    }

    private mutating func step() {
        if now - busy.since > .milliseconds(1) { busy = (now, 0) }
        busy.steps += 1
        precondition(busy.steps < 100_000, "the wall works without an end within a millisecond")
        if let index = opening.firstIndex(where: { $0.at <= now }) {
            finishOpening(opening.remove(at: index).order)
        } else if let index = pipelines.firstIndex(where: { $0.wakesAt.map { $0 <= now } ?? false }) {
            work(index)
        } else if let at = screenAt, at <= now {
            present()
        } else {
            wall.player.update(at: now)
        }
        settle()
    }

    private mutating func settle() {
        let effects = wall.finishChange(at: now)
        events += effects.events
        windowCommands += effects.window
        if let order = effects.figures { figureOrders.append(order) }
        posterOrders += effects.posters
        for order in effects.open { openRequests[order.terms.location, default: 0] += 1 }
        for order in effects.open {
            asked.append((now, order.terms.location))
            opening.append((now + clip(order.terms.location).opensIn, order))
        }
        for source in effects.close {
            precondition(openSources.remove(source) != nil, "a source was closed twice")
            liveOrigins.remove(Int128(source.number))
            locations[source] = nil
        }
        for order in effects.open where clip(order.terms.location).madeFrom != nil {
            if locations.values.contains(order.terms.location) { openedTwice.append(order.terms.location) }
        }
        for pipeline in effects.pipelinesToWake {
            while pipelines.count <= pipeline { pipelines.append(Pipeline()) }
            let isAsleep = pipelines[pipeline].waits || pipelines[pipeline].wakesAt == nil
            if isAsleep { pipelines[pipeline].wakesAt = now }
        }
        if effects.wakesScreen, screenAt ?? .distantFuture > now { screenAt = now }
    }

    /// Traps unless each open source is in one place: with the wall, or with a pipeline.
    func expectSources() {
        let held = wall.player.heldSources + pipelines.compactMap(\.job?.source)
        precondition(held.count == Set(held).count, "a source is in two places")
        precondition(Set(held) == openSources, "a source was lost, or closed too early")
    }

    private func clip(_ location: String) -> FakeClip {
        clips[location] ?? FakeClip(frames: 0, trouble: SourceTrouble(.missing, "no such file"))
    }

    private mutating func finishOpening(_ order: OpenOrder) {
        let clip = clip(order.terms.location)
        if let trouble = clip.trouble ?? clip.facts.refusal {
            return wall.player.note(.opening(.failed(trouble), ticket: order.ticket), at: now)
        }
        // Opened once for each ticket.
        let source = OpenSourceID(number: order.ticket)
        openSources.insert(source)
        locations[source] = order.terms.location
        let plan = wall.player.stillPlan(order, natural: clip.natural)
        let frame =
            clip.isStill
            ? FakeFrame(
                clip: order.terms.location, number: 0, natural: clip.natural, size: plan.size, keeping: plan.keeping
            ).frame : nil
        var facts = clip.facts
        if facts.live != nil {
            // The time in a playlist goes on from one connection to the next.
            let first = clip.start(of: clip.firstFrame(ofConnectionAt: now))
            facts.origin = clip.keeps == nil ? Int128(order.ticket) : Int128(first.ticks)
            liveOrigins.insert(facts.origin)
            firstFrames[source] = clip.firstFrame(ofConnectionAt: now)
        }
        let isFrozen = clip.isFrozen?.contains(now) ?? false
        let stillness: Stillness = !wall.player.watchesStillness(order) ? .unknown : isFrozen ? .same : .moved
        wall.player.note(
            .opening(.opened(source, facts, frame: frame, stillness: stillness), ticket: order.ticket), at: now)
    }

    private mutating func work(_ index: Int) {
        (pipelines[index].wakesAt, pipelines[index].waits) = (nil, false)
        guard let job = pipelines[index].job else {
            let task = wall.player.takeTask(index)
            if case .closeDecoder = task {
                pipelines[index].lastClip = nil
                pipelines[index].wakesAt = now
                return wall.player.note(.decoderClosed(pipeline: index), at: now)
            }
            guard case .decode(let job) = task else { return }
            let clip = clip(job.clip)
            pipelines[index].job = job
            (pipelines[index].skips, pipelines[index].decided) = (.none, nil)
            let before = pipelines[index].next
            let goal =
                job.from >= clip.length
                ? clip.frames : (0..<clip.frames).last { clip.start(of: $0) <= job.from + clip.dueTolerance } ?? 0
            pipelines[index].next = goal
            if clip.madeFrom != nil {
                let first = clip.keeps == nil ? nil : firstFrames[job.source]
                pipelines[index].next = first ?? clip.firstFrame(ofConnectionAt: now)
                pipelines[index].first = pipelines[index].next
            }
            let isSame = pipelines[index].lastClip == job.clip
            let decodesOn = isSame && goal + 1 >= before && goal / clip.gop == before / clip.gop
            wall.player.note(.lease(.decoder(isSame ? .continued : .opened), of: job.lease), at: now)
            pipelines[index].lastClip = job.clip
            let thrownAway = Int64(decodesOn ? max(0, goal - before) : goal % clip.gop)
            pipelines[index].wakesAt =
                now + clip.framesDecodeIn * (1 + thrownAway) + (isSame ? .zero : decoderOpensIn) + clip.answersIn
            mostLeases = max(mostLeases, pipelines.count { $0.job != nil })
            return
        }
        let clip = clip(job.clip)
        if let count = pipelines[index].rests { return goOn(index, job, clip, after: count) }
        let number = pipelines[index].next
        pipelines[index].isBusy = false
        if clip.isUndecodable {
            return breakOff(index, SourceTrouble(.damaged, "none of its frames could be decoded"))
        }
        if let begin = clip.madeFrom, number < clip.frames, now < begin + clip.start(of: number) {
            pipelines[index].wakesAt = begin + clip.start(of: number)
            return
        }
        let isMade = clip.keeps != nil && clip.madeFrom.map { $0 + clip.start(of: number) < now } ?? false
        if let silence = clip.isSilent, let begin = clip.madeFrom, silence.contains(now),
            !isMade || silence.contains(begin + clip.start(of: number))
        {
            pipelines[index].next =
                (number..<clip.frames).first { begin + clip.start(of: $0) >= silence.upperBound } ?? clip.frames
            pipelines[index].wakesAt = silence.upperBound
            return
        }
        let start = clip.start(of: number - (clip.madeFrom == nil ? 0 : pipelines[index].first))
        if number >= clip.frames { return end(index, at: clip.length) }
        if let until = job.until, start + clip.dueTolerance >= until { return end(index, at: until) }
        let count = pipelines[index].skips.frames == .referenced ? 2 : 1
        let length = clip.start(of: count)
        var decided = pipelines[index].decided
        if case .wait = decided { decided = nil }
        pipelines[index].decided = nil
        frameCalls += decided == nil ? 1 : 0
        let frame = DecodedFrame(pts: start, length: length, natural: clip.natural)
        switch decided ?? wall.player.decide(job.lease, frame, at: now) {
        case .deliver(let size, let skips, let keeping):
            let frame = FakeFrame(
                clip: job.clip, number: number, natural: clip.natural, size: size, isBlack: number < clip.blackUntil,
                keeping: keeping, coded: clip.coded)
            let isStill = clip.isFrozen?.contains(now) ?? false
            let stillness: Stillness = !wall.player.watchesStillness(job.lease) ? .unknown : isStill ? .same : .moved
            (frameCalls, delivered) = (frameCalls + 1, delivered + 1)
            let step = wall.player.deliver(
                job.lease, frame.frame, pts: start, length: length, stillness: stillness,
                before: decidesAhead ? frameAfter(number, job, clip) : nil, at: now)
            pipelines[index].decided = step.decision
            pipelines[index].skips = skips
            goOn(index, job, clip, after: count)
        case .skip(let over):
            decodeNext(index, job, clip, after: count)
            // Skips the next frame too if it is over and no other frame refers to it.
            let left = pipelines[index].next
            if let over, left % 2 == 1, clip.start(of: left + 1) <= over { pipelines[index].next += 1 }
        case .wait(let until):
            (pipelines[index].wakesAt, pipelines[index].waits) = (until, true)
        case .end:
            end(index, at: nil)
        case .returnSource:
            giveBack(index, job)
        }
    }

    /// Returns the frame after this one, which is decoded when this one is delivered. nil if there is none, or if it may
    /// be the last one.
    private func frameAfter(_ number: Int, _ job: Job, _ clip: FakeClip) -> DecodedFrame? {
        let start = clip.start(of: number + 1)
        guard clip.madeFrom == nil, number + 2 < clip.frames, job.until.map({ start + clip.dueTolerance < $0 }) ?? true
        else { return nil }
        return DecodedFrame(pts: start, length: clip.start(of: 1), natural: clip.natural)
    }

    private mutating func giveBack(_ index: Int, _ job: Job) {
        pipelines[index].job = nil
        pipelines[index].wakesAt = now
        wall.player.note(.lease(.givenBack(job.source), of: job.lease), at: now)
    }

    private mutating func goOn(_ index: Int, _ job: Job, _ clip: FakeClip, after count: Int) {
        pipelines[index].rests = nil
        switch wall.player.leaseDecision(job.lease, at: now) {
        case .decodes: decodeNext(index, job, clip, after: count)
        case .rests: (pipelines[index].rests, pipelines[index].decided) = (count, nil)
        case .returnsSource: giveBack(index, job)
        }
    }

    /// Decodes the next frame. Every second frame is one to which no other frame refers. Without the loop filter,
    /// decoding takes a sixth less.
    private mutating func decodeNext(_ index: Int, _ job: Job, _ clip: FakeClip, after count: Int) {
        var cost = clip.framesDecodeIn
        if pipelines[index].skips.filter == .nowhere { cost = cost * 5 / 6 }
        let busy = pipelines.count { $0.isBusy } + (pipelines[index].isBusy ? 0 : 1)
        if let cores, busy > cores { cost = cost * Int64(busy) / Int64(cores) }
        let decodeCost = DecodeCost(media: clip.start(of: count), spent: clip.framesDecodeIn, worked: cost)
        wall.player.note(.lease(.cost(decodeCost), of: job.lease), at: now)
        pipelines[index].next += count
        decoded[job.clip, default: 0] += 1
        pipelines[index].isBusy = true
        pipelines[index].wakesAt = now + cost
    }

    private mutating func end(_ index: Int, at time: Time?) {
        guard let job = pipelines[index].job else { return }
        pipelines[index].job = nil
        pipelines[index].wakesAt = now
        wall.player.note(.lease(.ended(at: time, keeping: job.source), of: job.lease), at: now)
    }

    /// Makes the reading of a clip fail in the middle.
    mutating func breakOff(_ clip: String, _ trouble: SourceTrouble) {
        for index in pipelines.indices {
            if pipelines[index].job?.clip == clip { breakOff(index, trouble) }
        }
        settle()
    }

    private mutating func breakOff(_ index: Int, _ trouble: SourceTrouble) {
        guard let job = pipelines[index].job else { return }
        pipelines[index].job = nil
        pipelines[index].wakesAt = now
        wall.player.note(.lease(.failed(trouble, closing: job.source), of: job.lease), at: now)
    }

    private mutating func present() {
        var (scene, next) = wall.composeScene(at: now)
        let change = wall.mark(&scene, MarksVisibility().visibility(at: now).marks, at: now)
        screenAt = [next, change].compactMap { $0 }.min().map { max($0, now + Time(ticks: 1)) }
        for view in scene.views {
            let tile = view.tile.number
            while shown.count <= tile {
                shown.append([])
                spinners.append([])
            }
            let isDimmed = view.marks?.isDimmed ?? false
            if isDimmed != dims[tile]?.last?.isThere ?? false { dims[tile, default: []].append((now, isDimmed)) }
            let texts = view.marks?.reasons.map(\.text) ?? []
            if texts != reasons[tile]?.last?.texts ?? [] { reasons[tile, default: []].append((now, texts)) }
            let spins = view.marks?.spinner != nil
            if spins != spinners[tile].last?.isThere ?? false { spinners[tile].append((now, spins)) }
            let frame: FakeFrame?
            switch view.content {
            case .frame(let placed), .poster(let placed): frame = placed.frame.fake
            case .fade(let fade):
                let (from, to) = (fade.from.frame.fake, fade.to.frame.fake)
                frame = to
                fades[tile, default: []].append(Faded(at: now, from: from, to: to, weight: fade.weight))
            case .comparison, .card, .blank: frame = nil
            }
            if shown[tile].isEmpty || shown[tile].last?.frame != frame {
                shown[tile].append((now, frame))
            }
        }
        let lines = scene.overlay?.info ?? []
        if lines != notices.last?.lines ?? [] { notices.append((now, lines)) }
        if !displayStandsStill { wall.player.note(.presented, at: now) }
    }

    // MARK: shown frames

    /// Returns the numbers of the frames that a tile showed, in order.
    func numbers(_ tile: Int) -> [Int] { shown[tile].compactMap { $0.frame?.number } }

    /// Returns the longest time that a frame stayed, after the first.
    func longestHold(_ tile: Int) -> Time {
        let times = shown[tile].drop { $0.frame == nil }.map(\.at)
        return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
    }

    /// Counts frames that were not followed by the next one of a cycle of these clips.
    func slips(_ tile: Int, cycle: [String]) -> Int {
        let order = cycle.flatMap { name in (0..<clip(name).frames).map { FakeFrame(clip: name, number: $0) } }
        let seen = shown[tile].compactMap(\.frame)
        guard let first = seen.first, var place = order.firstIndex(of: first) else { return seen.count }
        var slips = 0
        for frame in seen.dropFirst() {
            place = (place + 1) % order.count
            if order[place] == frame { continue }
            slips += 1
            place = order.firstIndex(of: frame) ?? place
        }
        return slips
    }

    var dropped: Int { wall.health.reduce(0) { $0 + $1.health.dropped } }
}

extension Layout {
    /// Returns a layout of tiles in a grid, each with a sequence of clip names.
    static func of(_ sequences: [[String]], _ change: (inout TileLayout) -> Void = { _ in }) -> Layout {
        var layout = Layout(title: "test", tiles: [])
        layout.grid.columns = sequences.count
        for (index, names) in sequences.enumerated() {
            var tile = TileLayout(
                id: "tile\(index + 1)", place: .cell(column: index, row: 0, columns: 1, rows: 1),
                play: names.map { Item(source: $0) })
            change(&tile)
            layout.tiles.append(tile)
        }
        return layout
    }
}

/// Ids count tiles in the order in which they were added, at first that of the layout.
extension TileID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
extension FeedID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
extension GroupID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
extension SoundID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
