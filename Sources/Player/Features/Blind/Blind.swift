import Base
import Commands

/// Blind test: a wall with one tile that compares two clips in turn. Selects the visible clip and counts the answers.
struct Blind: Feature {
    /// nil on a wall without a blind test.
    private(set) var test: BlindTest?

    /// Starts a blind test. X, which is one of the two clips, is shown first.
    mutating func begin(_ test: BlindTest, _ snapshot: Snapshot) -> [Change] {
        self.test = test
        return sight(of: test, snapshot) + [.showOnlyWholeTiles, .notice("which of A and B is X? h: the keys")]
    }

    var keys: KeyTable? { test == nil ? nil : .blind }

    /// Number of the trial, and the clip that is seen.
    var foot: String? {
        test.map { "trial \(min($0.trials.count + 1, $0.count)) of \($0.count): \($0.sight.rawValue.uppercased())" }
    }

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .blind(let change): carryOut(change, snapshot)
        case .window(.escape) where test != nil: .done(.window(.quit(0)))
        default: nil
        }
    }

    private mutating func carryOut(_ change: Change.Blind, _ snapshot: Snapshot) -> FeatureAnswer {
        guard var test else { return .refused(because: "there is no blind test") }
        var changes: [Change] = []
        switch change {
        case .show(let sight): test.show(sight)
        case .answer:
            guard snapshot.tiles.areWatchesWhole else { return .refused("one of the clips can't be shown") }
            switch test.answer(at: snapshot.now) {
            case .none: changes = [.notice("this is X: see A or B (keys a and b), then Enter")]
            case .next: changes = [.notice("trial \(test.trials.count + 1)")]
            case .over: changes = [.window(.quit(0))]
            }
        }
        self.test = test
        return FeatureAnswer(isDone: true, changes: changes + sight(of: test, snapshot))
    }

    private func sight(of test: BlindTest, _ snapshot: Snapshot) -> [Change] {
        snapshot.tiles.watching.first.map { [.showSide(test.seen == .a ? 0 : 1, of: $0)] } ?? []
    }
}

extension Wall {
    /// Blind test on this wall; nil on other walls.
    public var blindTest: BlindTest? { features[Blind.self].test }

    /// Starts a blind test.
    public mutating func begin(_ test: BlindTest, at now: Time) {
        let snapshot = player.snapshot(at: now)
        change(at: now) { $0.features.change(Blind.self) { $0.begin(test, snapshot) } }
    }
}

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
