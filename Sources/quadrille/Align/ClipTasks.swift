import Glibc
import Media
import Threads
import WallCore

/// Errands in clips, as many at once as there are cores, with a bar that says how far they are.
struct ClipTasks {
    /// How much each has read; and whether the program is to end.
    private let progress: AlignProgress
    private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// `lengths`: how much each of the errands will read.
    init(lengths: [Time], isEndAsked: @escaping @Sendable () -> Bool) {
        progress = AlignProgress(lengths: lengths, isEndAsked: isEndAsked)
    }

    /// How many threads each may decode with.
    static func threads(for count: Int) -> Int { max(1, cores / max(1, min(count, cores))) }

    /// Does `work` for each index, with a function to say how far it is, which answers whether to go on.
    func results<Value>(
        _ count: Int,
        _ work: @escaping @Sendable (Int, Deadline, _ reached: (Time) -> Bool) throws(SourceTrouble) -> Value
    ) -> [Result<Value, SourceTrouble>] {
        var bar = ProgressBar(frames: max(1, progress.total), rate: FrameRate(1, 1))
        var results: [Result<Value, SourceTrouble>] = []
        for start in stride(from: 0, to: count, by: Self.cores) {
            let tasks = (start..<min(start + Self.cores, count)).map { index in
                TimedTask { [progress] deadline throws(SourceTrouble) in
                    try work(index, deadline) { progress.note($0, of: index) }
                }
            }
            for errand in tasks {
                do throws(SourceTrouble) {
                    results.append(.success(try errand.value { bar.show(progress.done) }))
                } catch {
                    results.append(.failure(error))
                }
            }
        }
        bar.clear()
        return results
    }
}

/// How far some errands are. Any thread may call any method.
final class AlignProgress: Sendable {
    /// In seconds of media.
    let total: Int64
    private let reached: Monitor<[Time]>
    private let isEndAsked: @Sendable () -> Bool

    init(lengths: [Time], isEndAsked: @escaping @Sendable () -> Bool) {
        total = Self.seconds(lengths)
        reached = Monitor(lengths.map { _ in .zero })
        self.isEndAsked = isEndAsked
    }

    var done: Int64 { min(total, Self.seconds(reached.locked { $0 })) }

    /// Answers whether it is still wanted.
    func note(_ time: Time, of index: Int) -> Bool {
        reached.locked { $0[index] = max(.zero, time) }
        return !isEndAsked()
    }

    private static func seconds(_ times: [Time]) -> Int64 { times.reduce(.zero, +).ticks / Time.ticksPerSecond }
}
