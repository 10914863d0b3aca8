import Base
import Commands

/// An A/B/X test: in each trial X is A or B, and the user answers which.
public struct BlindTest: Sendable {
    /// Clip that X is, trial by trial.
    private let hidden: [Clip]
    /// Answered trials.
    public private(set) var trials: [Trial] = []
    /// Clip that is seen in the current trial.
    public private(set) var sight = Change.Blind.Sight.x
    private var trialBegan: Time

    public enum Clip: String, Sendable { case a, b }

    public struct Trial: Sendable, Equatable {
        public let x: Clip
        public let answer: Clip
        /// Time taken for the answer.
        public let length: Time
        public var isRight: Bool { x == answer }
    }

    /// `hidden`: the clip that X is in each trial, drawn by chance. Not empty.
    public init(hidden: [Clip], at now: Time) {
        precondition(!hidden.isEmpty)
        (self.hidden, trialBegan) = (hidden, now)
    }

    /// Number of all trials.
    public var count: Int { hidden.count }

    /// The clip that is to be on the screen.
    public var seen: Clip {
        switch sight {
        case .a: .a
        case .b: .b
        case .x: hidden[min(trials.count, count - 1)]
        }
    }

    public mutating func show(_ sight: Change.Blind.Sight) { self.sight = sight }

    public enum Reply {
        /// No answer: X itself is seen.
        case none
        /// The next trial has begun, and X is seen.
        case next
        /// The test is over.
        case over
    }

    /// Answers that X is the clip seen now.
    public mutating func answer(at now: Time) -> Reply {
        guard sight != .x, trials.count < count else { return .none }
        trials.append(Trial(x: hidden[trials.count], answer: seen, length: now - trialBegan))
        if trials.count == count { return .over }
        (sight, trialBegan) = (.x, now)
        return .next
    }

    // MARK: the score

    public var right: Int { trials.count(where: \.isRight) }

    /// Probability of at least as many right answers by guessing.
    public var probability: Double { BlindTest.probability(ofAtLeast: right, of: trials.count) }

    /// Returns the probability of at least `right` heads in `trials` tosses of a coin.
    static func probability(ofAtLeast right: Int, of trials: Int) -> Double {
        if right <= 0 { return 1 }
        // Begins with the probability of all heads, and adds the probability of each smaller number of heads.
        var term = (0..<trials).reduce(1.0) { part, _ in part / 2 }
        var sum = 0.0
        for heads in stride(from: trials, through: right, by: -1) {
            sum += term
            term *= Double(heads) / Double(trials - heads + 1)
        }
        return sum
    }

    /// Largest number of trials. With many more trials, the probability of a single outcome underflows a Double.
    public static let mostTrials = 1000
}
