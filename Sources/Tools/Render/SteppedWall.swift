import Base
import Commands
import Console
import Control
import Engine
import Feeds
import Glibc
import Layout
import Player
import Scene
import Screen
import Threads

/// A wall without a display. Its clock moves only in steps. Each step waits until everything that is due is decoded and
/// painted.
///
/// Used by one thread, which may wait for sources; only `wake` and `change` may be called by any thread.
final class SteppedWall: Sendable {
    private let wall: WallThreads
    private let router: CommandRouter
    let texts: TextMaker
    let isEndRequested: @Sendable () -> Bool

    /// Wall time before the first step. Any time does.
    static let beginning = Time.seconds(1)
    /// Longest time that a source may send nothing, in nanoseconds. The deadlines of sources are no longer than this.
    private static let patience: Int64 = 10_000_000_000
    /// Longest time that an interrupted source may take to fail.
    private static let grace: Int64 = 2_000_000_000
    /// Longest wait for the frames of one step, however many packets arrive: a film without an index is decoded from
    /// its beginning.
    private static let longest: Int64 = 600_000_000_000
    private static let textLimit: Int64 = 30_000_000_000
    private static let mostPaints = 4

    init(
        layout: Layout, pipelines: Int, start: Clock.Start, texts: TextMaker,
        record: @escaping @Sendable ([Event]) -> Void, isEndRequested: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        (self.texts, self.isEndRequested) = (texts, isEndRequested)
        wall = try WallThreads(
            layout: layout, pipelines: pipelines, cores: nil, start: start, formats: .all,
            time: .stepped(Self.beginning), record: record)
        router = CommandRouter(wall.runner, RenderedProgram())
    }

    /// Starts the clocks, which wait for the first frame of each tile.
    func begin(on target: RenderTarget) throws(Failure) {
        change { wall, now in wall.note(.began, at: now) }
        let begun = monotonicNanoseconds() + Self.patience
        while !change({ wall, now in wall.snapshot(at: now).hasBegun }) {
            try settle()
            show(on: target)
            // Everything is decoded and shown: only a change can start the clocks.
            let pause = min(begun, monotonicNanoseconds() + 20_000_000)
            _ = wall.runner.wait(until: pause) { wall, now in
                wall.snapshot(at: now).hasBegun ? true : nil
            }
            if monotonicNanoseconds() >= begun {
                let waiting = change { wall, now in wall.snapshot(at: now).waitingTiles }
                throw Self.stuck(waiting, Self.patience)
            }
        }
    }

    /// Sets the clock to `time`, and paints what is due then.
    func step(to time: Time, on target: RenderTarget) throws(Failure) {
        wall.runner.step(to: time)
        // Runs the commands of breaks, as the main thread of a wall in a window does. The others concern a window.
        for case .run(let command, let cause) in wall.runner.takeWindowCommands() {
            router.run(command, because: cause)
        }
        try settle()
        show(on: target)
    }

    /// Runs `body` on the wall at this instant, then carries out the effects.
    @discardableResult
    func change<Result>(_ body: (inout Wall, Time) -> Result) -> Result { wall.runner.change(body) }

    /// Replaces the playing layout.
    @discardableResult
    func apply(_ layout: Layout, pipelines: Int) -> LayoutDiff {
        wall.apply(layout, pipelines: pipelines, cores: nil, because: .command)
    }

    /// Wakes a waiting step, which then checks whether the program is to end.
    func wake() { wall.runner.wakeWaiting() }

    /// Returns the names of the threads that did not end in time.
    func stop() -> [String] { wall.stop() }

    private func show(on target: RenderTarget) {
        let scene = change { wall, now in
            let due = wall.advance(at: now)
            var scene = wall.scene(of: due, at: now)
            wall.announceItems(in: &scene, at: now)
            return scene
        }
        target.paint(scene)
        // Texts that were just read may need more: lyrics, for example, need their lines drawn.
        for _ in 0..<Self.mostPaints where texts.isBusy {
            _ = texts.settle(within: Self.textLimit)
            target.paint(scene)
        }
        change { wall, now in wall.note(.presented, at: now) }
    }

    /// Frames of these tiles were not ready within `limit` nanoseconds.
    private static func stuck(_ tiles: [String], _ limit: Int64) -> Failure {
        Failure("no frames arrived for \(limit / 1_000_000_000) s: \(tiles.joined(separator: ", "))")
    }

    private enum Rest { case settled, asked }

    /// Waits until all that is due is decoded, and all sources that were requested have answered. The clock is faster or
    /// slower than the machine's, so no source is judged by it. A source that does not answer in real time is not
    /// awaited any longer if nothing of it is due.
    private func settle() throws(Failure) {
        let end = monotonicNanoseconds() + Self.longest
        var heard: Int?
        var wasInterrupted = false
        while true {
            let limit = heard == nil ? 0 : wasInterrupted ? Self.grace : Self.patience
            let rest = wall.runner.wait(until: min(end, monotonicNanoseconds() + limit)) { wall, now -> Rest? in
                if isEndRequested() { return .asked }
                let report = wall.snapshot(at: now)
                return report.isSettled() && (wasInterrupted || !report.isOpening) ? .settled : nil
            }
            if rest == .settled { return }
            if rest == .asked { throw .interrupted }
            let (tiles, pipelines) = change { wall, now in wall.snapshot(at: now).unsettled() }
            if monotonicNanoseconds() >= end {
                throw Self.stuck(tiles, Self.longest)
            }
            let packets = wall.packets(of: pipelines)
            if packets == heard {
                if wasInterrupted { throw Self.stuck(tiles, Self.patience) }
                wall.interrupt(pipelines)
                wasInterrupted = true
            }
            heard = packets
        }
    }
}

/// Pixels in memory that scenes are painted on. Used by one thread.
public final class RenderTarget {
    public let raster: Raster
    private let painter: Painter

    /// nil if there is no memory for it.
    public init?(size: Size, texts: TextMaker?) {
        let stride = (size.width * 4 + 63) & ~63
        // libyuv may write a little beyond the end of a row.
        guard let memory = aligned_alloc(64, stride * size.height + 64) else { return nil }
        raster = Raster(base: memory.assumingMemoryBound(to: UInt8.self), stride: stride, size: size)
        painter = Painter(texts: texts)
    }

    deinit { free(raster.base) }

    public func paint(_ scene: Scene) {
        // The first scene is painted whole.
        _ = painter.paint(scene, into: raster, .changes)
    }
}

/// The program around a wall that is rendered, for the commands of its breaks. It has no window and no layout's file, and
/// ends when the film is whole.
struct RenderedProgram: ControlledProgram {
    var facts: ProgramFacts { ProgramFacts(version: "") }

    func carryOut(
        _ request: Change.ProgramRequest, of tile: TileID?, answer: @escaping CommandRouter.Answer
    ) {
        answer(.failure(.notSupported))
    }

    func press(_ press: KeyPress, within chain: KeyChain, answer: @escaping CommandRouter.Answer) {
        answer(.failure(.notSupported))
    }

    func commandFailed(_ cause: String, _ error: ControlError) {
        printLine("quadrille: \(cause): \(error.detail ?? error.word.rawValue)")
    }

    func dropFailed(_ source: String, _ error: ControlError) {}
    func quitRequested(status: Int) {}
    func message(_ words: [String]) {}
    func sourcesChanged() {}

    func items(of source: String, _ take: @escaping @Sendable (Result<[Item], ControlError>) -> Void) {
        take(.failure(.notSupported))
    }

    func file(called name: String, _ take: @escaping @Sendable (Result<String, ControlError>) -> Void) {
        take(.failure(.notSupported))
    }
}
