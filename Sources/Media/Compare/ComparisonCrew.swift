import Base
import Measurement
import Threads

/// Compares frames, one pair each on a thread. There are as many threads as cores, at most `mostThreads`.
///
/// `add`, `finish` and `stop` belong to one thread.
final class ComparisonCrew: Sendable {
    private let state: Locked<State>
    private let tasks: TaskQueue
    private let colours: FilmComparison.Colours
    private let keepsWorst: Bool
    private let isEndRequested: @Sendable () -> Bool

    /// A comparison of frames of one film, by its index among the others.
    struct Task {
        let film: Int
        let work: Work

        enum Work {
            /// Figures of the frame of the reference with this number.
            case figures(frame: Int, FramePair)
            /// Errors of a frame of the reference with frames of the film around its partner.
            case shifts(CodecFrame, others: [CodecFrame])
        }
    }

    private struct State {
        var films: [MeasuredFilm]
        var worst: [WorstFrames<FramePair>]
        var trouble: (film: Int, SourceTrouble)?
        var isStopping = false
        /// Converters that no thread uses, by their film.
        var idle: [Int: [PairConverter]] = [:]
    }

    private static let mostThreads = 16

    init(
        _ films: [MeasuredFilm], _ colours: FilmComparison.Colours, keepingWorst count: Int,
        isEndRequested: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        let worst = films.map { _ in WorstFrames<FramePair>(most: count) }
        let threads = min(coreCount, Self.mostThreads)
        state = Locked(State(films: films, worst: worst))
        tasks = TaskQueue("compare", .usual, threads: threads, most: threads)
        (self.colours, keepsWorst, self.isEndRequested) = (colours, count > 0, isEndRequested)
        try tasks.start()
    }

    private func compare(_ task: Task) {
        let idle = state.locked { state in
            state.isStopping || state.trouble != nil ? nil : state.idle[task.film]?.popLast() ?? PairConverter()
        }
        guard !isEndRequested(), let converter = idle else { return }
        func alike(_ reference: CodecFrame, _ other: CodecFrame) throws(SourceTrouble) -> FramePair {
            try converter.pair(reference, other, as: FrameShape(of: reference).comparable(in: colours))
        }
        do throws(SourceTrouble) {
            switch task.work {
            case .figures(let frame, let given):
                let pair = try alike(given.reference, given.other), figures = pair.figures()
                state.locked { state in
                    state.films[task.film][frame] = figures
                    guard keepsWorst else { return }
                    let time = state.films[task.film].rows[frame].time
                    state.worst[task.film].take(pair, at: time, psnr: figures[.psnrAverage])
                }
            case .shifts(let reference, let shifted):
                var errors: [Double] = []
                for other in shifted { errors.append(try alike(reference, other).error()) }
                state.locked { $0.films[task.film].fit.take(errors) }
            }
        } catch {
            state.locked { $0.trouble = $0.trouble ?? (task.film, error) }
        }
        state.locked { $0.idle[task.film, default: []].append(converter) }
    }

    /// Adds a row for the next frame of the reference.
    func addRow(at time: Time) {
        state.locked { state in for film in state.films.indices { state.films[film].addRow(at: time) } }
    }

    /// Queues a task, after waiting while the queue is full.
    func add(_ task: Task) throws(FilmComparison.Stop) {
        if let reasonToStop { throw reasonToStop }
        tasks.add { [self] in compare(task) }
    }

    /// Waits until all tasks are done. No task may be added afterwards.
    func finish() throws(FilmComparison.Stop) {
        _ = tasks.stop(within: .max)
        if let reasonToStop { throw reasonToStop }
    }

    /// Reason to end the comparison before its end; nil if there is none.
    private var reasonToStop: FilmComparison.Stop? {
        if isEndRequested() { return .interrupted }
        return state.locked { state in state.trouble.map { .failed(name: state.films[$0.film].source, $0.1) } }
    }

    /// Results so far.
    var measured: FilmComparison.Measured {
        state.locked { FilmComparison.Measured(films: $0.films, worst: $0.worst) }
    }

    /// Ends the threads. Tasks that no thread has begun are left out.
    func stop() {
        state.locked { $0.isStopping = true }
        _ = tasks.stop(within: .max)
    }
}
