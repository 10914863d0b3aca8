import Base
import Expectations
import Glibc
import Synchronization
import Testing
import Threads

@testable import Engine

@Suite struct DecodeSchedulerTests {
    /// A queue that can be called within an expectation.
    private final class Line {
        private var queue: DecodeScheduler.Queue
        init(_ places: Int) { queue = DecodeScheduler.Queue(pipelines: 6, places: places) }
        func admits(_ pipeline: Int, due: Time, at now: Int64 = 0) -> Bool { queue.admits(pipeline, due: due, at: now) }
        func goOn(_ pipeline: Int, due: Time, at now: Int64 = 0) -> DecodeScheduler.Queue.Answer {
            queue.goOn(pipeline, due: due, at: now)
        }
        func leave(_ pipeline: Int, at now: Int64 = 0) -> Int? { queue.leave(pipeline, at: now) }
    }

    @Test func asManyThreadsAsPlacesAreInsideAndTheOthersWait() {
        let line = Line(2)
        expect(line.admits(0, due: .seconds(1)))
        expect(line.admits(1, due: .seconds(2)))
        expect(!line.admits(2, due: .zero))
    }

    @Test func whoLeavesLetsTheMostUrgentIn() {
        let line = Line(1)
        expect(line.admits(0, due: .zero))
        for (pipeline, due) in [(1, 30), (2, 10), (3, 20)] {
            expect(!line.admits(pipeline, due: .milliseconds(Int64(due))))
        }
        expect(line.leave(0), equals: 2)
        // Pipeline 2 is inside, although its thread has not been woken yet.
        expect(!line.admits(4, due: .zero))
        expect(line.admits(2, due: .milliseconds(10)))
        expect(line.leave(2), equals: 4)
        expect(line.leave(4), equals: 3)
        expect(line.leave(3), equals: 1)
        expect(line.leave(1), equals: nil)
    }

    @Test func whoIsInsideStaysUntilAnotherIsMuchMoreUrgent() {
        let line = Line(1)
        expect(line.admits(0, due: .zero))
        expect(!line.admits(1, due: .milliseconds(100)))
        expect(line.goOn(0, due: .milliseconds(110)), equals: .stays)
        expect(line.goOn(0, due: .milliseconds(140)), equals: .leaves(next: 1))
        expect(!line.admits(0, due: .milliseconds(140)))
    }

    @Test func whoStandsInTheKernelDoesNotCount() {
        let line = Line(1)
        expect(line.admits(0, due: .zero))
        expect(!line.admits(1, due: .zero, at: DecodeScheduler.Queue.patience - 1))
        expect(line.admits(1, due: .zero, at: DecodeScheduler.Queue.patience))
    }

    @Test func whoComesBackFromTheKernelIsOneTooManyOnlyUntilSomebodyLeaves() {
        let line = Line(1)
        expect(line.admits(0, due: .zero))
        expect(line.admits(1, due: .zero, at: DecodeScheduler.Queue.patience))
        expect(line.goOn(0, due: .zero, at: DecodeScheduler.Queue.patience), equals: .stays)
        expect(!line.admits(2, due: .zero, at: DecodeScheduler.Queue.patience))
        expect(line.leave(0, at: DecodeScheduler.Queue.patience), equals: nil)
        expect(line.leave(1, at: DecodeScheduler.Queue.patience), equals: 2)
    }

    @Test func aCrowdOfThreadsPassesAndNeverMoreThanThePlaces() throws {
        let crowd = Crowd(places: 2, threads: 12)
        try crowd.pass(times: 50)
        expect(crowd.passed.load(ordering: .relaxed), equals: 12 * 50)
        // Both places are used.
        expect(crowd.most.load(ordering: .relaxed), atLeast: 2)
        // A thread that the system delays inside for longer than the queue's patience does not count there.
        let (looks, over) = (crowd.looks.load(ordering: .relaxed), crowd.over.load(ordering: .relaxed))
        expect(looks, equals: 12 * 50 * 2)
        expect(over, atMost: looks / 50, "\(over) of \(looks) looks found more than 2 inside")
    }

    /// Threads that enter and leave with different deadlines, stay for half a millisecond, and count the threads
    /// inside.
    private final class Crowd: Sendable {
        let inside = Atomic(0), most = Atomic(0), passed = Atomic(0), looks = Atomic(0), over = Atomic(0)
        private let places: Int
        private let scheduler: DecodeScheduler
        private let threads: Int

        init(places: Int, threads: Int) {
            (self.places, self.threads) = (places, threads)
            scheduler = DecodeScheduler(pipelines: threads, places: places)
        }

        func pass(times: Int) throws {
            let workers = try (0..<threads).map { number in
                try Worker("visitor \(number)") { [self] in
                    for time in 0..<times {
                        scheduler.enter(number, due: .milliseconds(Int64((time * 7 + number * 13) % 100)))
                        look()
                        scheduler.goOn(number, due: .milliseconds(Int64(time % 200)))
                        look()
                        scheduler.leave(number)
                        passed.add(1, ordering: .relaxed)
                    }
                }
            }
            for worker in workers { _ = worker.join(within: 30_000_000_000) }
        }

        /// Stays inside until the next call of the scheduler. The duration stands for the work of a decoder.
        private func look() {
            let now = inside.add(1, ordering: .relaxed).newValue
            usleep(500)
            most.max(now, ordering: .relaxed)
            looks.add(1, ordering: .relaxed)
            if now > places { over.add(1, ordering: .relaxed) }
            inside.subtract(1, ordering: .relaxed)
        }
    }
}
