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

    enum Task {
        case figures(Job)
        case shifts(Shifts)
    }

    struct Job {
        /// Index of the film among the others, and of the frame in the reference.
        let film: Int
        let frame: Int
        let pair: FramePair

        init(film: Int, frame: Int, _ pair: FramePair) { (self.film, self.frame, self.pair) = (film, frame, pair) }
    }

    /// A frame of the reference, and frames of a film around its partner.
    struct Shifts {
        let film: Int
        let reference: CodecFrame
        let others: [CodecFrame]
    }

    private struct State {
        var jobs: [Task] = []
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
            let task = state.wait(on: wakeCondition) { state -> Wait<Task?> in
                if state.isStopping { return .done(nil) }
                if state.jobs.isEmpty { return .again(deadline: nil) }
                state.working += 1
                return .done(state.jobs.removeFirst())
            }
            guard let task else { return }
            wakeCondition.wake()
            /// Returns the frames in one shape.
            func alike(_ reference: CodecFrame, _ other: CodecFrame, _ film: Int) throws(SourceTrouble) -> FramePair {
                let shape = FrameShape(of: reference).comparable(in: colours)
                return FramePair(
                    reference: try references.codecFrame(reference, as: shape),
                    other: try others[film].codecFrame(
                        other, as: shape, oriented: other.orientation(toMatch: reference)))
            }
            let result: Result<Outcome, SourceTrouble>
            do throws(SourceTrouble) {
                switch task {
                case .figures(let job):
                    let pair = try alike(job.pair.reference, job.pair.other, job.film)
                    result = .success(.figures(pair.figures(), pair, job))
                case .shifts(let shifts):
                    var errors: [Double] = []
                    for other in shifts.others {
                        errors.append(try alike(shifts.reference, other, shifts.film).error())
                    }
                    result = .success(.errors(errors, shifts.film))
                }
            } catch {
                result = .failure(error)
            }
            state.locked { state in
                state.working -= 1
                switch result {
                case .success(.figures(let figures, let pair, let job)):
                    state.films[job.film][job.frame] = figures
                    if keepsWorst {
                        let time = state.films[job.film].rows[job.frame].time
                        state.worst[job.film].take(pair, number: job.frame, at: time, figures)
                    }
                case .success(.errors(let errors, let film)): state.films[film].fit.take(errors)
                case .failure(let trouble): state.trouble = state.trouble ?? (task.film, trouble)
                }
            }
            wakeCondition.wake()
        }
    }

    private enum Outcome {
        case figures(FrameFigures, FramePair, Job)
        case errors([Double], _ film: Int)
    }

    /// Adds a row for the next frame of the reference.
    func addRow(at time: Time) {
        state.locked { state in for film in state.films.indices { state.films[film].addRow(at: time) } }
    }

    /// Queues a task, after waiting while the queue is full. Returns nil if the task was queued.
    func add(_ task: Task, _ isEndRequested: () -> Bool) -> End? {
        let most = workers.count
        let end = state.wait(on: wakeCondition) { state -> Wait<End?> in
            if let end = state.end(isEndRequested) { return .done(end) }
            guard state.jobs.count < most else { return .again(deadline: nil) }
            state.jobs.append(task)
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

extension ComparisonCrew.Task {
    /// Index of its film among the others.
    fileprivate var film: Int {
        switch self {
        case .figures(let job): job.film
        case .shifts(let shifts): shifts.film
        }
    }
}
