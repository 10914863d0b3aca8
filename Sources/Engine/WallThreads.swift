import Base
import Decoded
import Feeds
import Layout
import Media
import Opened
import Player
import Threads

/// A wall with its threads: pipelines, openers and the conductor. Started by `init`, ended by `stop`.
///
/// The screen is not part of a running wall: the main thread asks `runner` for scenes.
public final class WallThreads: Sendable {
    public let runner: LockedWall
    private let openers: Openers
    private let pipelines = Locked<[Pipeline]>([])
    /// Starts a pipeline with its thread.
    private let makePipeline: @Sendable (Int) throws(NoThread) -> Pipeline
    private let conductor: Worker
    /// Closes sources.
    private let closer = TaskQueue("close")
    private let orders: Orders

    /// Number of pipelines in use: fewer than requested if the system has no threads for more.
    public var pipelineCount: Int { runner.read { wall, _ in wall.pipelineLimit } }

    public init(
        layout: Layout, pipelines count: Int, cores: Double?, start: Clock.Start, formats: FrameFormats,
        time: WallClock = .live, record: @escaping @Sendable ([Event]) -> Void
    ) throws(NoThread) {
        let pool = FrameBufferPool()
        let openers = Openers(pool: pool)
        let runner = LockedWall(
            Wall(layout: layout, pipelines: count, cores: cores, drive: time.drive, start: start),
            pipelines: count, time: time, record: record)
        (self.runner, self.openers, orders) = (runner, openers, Orders(runner: runner, openers: openers))
        runner.listen { [orders] in $0.orders = { orders.carryOut($0) } }
        // A layout that is loaded later may need more pipelines.
        let scheduler = DecodeScheduler(pipelines: max(count, LockedWall.mostPipelines))
        conductor = try Worker("conductor") { [closer] in
            var last = Time.zero
            var spare = SpareMemory(pool: pool)
            while let sources = runner.nextDuty(after: last, wakingAt: spare.due) {
                openers.reap()
                last = Time.now
                guard sources.isEmpty else {
                    let close = { @Sendable in for source in sources { source.close() } }
                    if !closer.add(close) { close() }
                    continue
                }
                runner.change { wall, now in wall.update(at: now) }
                // After a slow update the conductor leaves the wall to other threads for as long as the update took.
                let now = Time.now
                last = now + (now - last)
                spare.giveBack()
            }
        }
        makePipeline = { index throws(NoThread) in
            try Pipeline(index, runner: runner, scheduler: scheduler, pool: pool, formats: formats)
        }
        let (there, trouble) = startPipelines(count)
        runner.note(.pipelines(there, cores: cores))
        if let trouble, pipelines.locked({ $0.isEmpty }) {
            runner.stop()
            _ = openers.stop(by: monotonicNanoseconds() + 1_000_000_000)
            _ = conductor.join()
            _ = closer.stop()
            runner.listen { $0 = LockedWall.Listeners() }
            throw trouble
        }
        runner.listen { [pipelines] in
            $0.interrupt = { indices in
                pipelines.locked { pipelines in for index in indices { pipelines[index].interruptWait() } }
            }
        }
        runner.change { wall, now in wall.update(at: now) }
    }

    /// Replaces the playing layout. Call it one at a time, from any thread that has not locked the wall.
    @discardableResult
    public func apply(
        _ layout: Layout, pipelines count: Int, cores: Double?, because cause: ItemBeginning
    ) -> LayoutDiff {
        let (there, _) = startPipelines(min(count, LockedWall.mostPipelines))
        return runner.change { wall, now in
            wall.apply(layout, pipelines: there, cores: cores, because: cause, at: now)
        }
    }

    /// Starts pipelines until there are `count`. Returns how many of them are there, and the error if there are fewer.
    private func startPipelines(_ count: Int) -> (Int, NoThread?) {
        pipelines.locked { pipelines in
            do throws(NoThread) {
                while pipelines.count < count { pipelines.append(try makePipeline(pipelines.count)) }
                return (count, nil)
            } catch { return (pipelines.count, error) }
        }
    }

    /// Number of packets read by these pipelines. Changes when data comes from their sources.
    public func packets(of indices: [Int]) -> Int {
        pipelines.locked { pipelines in indices.reduce(0) { $0 &+ pipelines[$1].packets } }
    }

    /// Makes these pipelines' reads fail, as if no more data came from their sources.
    public func interrupt(_ indices: [Int]) {
        pipelines.locked { pipelines in for index in indices { pipelines[index].interrupt() } }
    }

    /// Joins every thread. Returns the names of those that did not end in time. These still use memory, so end the
    /// process.
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        let deadline = monotonicNanoseconds() + limit
        func left() -> Int64 { max(0, deadline - monotonicNanoseconds()) }
        runner.stop()
        let pipelines = pipelines.locked { $0 }
        for pipeline in pipelines { pipeline.interrupt() }
        var missing = openers.stop(by: deadline)
        for worker in pipelines.map(\.worker) + [conductor] { missing += worker.join(within: left()) }
        missing += closer.stop(within: left())
        // Breaks the references between the wall, its sources and its openers.
        runner.listen { $0 = LockedWall.Listeners() }
        return missing + orders.figures.stop(within: left())
    }
}

/// Carries out the wall's orders for sources and figures, and hands the answers to the wall.
private struct Orders: Sendable {
    let runner: LockedWall
    let openers: Openers
    let figures = ShownFigures()
    private let stillness = ImageStillness()

    func carryOut(_ effects: Effects) {
        for order in effects.open { open(order) }
        for order in effects.posters { load(order) }
        if let order = effects.figures {
            figures.measure(order) { [runner] answers in runner.post { wall, now in wall.take(answers, at: now) } }
        }
    }

    /// Opens a source. The opener's thread adds the source to those that are open, under the number of the order's
    /// ticket, and hands it to the wall, in one change.
    private func open(_ order: OpenOrder) {
        let refusal = openers.open(order.terms) { [runner] natural in
            runner.read { wall, _ in wall.stillPlan(order, natural: natural) }
        } answer: { [runner, stillness] answer in
            var judgement = Stillness.unknown
            if let frame = try? answer.get().frame, runner.read({ wall, _ in wall.watchesStillness(order) }) {
                judgement = stillness.judge(frame, of: order.terms.location)
            }
            return runner.answer { [judgement] wall, now in
                let opened = answer.map { opened in
                    let id = OpenSourceID(number: order.ticket)
                    runner.sources.locked { $0[id] = opened.source }
                    return OpenedSource(id, opened.facts, frame: opened.frame, stillness: judgement)
                }
                wall.note(.opening(opened, ticket: order.ticket), at: now)
            }
        }
        // The refusal is posted. A change made here could request the next source, and its refusal would nest without
        // limit.
        if let refusal {
            runner.post { wall, now in wall.note(.opening(.failure(refusal), ticket: order.ticket), at: now) }
        }
    }

    /// Loads the poster image that the layout names. Its source is closed by the thread that opened it.
    private func load(_ order: PosterOrder) {
        let refusal = openers.open(OpenTerms(order.location, limit: order.limit)) { [runner] natural in
            runner.read { wall, _ in wall.stillPlan(natural: natural, turn: .none) }
        } answer: { [runner] answer in
            let poster = answer.flatMap { opened -> Result<Frame, SourceTrouble> in
                let trouble = SourceTrouble(.unsupported, "a poster must be an image")
                return opened.frame.map { .success($0) } ?? .failure(trouble)
            }
            _ = runner.answer { wall, now in wall.note(.poster(poster, for: order), at: now) }
            return false
        }
        if let refusal { runner.post { wall, now in wall.note(.poster(.failure(refusal), for: order), at: now) } }
    }
}

/// Compares each image that a server sends for a source with the ones before it. Any thread may call it. A call takes a
/// few milliseconds, and others wait meanwhile.
final class ImageStillness: Sendable {
    private let watches = Locked<[Key: StillnessWatch]>([:])

    private struct Key: Hashable {
        let source: String
        /// Tiles of other sizes fetch the source for themselves.
        let size: Size
    }

    /// Each holds the brightness of one image.
    private static let most = 64

    func judge(_ frame: Frame, of source: String) -> Stillness {
        watches.locked { watches in
            let key = Key(source: source, size: frame.size)
            if watches[key] == nil, watches.count >= Self.most { watches = [:] }
            let watch = watches[key] ?? StillnessWatch()
            watches[key] = watch
            return watch.judge(frame) == .same ? .same : .moved
        }
    }
}

/// Returns memory to the system that a wall does not need: unused frames and free heap. Used by the conductor.
///
/// Works also while the wall has no updates, for memory that is freed after the last update.
///
/// Memory counts as unneeded after 5 s. Memory that closed sources and decoders left is returned, too.
struct SpareMemory {
    let pool: FrameBufferPool
    var lookedAt = monotonicNanoseconds()

    /// Least time between two runs, in nanoseconds. Clips of one frame close thirty decoders a second, and a run takes
    /// some milliseconds.
    private static let between: Int64 = 5_000_000_000

    /// Time of the next run, on the monotonic clock.
    var due: Int64 { lookedAt + Self.between }

    /// Returns unneeded memory, if it is time.
    mutating func giveBack() {
        let now = monotonicNanoseconds()
        guard now >= due else { return }
        lookedAt = now
        pool.giveBackUnneeded()
        UnusedMemory.giveBack()
    }
}
