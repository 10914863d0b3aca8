import Base

extension Wall {
    /// Blind test on this wall; nil on other walls.
    public var blindTest: BlindTest? { features[Blind.self].test }

    /// Starts a blind test.
    public mutating func begin(_ test: BlindTest, at now: Time) {
        let snapshot = player.snapshot(at: now)
        change(at: now) { $0.features.change(Blind.self) { $0.begin(test, snapshot) } }
    }
}
