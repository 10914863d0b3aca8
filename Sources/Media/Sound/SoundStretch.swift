import WallCore

/// A run that is being read, without a break, up to the voice sample `next`.
struct SoundStretch {
    let run: SoundRun
    let rate: Rate
    let reader: any SoundSamples
    /// Of a take that lies beside a song.
    private let place: TakePlace?
    private var stretcher: Stretcher?
    var next: Int64
    /// The file's sample that comes next.
    private var media: Int64
    /// What was read, and the silence before it.
    private var coming: (silence: Int64, samples: [Float])?
    private(set) var isOver = false
    /// Decoded, and not wanted yet.
    private var kept: [Float] = []

    init(
        run: SoundRun, rate: Rate, reader: any SoundSamples, place: TakePlace?, stretcher: Stretcher?, next: Int64,
        media: Int64
    ) {
        (self.run, self.rate, self.reader, self.stretcher) = (run, rate, reader, stretcher)
        (self.place, self.next, self.media) = (place, next, media)
    }

    /// It is the run's sound, and has come to this voice sample.
    func goesOn(_ run: SoundRun, _ plan: SoundPlan, at sample: Int64) -> Bool {
        self.run.continues(run) && rate == run.rate(in: plan, place) && next == sample
    }

    mutating func beginAgain() throws(SourceTrouble) {
        try reader.seek(to: 0, heardIn: 0)
        (media, isOver, coming) = (0, false, nil)
    }

    /// The next samples, contiguous with those before. Empty: none yet, or it is over; nil: all that has come of it is
    /// decoded.
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
                // It is put where the voice is by how much there is of it.
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

    /// Of what was read. Silence comes in segments, since a ring holds little more than a second; nil: there is none.
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

    /// In samples.
    private static let longestSilence: Int64 = 4_800

    /// They come once more.
    mutating func push(back samples: ArraySlice<Float>) { kept = samples + kept }

    /// So many, or what is left and no more; nil: they have not come yet.
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
    /// How fast it is read, where it is a take also by how fast that was sung.
    func rate(in plan: SoundPlan, _ place: TakePlace?) -> Rate {
        let whole = isCaptured ? .one : plan.clock.rate * rate
        return place?.rate(beside: whole) ?? whole
    }
}
