import Base
import Heard

/// Reads a run without a break. `next`: the voice sample at which it continues.
struct SoundRunReader {
    let run: SoundRun
    let rate: Rate
    let reader: any SoundSamples
    /// Place of a take in its song; nil for any other sound.
    let place: TakePlace?
    var stretcher: Stretcher?
    var next: Int64
    /// The file's next sample.
    var media: Int64
    /// Samples that were read, and the length of the silence before them.
    var coming: (silence: Int64, samples: [Float])?
    private(set) var isOver = false
    /// Samples that were decoded and not yet taken, contiguous with those before.
    private(set) var ready: [Float] = []

    /// Returns true if this is the run's sound and continues at `sample`.
    func goesOn(_ run: SoundRun, _ plan: SoundPlan, at sample: Int64) -> Bool {
        self.run.continues(run) && rate == run.rate(in: plan, place) && next == sample
    }

    mutating func beginAgain() throws(SourceTrouble) {
        try reader.seek(to: 0, heardIn: 0)
        (media, isOver, coming) = (0, false, nil)
    }

    /// Decodes until `count` samples are ready or the sound is over. Returns false if a live source has sent no more.
    mutating func load(_ count: Int) throws(SourceTrouble) -> Bool {
        while ready.count < count * 2, !isOver {
            guard let more = try decode() else { return false }
            ready += more
        }
        return true
    }

    /// Takes the samples that are ready, at most `count`.
    mutating func take(_ count: Int) -> [Float] {
        let taken = Array(ready.prefix(min(count, ready.count / 2) * 2))
        ready.removeFirst(taken.count)
        return taken
    }

    /// Returns the next samples; empty if there are none yet. nil if a live source has sent no more.
    private mutating func decode() throws(SourceTrouble) -> [Float]? {
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
            let count = min(silence, VoiceDecoder.longestSilence)
            segment = [Float](repeating: 0, count: Int(count) * 2)
            coming = (silence - count, samples)
        } else {
            (segment, coming) = (samples, nil)
        }
        return stretcher?.push(segment) ?? segment
    }
}

extension SoundRun {
    /// Rate at which the run is read. For a take, it also depends on the rate at which the take was sung.
    func rate(in plan: SoundPlan, _ place: TakePlace?) -> Rate {
        let whole = isCaptured ? .one : plan.clock.rate * rate
        return place?.rate(beside: whole) ?? whole
    }
}
