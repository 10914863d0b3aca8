@testable import Base
@testable import Commands
@testable import Decoded
@testable import Feeds
@testable import Layout
@testable import Opened
@testable import Player
@testable import Scene

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
    private(set) var windowCommands: [Change.WindowCommand] = []
    /// Orders to measure figures. Only the test answers them.
    private(set) var figureOrders: [FiguresOrder] = []
    private var posterOrders: [PosterOrder] = []
    var mostLeases = 0
    private(set) var openSources: Set<OpenSourceID> = []
    /// Location of each open source.
    private var locations: [OpenSourceID: String] = [:]
    /// Live clips that were to be opened while another connection to them was open.
    private(set) var openedTwice: [String] = []
    /// By source of a playlist: number of the frame that the connection begins with.
    var firstFrames: [OpenSourceID: Int] = [:]
    /// By clip: number of openings.
    private(set) var openRequests: [String: Int] = [:]
    func openRequestsUnderWay(_ clip: String) -> Int { opening.count { $0.order.terms.location == clip } }
    /// Time and location of each opening.
    private(set) var asked: [(at: Time, location: String)] = []
    /// By clip: number of frames that were decoded after a run's first.
    var decoded: [String: Int] = [:]
    /// Number of cores that the decoders share; nil if each has its own.
    var cores: Int?
    /// Time to open a decoder. A pipeline that goes on with the same clip keeps its decoder.
    var decoderOpensIn = Time.milliseconds(10)
    /// True to have frames decided on with the delivery of the frame before, as pipelines do.
    var decidesAhead = false
    /// Number of calls of the wall to decide on a frame or to deliver one.
    var frameCalls = 0
    /// Number of delivered frames.
    var delivered = 0
    /// Number of frames that were scaled before the wall refused them.
    var refused = 0

    /// Two blended frames of a fade.
    struct Faded: Equatable {
        let at: Time
        let from: FakeFrame
        let to: FakeFrame
        let weight: Int
    }

    private var opening: [(at: Time, order: OpenOrder)] = []
    var pipelines: [Pipeline]
    private var screenAt: Time?
    /// True while the display takes no scene.
    var displayStandsStill = false

    struct Pipeline {
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
        /// Decision by which the frame before of a live clip was delivered; nil if there is none.
        var delivered: FrameDecision?
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

    mutating func command(_ command: Change) {
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

    mutating func settle() {
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

    func clip(_ location: String) -> FakeClip {
        clips[location] ?? FakeClip(frames: 0, trouble: SourceTrouble(.missing, "no such file"))
    }

    private mutating func finishOpening(_ order: OpenOrder) {
        let clip = clip(order.terms.location)
        if let trouble = clip.trouble ?? clip.facts.refusal {
            return wall.player.note(.opening(.failure(trouble), ticket: order.ticket), at: now)
        }
        // Opened once for each ticket.
        let source = OpenSourceID(number: order.ticket)
        openSources.insert(source)
        locations[source] = order.terms.location
        let plan = wall.stillPlan(order, natural: clip.natural)
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
        let stillness: Stillness = !wall.watchesStillness(order) ? .unknown : isFrozen ? .same : .moved
        let opened = OpenedSource(source, facts, frame: frame, stillness: stillness)
        wall.player.note(.opening(.success(opened), ticket: order.ticket), at: now)
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
            let isDimmed = view.marks.isDimmed
            if isDimmed != dims[tile]?.last?.isThere ?? false { dims[tile, default: []].append((now, isDimmed)) }
            let texts = view.marks.reasons.map(\.text)
            if texts != reasons[tile]?.last?.texts ?? [] { reasons[tile, default: []].append((now, texts)) }
            let spins = view.marks.spinner != nil
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
        let lines = scene.overlay.info
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
