import Threads
import WallCore

/// What a voice's thread works with: open files, and the one that it reads from. Never leaves that thread.
final class VoiceDecoder {
    private var open: [Entry] = []
    private var current: Stretch?
    private static let mostOpen = 3
    private static let longestSilence: Int64 = 4_800

    private struct Entry {
        let source: String
        let choice: SoundChoice
        let origin: Int128?
        let answer: Answer

        func isOf(_ run: SoundRun) -> Bool {
            source == run.source && choice == run.choice && origin == run.origin
        }
    }

    private enum Answer {
        case reader(SoundReader)
        case failed(SoundTrouble, at: Int64)
    }

    /// A run that is being read, without a break, up to the voice sample `next`.
    private struct Stretch {
        var run: SoundRun
        var rate: Rate
        var reader: SoundReader
        var stretcher: Stretcher?
        var next: Int64
        /// The file's sample that comes next.
        var media: Int64
        var isOver = false
    }

    func work(_ task: Voice.State.Task, _ state: Monitor<Voice.State>) {
        switch task {
        case .prepare(let run):
            _ = reader(for: run, state)
        case .decode(let plan, let sample, let epoch):
            switch plan.segment(at: sample) {
            case .gap(let next):
                give(silence: min((next ?? sample) - sample, Self.longestSilence), of: nil, epoch, state)
            case .run(let run, let start, let end):
                decode(run, plan, from: sample, start: start, end: end, epoch, state)
            }
        }
    }

    private func decode(
        _ run: SoundRun, _ plan: SoundPlan, from sample: Int64, start: Int64, end: Int64?, _ epoch: Int,
        _ state: Monitor<Voice.State>
    ) {
        let limit = end.map { $0 - sample } ?? .max
        do throws(SourceTrouble) {
            try enter(run, plan, from: sample, start: start, state)
            guard current != nil else { return give(silence: min(limit, Self.longestSilence), of: run, epoch, state) }
            guard var samples = try produce() else { return state.locked { $0.noteDry() } }
            if samples.isEmpty, current?.isOver == true {
                guard run.repetition == .forever, try beginAgain(run) else {
                    current?.next += min(limit, Self.longestSilence)
                    return give(silence: min(limit, Self.longestSilence), of: run, epoch, state)
                }
                return
            }
            if samples.count / 2 > limit { samples.removeLast(samples.count - Int(limit) * 2) }
            if run.gain != 1 { for index in samples.indices { samples[index] *= run.gain } }
            current?.next += Int64(samples.count / 2)
            let isTaken = samples.withUnsafeBufferPointer { buffer in
                state.locked { $0.take(buffer, of: run, epoch: epoch) }
            }
            if !isTaken { current = nil }
        } catch {
            forget(run, error)
            current = nil
        }
    }

    // MARK: reading on

    /// Makes `current` the run's sound at `sample`; nil where it has none.
    private func enter(
        _ run: SoundRun, _ plan: SoundPlan, from sample: Int64, start: Int64, _ state: Monitor<Voice.State>
    ) throws(SourceTrouble) {
        let rate = plan.clock.rate * run.rate
        if let current, current.run.continues(run), current.rate == rate, current.next == sample { return }
        current = nil
        guard let reader = reader(for: run, state) else { return }
        let elapsed = SoundGrid.time(of: sample - start).played(at: rate)
        var media = SoundGrid.sample(at: run.from) + SoundGrid.sample(at: elapsed)
        if run.repetition == .forever, let length = reader.end, length > 0 { media %= length }
        if rate != .one { media -= Stretcher.lead(at: rate) }
        try reader.seek(to: max(0, media))
        current = Stretch(
            run: run, rate: rate, reader: reader, stretcher: rate == .one ? nil : Stretcher(rate: rate),
            next: sample, media: media)
    }

    /// From its beginning once more; false where it has no length.
    private func beginAgain(_ run: SoundRun) throws(SourceTrouble) -> Bool {
        guard var stretch = current, stretch.reader.end ?? 0 > 0 else { return false }
        try stretch.reader.seek(to: 0)
        (stretch.media, stretch.isOver) = (0, false)
        current = stretch
        return true
    }

    /// The next samples of the current run, contiguous with those before. Empty: none yet, or it is over; nil: all that
    /// has come of it is decoded.
    private func produce() throws(SourceTrouble) -> [Float]? {
        guard var stretch = current, !stretch.isOver else { return [] }
        defer { current = stretch }
        switch try stretch.reader.next() {
        case .block(let block):
            let gap = Int(min(Int64(SoundGrid.rate * 60), max(0, block.start - stretch.media)))
            stretch.media = block.end
            let samples = gap == 0 ? block.samples : Array(repeating: 0, count: gap * 2) + block.samples
            return stretch.stretcher?.push(samples) ?? samples
        case .nothing:
            return nil
        case .end:
            stretch.isOver = true
            if stretch.run.repetition == .forever { return [] }
            return stretch.stretcher?.finish() ?? []
        }
    }

    private func give(silence count: Int64, of run: SoundRun?, _ epoch: Int, _ state: Monitor<Voice.State>) {
        guard count > 0 else { return }
        let zeros = [Float](repeating: 0, count: Int(count) * 2)
        _ = zeros.withUnsafeBufferPointer { buffer in state.locked { $0.take(buffer, of: run, epoch: epoch) } }
    }

    // MARK: files

    /// The open file of a run; nil where it has no sound that could be heard.
    private func reader(for run: SoundRun, _ state: Monitor<Voice.State>) -> SoundReader? {
        if let index = open.firstIndex(where: { $0.isOf(run) }) {
            let entry = open.remove(at: index)
            switch entry.answer {
            case .reader(let reader):
                open.append(entry)
                state.locked { $0.condition = .sounding(tracks: reader.trackCount) }
                return reader
            case .failed(let trouble, let time):
                if trouble.isLasting || monotonicNanoseconds() - time < 5_000_000_000 {
                    open.append(entry)
                    state.locked { $0.condition = trouble.condition(of: run.source) }
                    return nil
                }
            }
        }
        let deadline = Deadline()
        let isStopping = state.locked { state in
            state.reading = deadline
            return state.isStopping
        }
        if isStopping { return nil }
        do throws(SoundTrouble) {
            let reader = try SoundReader.open(run.source, run.choice, origin: run.origin, deadline: deadline)
            remember(run, .reader(reader))
            state.locked { $0.condition = .sounding(tracks: reader.trackCount) }
            return reader
        } catch {
            remember(run, .failed(error, at: monotonicNanoseconds()))
            state.locked { $0.condition = error.condition(of: run.source) }
            return nil
        }
    }

    private func remember(_ run: SoundRun, _ answer: Answer) {
        open.append(Entry(source: run.source, choice: run.choice, origin: run.origin, answer: answer))
        if open.count > Self.mostOpen { open.removeFirst() }
    }

    private func forget(_ run: SoundRun, _ trouble: SourceTrouble) {
        open.removeAll { $0.isOf(run) }
        remember(run, .failed(.source(trouble), at: monotonicNanoseconds()))
    }
}
