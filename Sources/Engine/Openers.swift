import Base
import Media
import Player
import Scene
import Threads

/// Opens sources, each on a short-lived thread of its own.
///
/// Any thread may call `open`. A source that hangs costs its own thread and nothing else.
final class Openers: Sendable {
    private let state = Monitor(State())
    private let store: FrameStore
    private let writing = FilesBeingWritten()

    private struct State {
        var running: [Int: (worker: Worker, deadline: Deadline, location: String)] = [:]
        var finished: [Int] = []
        var count = 0
        var isStopping = false
    }

    enum Answer: @unchecked Sendable {
        /// The source is nil for a sound input. The voice that plays the input opens it.
        case opened(Source?, OpenedFacts, Frame?)
        case failed(SourceTrouble)
    }

    init(store: FrameStore) { self.store = store }

    /// `plan`: returns the size for a still image and which original to keep. `answer`: called on the opener's thread.
    func open(
        _ location: String, turn: Turn, flip: Flip, limit: FrameLimit, variant: VariantChoice?,
        plan: @escaping @Sendable (Size) -> StillPlan,
        answer: @escaping @Sendable (Answer) -> Void
    ) {
        let deadline = Deadline()
        let refusal = state.locked { state -> NoThread? in
            guard !state.isStopping else { return nil }
            state.count += 1
            let ticket = state.count
            do throws(NoThread) {
                let worker = try Worker("open", .batch) { [self] in
                    let result = result(location, turn, flip, limit, variant, plan, deadline)
                    // A cancelled opener reports nothing.
                    if !self.state.locked(\.isStopping) { answer(result) }
                    self.state.locked { $0.finished.append(ticket) }
                }
                state.running[ticket] = (worker, deadline, location)
                return nil
            } catch {
                return error
            }
        }
        if let refusal { answer(.failed(SourceTrouble(.unreadable, "\(refusal)"))) }
    }

    private func result(
        _ location: String, _ turn: Turn, _ flip: Flip, _ limit: FrameLimit, _ variant: VariantChoice?,
        _ plan: (Size) -> StillPlan,
        _ deadline: Deadline
    ) -> Answer {
        if DeviceAddress.soundInput(location) != nil {
            return .opened(nil, .soundInput, nil)
        }
        do throws(SourceTrouble) {
            for file in [location] + SongParts.companions(of: location) { try writing.wait(for: file, deadline) }
            let source = try Source.open(
                location, probing: .headSuffices, limit: limit, variant: variant, deadline: deadline)
            let facts = OpenedFacts(source.facts)
            if let refusal = facts.refusal {
                // The source's port must be free when the source is opened again.
                source.close()
                throw refusal
            }
            guard facts.kind == .still else { return .opened(source, facts, nil) }
            let frame = try StillImage.load(source) { codecFrame throws(SourceTrouble) in
                let plan = plan(codecFrame.natural)
                return try Scaler().frame(
                    from: codecFrame, size: plan.size, turn: turn, flip: flip, formats: .bgra, keeping: plan.keeping,
                    store: store)
            }
            return .opened(source, facts, frame)
        } catch {
            return .failed(error)
        }
    }

    /// Joins the threads that have finished.
    func reap() {
        let done = state.locked { state in
            defer { state.finished = [] }
            return state.finished.compactMap { state.running.removeValue(forKey: $0)?.worker }
        }
        for worker in done { _ = worker.join() }
    }

    /// Cancels and joins all openers. Returns the locations of those that did not end in time.
    func stop(by deadline: Int64) -> [String] {
        let running = state.locked { state in
            state.isStopping = true
            defer { state.running = [:] }
            return Array(state.running.values)
        }
        for opener in running { opener.deadline.cancel() }
        return running.compactMap { opener in
            let ending = opener.worker.join(within: max(0, deadline - monotonicNanoseconds()))
            return ending == .joined ? nil : opener.location
        }
    }
}
