import Base
import Expectations
import Glibc
import Testing
import Threads

@testable import Files

/// A watch of files in a folder of its own. It also watches another file as a mark: a change made before that file's
/// change, and not reported before it, will not be reported at all.
final class WatchBench {
    let folder: String
    private let watch: FileWatch
    private let reported = Locked([Reported]())
    private let wakeCondition = WakeCondition()
    private var files: [WatchedFile] = []
    private var turn = 0
    private var lastStep = monotonicNanoseconds()
    private var wasHeldUp = false

    struct Reported: Equatable {
        var path: String
        var identity: FileIdentity
    }

    static let quiet: Int64 = 60_000_000
    static let never: Int64 = 3_600_000_000_000

    init(_ folder: String, _ manner: Mailbox<WatchRequests>.Manner = .withPipe, lookInterval: Int64 = never) throws {
        self.folder = folder
        let (reported, wakeCondition) = (reported, wakeCondition)
        watch = try FileWatch(events: manner, lookInterval: lookInterval) { path, identity in
            reported.locked { $0.append(Reported(path: path, identity: identity)) }
            wakeCondition.wake()
        }
    }

    func stop() { expect(watch.stop(within: 5_000_000_000), equals: []) }

    /// Returns when the watch has begun: later changes are found by events alone.
    func watch(_ paths: [String]) throws {
        files = paths.map { path in
            WatchedFile(
                path, quiet: WatchBench.quiet,
                known: FileIdentity(path: path).map(WatchedFile.Known.file) ?? .absent)
        }
        files.append(WatchedFile(other, quiet: WatchBench.quiet * 3 / 2, known: .absent))
        unlink(other)
        watch.watch(files)
        try expect(takeAll(), equals: [])
    }

    func ignore(_ identity: FileIdentity) { watch.ignore(identity) }

    /// Called between the parts of what a test does in one go. If the machine delayed it for so long that the files
    /// were quiet in between, each part may have been reported.
    func step() {
        let now = monotonicNanoseconds()
        wasHeldUp = wasHeldUp || now - lastStep >= WatchBench.quiet
        lastStep = now
    }

    /// Writes in place: the file is truncated if it exists.
    func write(_ text: String, to path: String) {
        step()
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        step()
        append(text, to: file)
        close(file)
        step()
    }

    /// Paths reported for all changes so far. A path appears twice only if it was reported without need.
    func takeAll() throws -> [String] {
        turn += 1
        write("turn \(turn)", to: other)
        let identity = try #require(FileIdentity(path: other))
        let mark = Reported(path: other, identity: identity)
        let deadline = monotonicNanoseconds() + 10_000_000_000
        let taken = reported.wait(on: wakeCondition) { reported -> Wait<[Reported]?> in
            if let end = reported.firstIndex(of: mark) {
                defer { reported.removeSubrange(...end) }
                return .done(Array(reported[..<end]))
            }
            return monotonicNanoseconds() >= deadline ? .done(nil) : .again(deadline: deadline)
        }
        let others = try #require(taken, "nothing is told").filter { $0.path != other }
        let last = others.indices.filter { place in !others[(place + 1)...].contains { $0.path == others[place].path } }
        for place in last {
            let change = others[place]
            expect(FileIdentity(path: change.path), equals: change.identity, "\(change.path) has changed since")
        }
        defer { (wasHeldUp, lastStep) = (false, monotonicNanoseconds()) }
        return wasHeldUp ? last.map { others[$0].path } : others.map(\.path)
    }

    /// The first paths reported from now on.
    func takeFirst(_ count: Int) -> [String] {
        let deadline = monotonicNanoseconds() + 10_000_000_000
        return reported.wait(on: wakeCondition) { reported in
            if reported.count < count && monotonicNanoseconds() < deadline { return .again(deadline: deadline) }
            defer { reported.removeFirst(min(count, reported.count)) }
            return .done(reported.prefix(count).map(\.path))
        }
    }

    private var other: String { "\(folder)/.other" }
}

func withWatch(
    _ manner: Mailbox<WatchRequests>.Manner = .withPipe, lookInterval: Int64 = WatchBench.never,
    _ body: (WatchBench, String) throws -> Void
) throws {
    try withFolder { folder in
        let bench = try WatchBench(folder, manner, lookInterval: lookInterval)
        defer { bench.stop() }
        try body(bench, folder)
    }
}
