import Base
import Expectations
import Foundation
import Layout
import Opened
import TestKit
import Testing
import Threads

@testable import Engine
@testable import Media
@testable import Player

/// The way of an open source from the thread that opens it to the wall.
@Suite struct OpeningTests {
    private static let patience: Int64 = 10_000_000_000

    private func layout(_ source: String) throws -> Layout {
        let text = "{\"tiles\": [{\"play\": \"\(source)\"}]}"
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "/wall.json") else {
            throw CancellationError()
        }
        return layout
    }

    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? ""
    }

    /// Holds the conductor up in a callback that it calls with nothing locked. Any thread may call any method.
    private final class Obstacle: Sendable {
        private let state = Locked(State())
        private let condition = WakeCondition()

        private struct State {
            var isReached = false
            var isRemoved = false
            /// Threads that have changed the wall since the conductor was held up.
            var changers: Set<String> = []
        }

        var changers: Set<String> { state.locked(\.changers) }

        func noteChange() {
            guard OpeningTests.threadName == "conductor" else {
                state.locked { if $0.isReached { $0.changers.insert(OpeningTests.threadName) } }
                return condition.wake()
            }
            state.locked { $0.isReached = true }
            condition.wake()
            state.wait(on: condition) { $0.isRemoved ? .done(()) : .again(deadline: nil) }
        }

        func waitForTheConductor() {
            state.wait(on: condition) { $0.isReached ? .done(()) : .again(deadline: nil) }
        }

        /// Waits until these threads have changed the wall. A thread that was preempted reports its change late. Returns
        /// false at `deadline`.
        func waitForChangers(_ names: Set<String>, until deadline: Int64) -> Bool {
            state.wait(on: condition) {
                if $0.changers.isSuperset(of: names) { return .done(true) }
                return monotonicNanoseconds() < deadline ? .again(deadline: deadline) : .done(false)
            }
        }

        func remove() {
            state.locked { $0.isRemoved = true }
            condition.wake()
        }
    }

    @Test func aSourceIsOpenedAndDecodedWithoutTheConductor() throws {
        let film = try Witness(1).with { $0.frames = 30 }.file()
        let wall = try WallThreads(
            layout: try layout("/missing.mp4"), pipelines: 1, cores: nil, start: Clock.Start(), formats: .all,
            record: { _ in })
        let obstacle = Obstacle()
        wall.runner.listen { $0.change = { obstacle.noteChange() } }
        wall.runner.post { _, _ in }
        obstacle.waitForTheConductor()
        wall.apply(try layout(film), pipelines: 1, cores: nil, because: .command)
        let isDecoded = wall.runner.wait(until: monotonicNanoseconds() + Self.patience) { wall, _ in
            wall.player.tileFeeds.transport.feeds.contains { $0.slots.contains { !$0.frames.isEmpty } } ? true : nil
        }
        expect(isDecoded, equals: true)
        expect(
            obstacle.waitForChangers(["open", "pipeline 0"], until: monotonicNanoseconds() + Self.patience),
            "\(obstacle.changers)")
        obstacle.remove()
        expect(wall.stop(), equals: [])
    }

    /// A reference that does not keep its source open.
    private final class Opened: @unchecked Sendable { weak var source: Source? }

    @Test(arguments: [true, false]) func aSourceThatIsOpenedAfterTheEndIsClosedByItsOpener(_ hasEnded: Bool) throws {
        let film = try Witness(1).with { $0.frames = 30 }.file()
        let runner = LockedWall(
            Wall(layout: try layout(film), pipelines: 1), pipelines: 1, time: .live, record: { _ in })
        let openers = Openers(pool: FrameBufferPool())
        if hasEnded { runner.stop() }
        let opened = Opened(), isTaken = Locked<Bool?>(nil), answered = WakeCondition()
        let refusal = openers.open(OpenTerms(film)) { _ in
            fatalError("a film has no plan for a still image")
        } answer: { answer in
            let isKept = runner.answer { _, _ in
                if let source = try? answer.get().source {
                    runner.sources.locked { $0[OpenSourceID(number: 1)] = source }
                }
            }
            opened.source = try? answer.get().source
            isTaken.locked { $0 = isKept }
            answered.wake()
            return isKept
        }
        expect(refusal == nil)
        let isKept = isTaken.wait(on: answered) { $0.map { .done($0) } ?? .again(deadline: nil) }
        expect(isKept, equals: !hasEnded)
        expect(openers.stop(by: monotonicNanoseconds() + Self.patience), equals: [])
        expect((opened.source == nil) == hasEnded)
        withExtendedLifetime(runner) {}
    }
}
