/// The sound of a clip as one channel with 12,000 samples a second: what tells places apart lies below 6 kHz.
public struct CoarseSound: Sendable {
    public static let rate = SoundGrid.rate / step
    /// Grid samples to one of these.
    public static let step = 4
    /// So many grid samples around it make one of these.
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

    /// Grid samples whose place is not the beginning of one of these yet.
    private var pending: [Float] = []
    /// The place of the first of them, in grid samples.
    private var place: Int64?
    public private(set) var samples: [Float] = []
    /// The first sample's place, in these samples; nil: there is none yet.
    public private(set) var first: Int64?

    public init() {}

    /// Up to where it was given, in grid samples.
    var end: Int64? { place.map { $0 + Int64(pending.count) } }

    /// Interleaved stereo from `start` on; what is missing before it is silence.
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

    /// Lets the first ones go.
    mutating func drop(_ count: Int) {
        samples.removeFirst(count)
        first = first.map { $0 + Int64(count) }
    }

    /// So many samples from one on; silence where there are none.
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
