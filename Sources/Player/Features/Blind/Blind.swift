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

    func reason(against command: Change, _ snapshot: Snapshot) -> String? {
        if case .blind = command { "there is no blind test" } else { nil }
    }

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .blind(let change): carryOut(change, snapshot)
        case .window(.escape) where test != nil: .done(.window(.quit(0)))
        default: nil
        }
    }

    private mutating func carryOut(_ change: Change.Blind, _ snapshot: Snapshot) -> FeatureAnswer {
        guard var test else { return .refused() }
        var changes: [Change] = []
        switch change {
        case .show(let sight): test.show(sight)
        case .answer:
            guard snapshot.tiles.areWatchesWhole else { return .refused(.notice("one of the clips can't be shown")) }
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
