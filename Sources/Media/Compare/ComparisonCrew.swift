import Base
import Glibc
import Measurement
import Threads

/// The threads that compare frames, one pair each. There are as many as cores, at most `mostWorkers`.
///
/// `add`, `finish` and `stop` belong to one thread; any thread may call `wake`.
final class ComparisonCrew: Sendable {
    private let state: Locked<State>
    private let wakeCondition = WakeCondition()
    private let workers: [Worker]

    struct Job {
        /// Index of the film among the others, and of the frame in the reference.
        let film: Int
        let frame: Int
        let reference: CodecFrame
        let other: CodecFrame
    }

    private struct State {
        var jobs: [Job] = []
        var working = 0
        var films: [MeasuredFilm]
        var worst: [WorstFrames<FramePair>]
        var trouble: (film: Int, SourceTrouble)?
        var isStopping = false

        func end(_ isEndRequested: () -> Bool) -> End? {
            if isEndRequested() { return .interrupted }
            return trouble.map { .failed(film: $0.film, $0.1) }
        }
    }

    /// Reason for an early end.
    enum End {
        case failed(film: Int, SourceTrouble)
        case interrupted
    }

    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    private static let mostWorkers = 16

    init(
        _ films: [MeasuredFilm], _ colours: FilmComparison.Colours, keepingWorst count: Int
    ) throws(NoThread) {
        let worst = films.map { _ in WorstFrames<FramePair>(most: count) }
        let state = Locked(State(films: films, worst: worst)), wakeCondition = wakeCondition
        self.state = state
        var workers: [Worker] = []
        while workers.count < min(Self.cores, Self.mostWorkers) {
            do throws(NoThread) {
                workers.append(
                    try Worker("compare") {
                        ComparisonCrew.work(state, wakeCondition, films.count, colours, count > 0)
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
        _ state: Locked<State>, _ wakeCondition: WakeCondition, _ films: Int, _ colours: FilmComparison.Colours,
        _ keepsWorst: Bool
    ) {
        let references = FrameConverter()
        let others = (0..<films).map { _ in FrameConverter() }
        while true {
            let job = state.wait(on: wakeCondition) { state -> Wait<Job?> in
                if state.isStopping { return .done(nil) }
                if state.jobs.isEmpty { return .again(deadline: nil) }
                state.working += 1
                return .done(state.jobs.removeFirst())
            }
            guard let job else { return }
            wakeCondition.wake()
            let result: Result<(FrameFigures, FramePair), SourceTrouble>
            do throws(SourceTrouble) {
                let shape = FrameShape(of: job.reference).comparable(in: colours)
                let pair = FramePair(
                    reference: try references.codecFrame(job.reference, as: shape),
                    other: try others[job.film].codecFrame(
                        job.other, as: shape, oriented: job.other.orientation(toMatch: job.reference)))
                result = .success((pair.figures(), pair))
            } catch {
                result = .failure(error)
            }
            state.locked { state in
                state.working -= 1
                switch result {
                case .success(let (figures, pair)):
                    state.films[job.film][job.frame] = figures
                    if keepsWorst {
                        let time = state.films[job.film].rows[job.frame].time
                        state.worst[job.film].take(pair, number: job.frame, at: time, figures)
                    }
                case .failure(let trouble): state.trouble = state.trouble ?? (job.film, trouble)
                }
            }
            wakeCondition.wake()
        }
    }

    /// Adds a row for the next frame of the reference.
    func addRow(at time: Time) {
        state.locked { state in for film in state.films.indices { state.films[film].addRow(at: time) } }
    }

    /// Queues a job, after waiting while the queue is full. Returns nil if the job was queued.
    func add(_ job: Job, _ isEndRequested: () -> Bool) -> End? {
        let most = workers.count
        let end = state.wait(on: wakeCondition) { state -> Wait<End?> in
            if let end = state.end(isEndRequested) { return .done(end) }
            guard state.jobs.count < most else { return .again(deadline: nil) }
            state.jobs.append(job)
            return .done(nil)
        }
        wakeCondition.wake()
        return end
    }

    /// Waits until all jobs are done. Returns nil then, else the reason for an early end.
    func finish(_ isEndRequested: () -> Bool) -> End? {
        state.wait(on: wakeCondition) { state -> Wait<End?> in
            if let end = state.end(isEndRequested) { return .done(end) }
            return state.jobs.isEmpty && state.working == 0 ? .done(nil) : .again(deadline: nil)
        }
    }

    /// Results so far.
    var measured: FilmComparison.Measured {
        state.locked { FilmComparison.Measured(films: $0.films, worst: $0.worst) }
    }

    func wake() { wakeCondition.wake() }

    func stop() {
        state.locked { $0.isStopping = true }
        wakeCondition.wake()
        for worker in workers { _ = worker.join() }
    }
}
