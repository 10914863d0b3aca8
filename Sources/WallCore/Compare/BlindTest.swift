/// An A/B/X test: in each trial X is A or B, and somebody says which.
public struct BlindTest: Sendable {
    /// What X is, trial by trial.
    private let hidden: [Clip]
    /// Those that were answered.
    public private(set) var trials: [Trial] = []
    /// What is seen in the trial that stands now.
    public private(set) var sight = Sight.x
    private var trialBegan: Time

    public enum Clip: String, Sendable { case a, b }

    public enum Sight: Sendable, Hashable { case a, b, x }

    public struct Trial: Sendable, Equatable {
        public let x: Clip
        public let answer: Clip
        /// How long it took.
        public let length: Time
        public var isRight: Bool { x == answer }
    }

    /// `hidden`: what X is in each trial, drawn by chance; at least one.
    public init(hidden: [Clip], at now: Time) {
        precondition(!hidden.isEmpty)
        (self.hidden, trialBegan) = (hidden, now)
    }

    /// How many trials there are in all.
    public var count: Int { hidden.count }

    /// The clip that is to be on the screen.
    public var seen: Clip {
        switch sight {
        case .a: .a
        case .b: .b
        case .x: hidden[min(trials.count, count - 1)]
        }
    }

    mutating func show(_ sight: Sight) { self.sight = sight }

    enum Reply {
        /// X itself is seen, which says nothing of it.
        case none
        /// The next trial has begun, and X is seen.
        case next
        /// That was the last one.
        case over
    }

    /// X is what is seen now.
    mutating func answer(at now: Time) -> Reply {
        guard sight != .x, trials.count < count else { return .none }
        trials.append(Trial(x: hidden[trials.count], answer: seen, length: now - trialBegan))
        if trials.count == count { return .over }
        (sight, trialBegan) = (.x, now)
        return .next
    }

    // MARK: the score

    public var right: Int { trials.count(where: \.isRight) }

    /// Of at least as many right answers where each is a guess.
    public var probability: Double { BlindTest.probability(ofAtLeast: right, of: trials.count) }

    /// That a coin shows heads at least so often.
    static func probability(ofAtLeast right: Int, of trials: Int) -> Double {
        if right <= 0 { return 1 }
        // Of all of them, then of one less, and so on.
        var term = (0..<trials).reduce(1.0) { part, _ in part / 2 }
        var sum = 0.0
        for heads in stride(from: trials, through: right, by: -1) {
            sum += term
            term *= Double(heads) / Double(trials - heads + 1)
        }
        return sum
    }

    /// So many at most: the probability of one outcome of more is no number any more.
    public static let mostTrials = 1000
}
