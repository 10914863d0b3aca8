import Base
import Heard

/// Reads a run without a break. `next`: the voice sample at which it continues.
struct SoundRunReader {
    let run: SoundRun
    let rate: Rate
    let reader: any SoundSamples
    /// Place of a take in its song; nil for any other sound.
    private let place: TakePlace?
    private var stretcher: Stretcher?
    var next: Int64
    /// The file's next sample.
    private var media: Int64
    /// Samples that were read, and the length of the silence before them.
    private var coming: (silence: Int64, samples: [Float])?
    private(set) var isOver = false
    /// Samples that were decoded and not yet returned.
    private var kept: [Float] = []

    init(
        run: SoundRun, rate: Rate, reader: any SoundSamples, place: TakePlace?, stretcher: Stretcher?, next: Int64,
        media: Int64
    ) {
        (self.run, self.rate, self.reader, self.stretcher) = (run, rate, reader, stretcher)
        (self.place, self.next, self.media) = (place, next, media)
    }

    /// Returns true if this is the run's sound and continues at `sample`.
    func goesOn(_ run: SoundRun, _ plan: SoundPlan, at sample: Int64) -> Bool {
        self.run.continues(run) && rate == run.rate(in: plan, place) && next == sample
    }

    mutating func beginAgain() throws(SourceTrouble) {
        try reader.seek(to: 0, heardIn: 0)
        (media, isOver, coming) = (0, false, nil)
    }

    /// Returns the next samples, contiguous with those before. Empty if there are none yet or the sound is over; nil if
    /// a live source has sent no more.
    mutating func produce() throws(SourceTrouble) -> [Float]? {
        if !kept.isEmpty {
            defer { kept = [] }
            return kept
        }
        if isOver { return [] }
        if let segment = takeChunk() { return segment }
        switch try reader.next() {
        case .block(let block):
            let silence = max(0, block.start - media)
            media = block.end
            if run.isCaptured {
                // Captured sound is placed by its number of samples, so a gap becomes silence.
                let count = Int(min(Int64(SoundGrid.rate * 60), silence))
                return [Float](repeating: 0, count: count * 2) + block.samples
            }
            coming = (silence, block.samples)
            return takeChunk() ?? []
        case .nothing:
            return nil
        case .end:
            isOver = true
            if run.repetition == .forever { return [] }
            return stretcher?.finish() ?? []
        }
    }

    /// Returns the next part of the sound that was read; nil if there is none. Silence comes in parts, since a ring
    /// holds little more than a second.
    private mutating func takeChunk() -> [Float]? {
        guard let (silence, samples) = coming else { return nil }
        let segment: [Float]
        if silence > 0 {
            let count = min(silence, Self.longestSilence)
            segment = [Float](repeating: 0, count: Int(count) * 2)
            coming = (silence - count, samples)
        } else {
            (segment, coming) = (samples, nil)
        }
        return stretcher?.push(segment) ?? segment
    }

    /// Longest silence in one part, in samples.
    private static let longestSilence: Int64 = 4_800

    /// Puts samples back, to be returned again.
    mutating func push(back samples: ArraySlice<Float>) { kept = samples + kept }

    /// Returns this number of samples, or the rest at the end; nil if they have not come yet.
    mutating func take(_ count: Int) throws(SourceTrouble) -> [Float]? {
        var taken: [Float] = []
        while taken.count < count * 2 {
            guard let more = try produce() else {
                push(back: taken[...])
                return nil
            }
            if more.isEmpty, isOver { break }
            taken += more
        }
        if taken.count > count * 2 {
            push(back: taken[(count * 2)...])
            taken.removeLast(taken.count - count * 2)
        }
        next += Int64(count)
        return taken
    }
}

extension SoundRun {
    /// Rate at which the run is read. For a take, it also depends on the rate at which the take was sung.
    func rate(in plan: SoundPlan, _ place: TakePlace?) -> Rate {
        let whole = isCaptured ? .one : plan.clock.rate * rate
        return place?.rate(beside: whole) ?? whole
    }
}
