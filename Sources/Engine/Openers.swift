import Base
import Decoded
import Feeds
import Glibc
import Media
import Opened
import Threads

/// Opens sources, each on a short-lived thread of its own.
///
/// Any thread may call `open`. A source that hangs blocks only its own thread.
final class Openers: Sendable {
    private let state = Locked(State())
    private let pool: FrameBufferPool
    private let writing = FilesBeingWritten()

    private struct State {
        var openings: [Opening] = []
        var isStopping = false
    }

    private struct Opening {
        let location: String
        let deadline: Deadline
        let worker: Worker
    }

    typealias Answer = Result<Opened, SourceTrouble>

    struct Opened: @unchecked Sendable {
        /// nil for a sound input. The voice that plays the input opens it.
        let source: Source?
        let facts: OpenedFacts
        /// The frame of a still image; nil if the source is none.
        var frame: Frame?
    }

    init(pool: FrameBufferPool) { self.pool = pool }

    /// Starts a thread that opens the source. Returns the trouble if the system has no thread.
    ///
    /// `plan`: returns the size for a still image and which original to keep. `answer`: takes the result, and returns
    /// true if the source has a new owner; otherwise the opener closes it. Both are called on the opener's thread, with
    /// nothing locked.
    func open(
        _ terms: OpenTerms, plan: @escaping @Sendable (Size) -> StillPlan, answer: @escaping @Sendable (Answer) -> Bool
    ) -> SourceTrouble? {
        let deadline = Deadline()
        do throws(NoThread) {
            try state.locked { state throws(NoThread) in
                if state.isStopping { return }
                let worker = try Worker("open", .batch) { [self] in
                    let result = result(terms, plan, deadline)
                    if !answer(result) { try? result.get().source?.close() }
                }
                state.openings.append(Opening(location: terms.location, deadline: deadline, worker: worker))
            }
            return nil
        } catch {
            return SourceTrouble(.unreadable, "\(error)")
        }
    }

    private func result(_ terms: OpenTerms, _ plan: (Size) -> StillPlan, _ deadline: Deadline) -> Answer {
        let location = terms.location
        if DeviceAddress.soundInput(location) != nil { return .success(Opened(source: nil, facts: .soundInput)) }
        do throws(SourceTrouble) {
            for file in [location] + SongParts.companions(of: location) { try writing.wait(for: file, deadline) }
            let source = try Source.open(terms, probing: .headSuffices, deadline: deadline)
            let facts = source.facts.opened
            if let refusal = facts.refusal {
                // The source's port must be free when the source is opened again.
                source.close()
                throw refusal
            }
            guard facts.kind == .still else { return .success(Opened(source: source, facts: facts)) }
            let frame = try StillImage.load(source) { codecFrame throws(SourceTrouble) in
                let plan = plan(codecFrame.natural)
                return try Scaler().frame(
                    from: codecFrame, size: plan.size, settings: terms.decoding, formats: .bgra, keeping: plan.keeping,
                    pool: pool)
            }
            return .success(Opened(source: source, facts: facts, frame: frame))
        } catch { return .failure(error) }
    }

    /// Joins the threads that have finished.
    func reap() {
        let ended = state.locked { state in
            let first = state.openings.partition { $0.worker.waitForEnd(within: 0) }
            defer { state.openings.removeSubrange(first...) }
            return state.openings[first...]
        }
        for opening in ended { opening.worker.join() }
    }

    /// Cancels and joins all openers. Returns the locations of those that did not end in time.
    func stop(by deadline: Int64) -> [String] {
        let openings = state.locked { state in
            state.isStopping = true
            return exchange(&state.openings, with: [])
        }
        for opening in openings { opening.deadline.cancel() }
        return openings.compactMap { opening in
            let missing = opening.worker.join(within: max(0, deadline - monotonicNanoseconds()))
            return missing.isEmpty ? nil : opening.location
        }
    }
}

/// Delays the opening of a file that is being written until nothing has been written for two seconds. Otherwise a half
/// copied film would be reported as damaged.
struct FilesBeingWritten: Sendable {
    /// Start of the program's run, in real time. Files written before are not delayed.
    private let begin = realTimeNanoseconds()
    private static let quiet: Int64 = 2_000_000_000
    /// Longest wait, in nanoseconds. A file that is copied for longer is tried again later.
    private static let patience: Int64 = 8_000_000_000

    /// Waits until the file is quiet, on an opener's thread.
    func wait(for location: String, _ deadline: Deadline) throws(SourceTrouble) {
        guard let path = SourceName.path(of: location) else { return }
        let limit = monotonicNanoseconds() + Self.patience
        while let rest = rest(of: path), !deadline.isCancelled {
            let now = monotonicNanoseconds()
            guard now < limit else { throw SourceTrouble(.unreadable, "the file is still being written") }
            Threads.sleep(until: now + min(rest, 100_000_000))
        }
    }

    /// Remaining time until the file counts as quiet, in nanoseconds; nil if it is quiet or does not exist.
    private func rest(of location: String) -> Int64? {
        var status = stat()
        guard stat(location, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let written = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        let age = realTimeNanoseconds() &- written
        return written >= begin && age >= 0 && age < Self.quiet ? Self.quiet - age : nil
    }
}
