import Base
import Glibc
import Measurement
import Threads

/// The threads that compare frames, one pair each. There are as many as cores, at most `mostWorkers`.
///
/// `add`, `finish` and `stop` belong to one thread; any thread may call `wake`.
final class ComparisonCrew: Sendable {
    private let state: Locked<State>
    private let workers: [Worker]

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
        var jobs: [Task] = []
        var working = 0
        var films: [MeasuredFilm]
        var worst: [WorstFrames<FramePair>]
        var trouble: (film: Int, SourceTrouble)?
        var isStopping = false

        func stop(_ isEndRequested: () -> Bool) -> FilmComparison.Stop? {
            if isEndRequested() { return .interrupted }
            return trouble.map { .failed(name: films[$0.film].source, $0.1) }
        }
    }

    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    private static let mostWorkers = 16

    init(_ films: [MeasuredFilm], _ colours: FilmComparison.Colours, keepingWorst count: Int) throws(NoThread) {
        let worst = films.map { _ in WorstFrames<FramePair>(most: count) }
        let state = Locked(State(films: films, worst: worst))
        self.state = state
        var workers: [Worker] = []
        while workers.count < min(Self.cores, Self.mostWorkers) {
            do throws(NoThread) {
                workers.append(
                    try Worker("compare") {
                        ComparisonCrew.work(state, films.count, colours, count > 0)
                    })
            } catch {
                // Fewer threads do the same work, only slower.
                if workers.isEmpty { throw error }
                break
            }
        }
        self.workers = workers
    }

    private static func work(
        _ state: Locked<State>, _ films: Int, _ colours: FilmComparison.Colours, _ keepsWorst: Bool
    ) {
        let references = FrameConverter()
        let others = (0..<films).map { _ in FrameConverter() }
        while true {
            let task = state.wait { state -> Wait<Task?> in
                if state.isStopping { return .done(nil) }
                if state.jobs.isEmpty { return .again(deadline: nil) }
                state.working += 1
                return .done(state.jobs.removeFirst())
            }
            guard let task else { return }
            state.wake()
            /// Returns the frames in one shape.
            func alike(_ reference: CodecFrame, _ other: CodecFrame, _ film: Int) throws(SourceTrouble) -> FramePair {
                let shape = FrameShape(of: reference).comparable(in: colours)
                return FramePair(
                    reference: try references.codecFrame(reference, as: shape),
                    other: try others[film].codecFrame(
                        other, as: shape, oriented: other.orientation(toMatch: reference)))
            }
            do throws(SourceTrouble) {
                switch task.work {
                case .figures(let frame, let given):
                    let pair = try alike(given.reference, given.other, task.film), figures = pair.figures()
                    state.locked { state in
                        state.films[task.film][frame] = figures
                        guard keepsWorst else { return }
                        let time = state.films[task.film].rows[frame].time
                        state.worst[task.film].take(pair, at: time, psnr: figures[.psnrAverage])
                    }
                case .shifts(let reference, let shifted):
                    var errors: [Double] = []
                    for other in shifted { errors.append(try alike(reference, other, task.film).error()) }
                    state.locked { $0.films[task.film].fit.take(errors) }
                }
            } catch {
                state.locked { $0.trouble = $0.trouble ?? (task.film, error) }
            }
            state.change { $0.working -= 1 }
        }
    }

    /// Adds a row for the next frame of the reference.
    func addRow(at time: Time) {
        state.locked { state in for film in state.films.indices { state.films[film].addRow(at: time) } }
    }

    /// Queues a task, after waiting while the queue is full.
    func add(_ task: Task, _ isEndRequested: () -> Bool) throws(FilmComparison.Stop) {
        let most = workers.count
        let stop = state.wait { state -> Wait<FilmComparison.Stop?> in
            if let stop = state.stop(isEndRequested) { return .done(stop) }
            guard state.jobs.count < most else { return .again(deadline: nil) }
            state.jobs.append(task)
            return .done(nil)
        }
        state.wake()
        if let stop { throw stop }
    }

    /// Waits until all jobs are done.
    func finish(_ isEndRequested: () -> Bool) throws(FilmComparison.Stop) {
        let stop = state.wait { state -> Wait<FilmComparison.Stop?> in
            if let stop = state.stop(isEndRequested) { return .done(stop) }
            return state.jobs.isEmpty && state.working == 0 ? .done(nil) : .again(deadline: nil)
        }
        if let stop { throw stop }
    }

    /// Results so far.
    var measured: FilmComparison.Measured {
        state.locked { FilmComparison.Measured(films: $0.films, worst: $0.worst) }
    }

    func wake() { state.wake() }

    func stop() {
        state.change { $0.isStopping = true }
        for worker in workers { _ = worker.join() }
    }
}
