import Base
import Files
import Heard
import Threads

/// State of a voice's thread: open files, and the one that it reads from. Never leaves that thread.
///
/// In a fade (`SoundPlan.Fade`) two runs play at a time. Both are read, through two readers if they are of one file,
/// and mixed at equal power. If a take's sound is in another file than the frames (`SoundRun.isSeparateFile`), the JSON
/// beside it states its place (`TakePlace`).
final class VoiceDecoder {
    private let state: Locked<VoiceState>
    private var open: [Entry] = []
    private var current: SoundRunReader?
    /// The previous run, while it fades into the current one.
    private var leaving: SoundRunReader?
    private static let mostOpen = 3
    /// Longest silence that is made at once, in samples.
    static let longestSilence: Int64 = 4_800

    private struct Entry {
        let source: SoundSource
        let answer: Result<any SoundSamples, SoundCondition>
        let answeredAt = monotonicNanoseconds()
        /// Place of a take in its song; nil for any other sound.
        let place: TakePlace?

        /// True if the source is to be opened anew.
        var isStale: Bool {
            switch answer {
            case .success(let reader): reader.isStale
            case .failure(let lack): !lack.isLasting && monotonicNanoseconds() - answeredAt >= 5_000_000_000
            }
        }

        func isRead(by other: (any SoundSamples)?) -> Bool {
            if case .success(let reader) = answer { reader === other } else { false }
        }
    }

    init(_ state: Locked<VoiceState>) { self.state = state }

    func work(_ task: VoiceState.Task) {
        switch task {
        case .prepare(let run, let isBeside):
            _ = reader(for: run.source, besides: isBeside ? current?.reader : nil)
        case .decode(let plan, let sample, let epoch):
            switch plan.segment(at: sample) {
            case .gap(let next):
                give(silence: min((next ?? sample) - sample, Self.longestSilence), of: .silence, epoch)
            case .run(let run, let start, let end):
                leaving = nil
                decode(run, plan, from: sample, start: start, end: end, epoch)
            case .fade(let fade):
                decode(fade, plan, from: sample, epoch)
            }
        }
    }

    private func decode(
        _ run: SoundRun, _ plan: SoundPlan, from sample: Int64, start: Int64, end: Int64?, _ epoch: Int
    ) {
        let limit = end.map { $0 - sample } ?? .max
        do throws(SourceTrouble) {
            try find(run, plan, from: sample, start: start, by: &current, besides: nil)
            guard current != nil else {
                return give(silence: min(limit, Self.longestSilence), of: .run(run), epoch)
            }
            guard try current!.load(1) else { return noteDry(run) }
            if let captured = current?.reader as? CapturedSound {
                noteSounding(captured)
                if captured.settle(sample + Int64(current!.ready.count / 2) - state.locked { $0.wanted }) {
                    current = nil
                    return state.locked { $0.restart(at: $0.wanted) }
                }
            }
            noteMending(current?.reader, of: run)
            var samples = current!.take(Int(clamping: limit))
            if samples.isEmpty {
                // The sound of an unknown length is not repeated.
                guard run.repetition == .forever, current?.reader.end ?? 0 > 0 else {
                    current?.next += min(limit, Self.longestSilence)
                    return give(silence: min(limit, Self.longestSilence), of: .run(run), epoch)
                }
                try current?.beginAgain()
                return
            }
            if run.gain != 1 { for index in samples.indices { samples[index] *= run.gain } }
            current?.next += Int64(samples.count / 2)
            if !give(samples, of: .run(run), epoch) { current = nil }
        } catch {
            forget(run, error)
            current = nil
        }
    }

    // MARK: reading on

    /// Makes `current` the reader of a run's sound from a voice sample on; nil if the run has no sound.
    private func find(
        _ run: SoundRun, _ plan: SoundPlan, from sample: Int64, start: Int64, by current: inout SoundRunReader?,
        besides other: (any SoundSamples)?
    ) throws(SourceTrouble) {
        if current?.goesOn(run, plan, at: sample) ?? false { return }
        current = nil
        guard let reader = reader(for: run.source, besides: other) else { return }
        let place = open.first { $0.source == run.source }?.place
        let rate = run.rate(in: plan, place)
        let elapsed = SoundGrid.time(of: sample - start).played(at: rate)
        var media = SoundGrid.sample(at: place?.time(at: run.from) ?? run.from) + SoundGrid.sample(at: elapsed)
        if run.repetition == .forever, let length = reader.end, length > 0 { media %= length }
        let key = run.isCaptured ? 0 : run.key - (place?.key ?? 0)
        let stretcher = key != 0 ? Stretcher(rate: rate, key: key) : rate == .one ? nil : Stretcher(rate: rate)
        // Without FFmpeg's filters, silence is better than sound out of step with its frames.
        if rate != .one, stretcher == nil { return }
        if let stretcher { media -= stretcher.lead }
        // With a negative sound delay, sound is heard ahead of the clock.
        let early = max(.zero, state.locked { $0.reach } - Voice.reach)
        try reader.seek(to: max(0, media), heardIn: sample - plan.sample(heardAt: Time.now + early))
        current = SoundRunReader(
            run: run, rate: rate, reader: reader, place: place, stretcher: stretcher, next: sample, media: media)
    }

    private func give(silence count: Int64, of sound: Voice.Sounding, _ epoch: Int) {
        guard count > 0 else { return }
        _ = give([Float](repeating: 0, count: Int(count) * 2), of: sound, epoch)
    }

    /// Returns true if the samples were still wanted.
    private func give(_ samples: [Float], of sound: Voice.Sounding, _ epoch: Int) -> Bool {
        samples.withUnsafeBufferPointer { buffer in state.locked { $0.take(buffer, of: sound, epoch: epoch) } }
    }

    // MARK: fades

    /// Decodes some samples of a cross-fade between two runs, at constant power.
    private func decode(_ fade: SoundPlan.Fade, _ plan: SoundPlan, from sample: Int64, _ epoch: Int) {
        if let reading = current, reading.goesOn(fade.from, plan, at: sample) { (leaving, current) = (reading, nil) }
        let count = Int(min(fade.end - sample, Self.longestSilence))
        var mixed = [Float](repeating: 0, count: count * 2)
        let length = Double(max(1, fade.end - fade.toStart))
        let isGoing = add(fade.from, fade.fromStart, of: &leaving, besides: nil, plan, sample, to: &mixed) {
            Float(cosine(ofTurns: Double(sample - fade.toStart + Int64($0)) / length / 4))
        }
        let isComing = add(fade.to, fade.toStart, of: &current, besides: leaving?.reader, plan, sample, to: &mixed) {
            Float(sine(ofTurns: Double(sample - fade.toStart + Int64($0)) / length / 4))
        }
        guard isGoing, isComing else { return state.locked { $0.supply.isDry = true } }
        if !give(mixed, of: .fade(fade), epoch) { (leaving, current) = (nil, nil) }
    }

    /// Adds a run's samples to `mixed`; none if the run is silent. Returns false if the samples have not come yet.
    private func add(
        _ run: SoundRun, _ start: Int64, of reader: inout SoundRunReader?, besides other: (any SoundSamples)?,
        _ plan: SoundPlan, _ sample: Int64, to mixed: inout [Float], _ gain: (Int) -> Float
    ) -> Bool {
        if run.isSilent {
            reader = nil
            return true
        }
        do throws(SourceTrouble) {
            try find(run, plan, from: sample, start: start, by: &reader, besides: other)
            guard reader != nil else { return true }
            // Captured sound is not waited for.
            guard try reader!.load(mixed.count / 2) || run.isCaptured else { return false }
            let samples = reader!.take(mixed.count / 2)
            reader!.next += Int64(mixed.count / 2)
            noteMending(reader!.reader, of: run)
            for index in 0..<samples.count / 2 {
                let gain = gain(index) * run.gain
                mixed[index * 2] += samples[index * 2] * gain
                mixed[index * 2 + 1] += samples[index * 2 + 1] * gain
            }
        } catch {
            forget(run, error)
            reader = nil
        }
        return true
    }

    // MARK: files

    /// Returns the reader of a source; nil if the source has no sound that can be heard. `other`: a reader to leave
    /// alone.
    private func reader(for source: SoundSource, besides other: (any SoundSamples)?) -> (any SoundSamples)? {
        open.removeAll { $0.source == source && $0.isStale }
        if let index = open.firstIndex(where: { $0.source == source && !$0.isRead(by: other) }) {
            let entry = open.remove(at: index)
            open.append(entry)
        } else {
            let deadline = Deadline()
            guard state.locked({ $0.begin(reading: deadline) }) else { return nil }
            remember(source, Result { () throws(SoundCondition) in try open(source, deadline) })
        }
        switch open[open.count - 1].answer {
        case .success(let reader):
            noteSounding(reader)
            return reader
        case .failure(let condition):
            state.locked { $0.report.note(condition) }
            return nil
        }
    }

    /// An input counts as sounding only once samples have come.
    private func noteSounding(_ reader: any SoundSamples) {
        if let captured = reader as? CapturedSound, !captured.hasBegun { return }
        state.locked { $0.report.note(.sounding(tracks: reader.trackCount)) }
    }

    /// The run's live source has sent no more. A stalled one is opened anew.
    private func noteDry(_ run: SoundRun) {
        let tracks = current?.reader.trackCount ?? 0
        let hasStalled = state.locked { state in
            state.supply.isDry = true
            return state.report.noteDry(of: tracks, at: monotonicNanoseconds())
        }
        guard hasStalled, !run.isCaptured else { return }
        open.removeAll { $0.source == run.source }
        current = nil
    }

    private func noteMending(_ reader: (any SoundSamples)?, of run: SoundRun) {
        if reader?.hasMended == true { state.locked { $0.report.noteMending(of: run.source.location) } }
    }

    private func open(_ source: SoundSource, _ deadline: Deadline) throws(SoundCondition) -> any SoundSamples {
        if let input = DeviceAddress.soundInput(source.location) {
            return try SoundCondition.wrapping(source.location) { () throws(SourceTrouble) in try CapturedSound(input) }
        }
        return try SoundReader.open(source, deadline: deadline)
    }

    private func remember(_ source: SoundSource, _ answer: Result<any SoundSamples, SoundCondition>) {
        let place = source.isSeparateFile ? TakePlace.beside(source.location) : nil
        open.append(Entry(source: source, answer: answer, place: place))
        if open.count > Self.mostOpen { open.removeFirst() }
    }

    private func forget(_ run: SoundRun, _ trouble: SourceTrouble) {
        open.removeAll { $0.source == run.source }
        remember(run.source, .failure(.failed(source: run.source.location, trouble)))
    }
}

extension TakePlace {
    private static let longestJSON = 1 << 16

    /// Reads a take's place from the JSON beside its sound file. nil if there is no JSON: the file begins where its
    /// song does. May block as long as the file may.
    static func beside(_ source: String) -> TakePlace? {
        guard let path = SourceName.path(of: source).flatMap(TakeNote.path) else { return nil }
        guard case .success(let read) = bytes(of: path, atMost: longestJSON) else { return nil }
        return TakeNote.place(in: read.bytes)
    }
}
