import Base
import Engine
import Player
import Speaker
import Threads

/// Records a microphone, or a camera's own sound, while a recording is on: one file for each stretch of a song.
///
/// Its thread begins with the first recording. The input's own thread only stores samples, so a blocked disk delays
/// neither the wall nor a sample. Ended by `stop`.
final class TakeRecorder: Sendable {
    private let mailbox = Mailbox(State(), .withoutPipe)
    let runner: LockedWall
    let speaker: Speaker
    let folder: TakesFolder
    let printLine: @Sendable (String) -> Void

    private struct State {
        /// Blocks of the session with number `session`.
        var blocks: [Block] = []
        /// Number of samples in them, both channels counted.
        var waiting = 0
        var loss: String?
        var session = 0

        /// A minute of sound: longer than a disk blocks.
        private static var mostWaiting: Int { 60 * SoundGrid.rate * 2 }

        mutating func add(_ block: Block) {
            waiting += block.samples.count
            if waiting <= Self.mostWaiting { return blocks.append(block) }
            (blocks, waiting, loss) = ([], 0, "the disk accepted no data for a minute")
        }

        mutating func takeBlocks() -> [Block] {
            defer { (blocks, waiting) = ([], 0) }
            return blocks
        }

        mutating func next() -> (blocks: [Block], loss: String?) {
            defer { loss = nil }
            return (takeBlocks(), loss)
        }
    }

    /// Samples that the input delivered at once.
    struct Block {
        let samples: [Float]
        let place: SoundInput.Place
        /// Time at which the last of the samples arrived.
        let cameAt: Time
        var length: Time { SoundGrid.time(of: Int64(samples.count / 2)) }
    }

    init(
        _ runner: LockedWall, _ speaker: Speaker, into folder: TakesFolder,
        printLine: @escaping @Sendable (String) -> Void
    ) {
        (self.runner, self.speaker, self.folder, self.printLine) = (runner, speaker, folder, printLine)
    }

    /// Called when a recording begins or ends, by any thread, with no lock held.
    func wake() {
        do throws(NoThread) { try mailbox.start("takes") { [self] in work() } } catch {
            printLine("quadrille: nothing is recorded: \(error)")
            if let session = runner.read({ wall, _ in wall.takes.session }) { forget(session.number) }
        }
        mailbox.post { _ in }
    }

    /// Finishes what was recorded until now. Returns the thread's name if it has not ended.
    func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        mailbox.stop(within: limit)
    }

    // MARK: its thread

    private func work() {
        var take: RunningTake?
        var meter = TakeMeter()
        while true {
            // The last samples of a session arrive late by the microphone's latency.
            mailbox.wait(until: take?.deadline ?? .max)
            if mailbox.isStopping { break }
            let (come, loss) = mailbox.take { $0.next() } ?? ([], nil)
            var blocks = come
            let (session, known) = runner.read { wall, now in (wall.takes.session, now) }
            if let running = take,
                running.session.number != session?.number || running.session.source != session?.source
            {
                end(running, with: blocks, known: known)
                (take, blocks) = (nil, [])
            }
            if take == nil, let session {
                // Begin the session, unless it has ended already.
                if session.endsAt == nil { take = begin(session) } else { forget(session.number) }
            }
            guard let running = take, let session else { continue }
            for block in blocks { running.record(block, session, known: known) }
            if let peak = meter.peak(of: blocks) {
                runner.change { wall, now in wall.recordingHas(peak: peak, of: session.number, at: now) }
            }
            if let loss { running.lose(loss) }
            if running.isOver(session) {
                end(running)
                take = nil
                forget(session.number)
            }
        }
        if let take { end(take) }
    }

    /// nil if the system has no thread or descriptor left.
    private func begin(_ session: TakeSession) -> RunningTake? {
        let number = session.number
        mailbox.locked { ($0.session, $0.blocks, $0.waiting, $0.loss) = (number, [], 0, nil) }
        let take: SoundInput.Take = { [mailbox] samples, place in
            let block = Block(samples: Array(samples), place: place, cameAt: Time.now)
            mailbox.post(if: { $0.session == number }, then: { $0.add(block) })
        }
        let loss: SoundInput.Loss = { [mailbox] reason in
            mailbox.post(if: { $0.session == number }, then: { $0.loss = reason })
        }
        let input: (any TakeInput)? =
            switch session.source {
            case .microphone(let name): SoundInput(name, fragment: 50, take: take, loss: loss)
            case .ownSound: try? TileSound(of: session.tile, session.name, runner, take: take, printLine: printLine)
            }
        guard let input else {
            printLine("quadrille: nothing is recorded: the system has no descriptor or thread left for it")
            forget(number)
            return nil
        }
        return RunningTake(session, input, self)
    }

    /// Closes the microphone and finishes the files. `blocks`: samples that arrived for this take.
    private func end(_ take: RunningTake, with blocks: [Block] = [], known: Time = .distantFuture) {
        take.input.stop()
        for block in blocks { take.record(block, take.session, known: known) }
        // Blocks that arrived while the input was stopped.
        let last = mailbox.locked { state in
            state.session = 0
            return state.takeBlocks()
        }
        for block in last { take.record(block, take.session, known: .distantFuture) }
        take.end()
    }

    /// Notes in the wall that the session's microphone is closed.
    private func forget(_ number: Int) { runner.change { wall, now in wall.recordingHasEnded(number, at: now) } }
}
