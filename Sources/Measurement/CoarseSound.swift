import Base

/// The sound of a clip as one channel with 12,000 samples a second. `SoundMatch` compares frequencies up to 5 kHz.
public struct CoarseSound: Sendable {
    public static let rate = SoundGrid.rate / step
    /// Number of grid samples for one coarse sample.
    public static let step = 4
    /// Number of grid samples that are weighted into one coarse sample.
    private static let taps = 16
    private static let kernel: [Float] = {
        let weights = (0..<taps).map { tap -> Double in
            let x = Double(tap) - Double(taps - 1) / 2
            let turns = x * 5000 / Double(SoundGrid.rate)
            return sine(ofTurns: turns) / x * (0.5 + 0.5 * cosine(ofTurns: x / Double(taps)))
        }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum / 2) }
    }()

    /// Grid samples that do not make a coarse sample yet.
    private var pending: [Float] = []
    /// Place of the first pending sample, in grid samples.
    private var place: Int64?
    public private(set) var samples: [Float] = []
    /// Place of the first coarse sample, in coarse samples; nil until there is one.
    public private(set) var first: Int64?

    public init() {}

    /// End of the samples appended so far, in grid samples.
    var end: Int64? { place.map { $0 + Int64(pending.count) } }

    /// Appends interleaved stereo that begins at `start`, in grid samples. A gap before it is filled with silence.
    public mutating func append(_ stereo: [Float], at start: Int64) {
        if let place {
            let missing = start - place - Int64(pending.count)
            if missing > 0 { pending += [Float](repeating: 0, count: Int(missing)) }
        } else {
            place = start
        }
        stereo.withUnsafeBufferPointer { stereo in
            for index in 0..<stereo.count / 2 { pending.append(stereo[index * 2] + stereo[index * 2 + 1]) }
        }
        reduce()
    }

    /// Removes the first `count` samples.
    mutating func drop(_ count: Int) {
        samples.removeFirst(count)
        first = first.map { $0 + Int64(count) }
    }

    /// Returns `count` samples from `start` on. Samples outside of the clip are silence.
    public func stretch(from start: Int64, count: Int) -> [Float] {
        let first = first ?? 0
        return (0..<Int64(count)).map { index in
            let place = start + index - first
            return place >= 0 && place < Int64(samples.count) ? samples[Int(place)] : 0
        }
    }

    private mutating func reduce() {
        guard var place else { return }
        var used = Int((Int64(Self.step) - place % Int64(Self.step)) % Int64(Self.step))
        if first == nil { first = (place + Int64(used)) / Int64(Self.step) }
        pending.withUnsafeBufferPointer { pending in
            Self.kernel.withUnsafeBufferPointer { kernel in
                while used + Self.taps <= pending.count {
                    var sum: Float = 0
                    for tap in 0..<Self.taps { sum += pending[used + tap] * kernel[tap] }
                    samples.append(sum)
                    used += Self.step
                }
            }
        }
        used = min(used, pending.count)
        pending.removeFirst(used)
        place += Int64(used)
        self.place = place
    }
}
