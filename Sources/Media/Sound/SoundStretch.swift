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
        (media, isOver) = (0, false)
    }

    /// The next samples, contiguous with those before. Empty: none yet, or it is over; nil: all that has come of it is
    /// decoded.
    mutating func produce() throws(SourceTrouble) -> [Float]? {
        if !kept.isEmpty {
            defer { kept = [] }
            return kept
        }
        if isOver { return [] }
        switch try reader.next() {
        case .block(let block):
            let gap = Int(min(Int64(SoundGrid.rate * 60), max(0, block.start - media)))
            media = block.end
            let samples = gap == 0 ? block.samples : Array(repeating: 0, count: gap * 2) + block.samples
            return stretcher?.push(samples) ?? samples
        case .nothing:
            return nil
        case .end:
            isOver = true
            if run.repetition == .forever { return [] }
            return stretcher?.finish() ?? []
        }
    }

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
