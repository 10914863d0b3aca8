import Base
import Console
import Engine
import Glibc
import Media
import Threads

/// Tasks on clips, run as many at once as there are cores, with a progress bar.
struct ClipTasks {
    /// Media time that each task has read, and whether the program is to end.
    private let progress: AlignProgress
    private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// `lengths`: media time that each task will read.
    init(lengths: [Time], isEndRequested: @escaping @Sendable () -> Bool) {
        progress = AlignProgress(lengths: lengths, isEndRequested: isEndRequested)
    }

    /// Returns the number of threads with which each task may decode.
    static func threads(for count: Int) -> Int { max(1, cores / max(1, min(count, cores))) }

    /// Runs `work` for each index. `reached` notes the progress of a task and returns whether to go on.
    func results<Value>(
        _ count: Int,
        _ work: @escaping @Sendable (Int, Deadline, _ reached: (Time) -> Bool) throws(SourceTrouble) -> Value
    ) -> [Result<Value, SourceTrouble>] {
        var bar = ProgressBar(total: progress.total, .seconds)
        var results: [Result<Value, SourceTrouble>] = []
        for start in stride(from: 0, to: count, by: Self.cores) {
            let tasks = (start..<min(start + Self.cores, count)).map { index in
                TimedTask { [progress] deadline throws(SourceTrouble) in
                    try work(index, deadline) { progress.note($0, of: index) }
                }
            }
            for task in tasks {
                do throws(SourceTrouble) {
                    results.append(.success(try task.value { bar.show(progress.done) }))
                } catch {
                    results.append(.failure(error))
                }
            }
        }
        bar.clear()
        return results
    }
}

/// Progress of tasks. Any thread may call any method.
final class AlignProgress: Sendable {
    /// Media time that all tasks read, in seconds.
    let total: Int64
    private let reached: Locked<[Time]>
    private let isEndRequested: @Sendable () -> Bool

    init(lengths: [Time], isEndRequested: @escaping @Sendable () -> Bool) {
        total = Self.seconds(lengths)
        reached = Locked(lengths.map { _ in .zero })
        self.isEndRequested = isEndRequested
    }

    var done: Int64 { min(total, Self.seconds(reached.locked { $0 })) }

    /// Notes how far a task has read. Returns true while its result is wanted.
    func note(_ time: Time, of index: Int) -> Bool {
        reached.locked { $0[index] = max(.zero, time) }
        return !isEndRequested()
    }

    private static func seconds(_ times: [Time]) -> Int64 { times.reduce(.zero, +).ticks / Time.ticksPerSecond }
}
