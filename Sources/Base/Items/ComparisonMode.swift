public enum ComparisonMode: String, Sendable, Hashable, CaseIterable {
    case wipe, difference, signed, heat, blink, overlay

    /// Returns the mode `count` places further, wrapping around.
    public func moved(by count: Int) -> ComparisonMode {
        let all = ComparisonMode.allCases, place = all.firstIndex(of: self)!
        return all[((place + count) % all.count + all.count) % all.count]
    }
}
