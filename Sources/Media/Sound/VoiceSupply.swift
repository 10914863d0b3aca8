/// Supply of a voice with samples: whether it decodes, and whether the mixer waits for it. Not thread-safe.
struct VoiceSupply {
    /// True while samples are decoded, until enough are there.
    private(set) var isFilling = true
    /// True if the mixer lacked samples, or would have lacked them. `filled` is called when they have come.
    private(set) var isAwaited = false
    /// True if all that a live source has sent is decoded.
    private var isDry = false
    /// True if samples have come since the mixer waited last.
    private var hasGained = false

    /// Decoding begins when fewer than `low` samples are left, and ends when `high` samples are.
    static let low: Int64 = 12_000
    private static let high: Int64 = 24_000

    /// Notes the number of samples that are left.
    mutating func note(left: Int64) {
        if left < Self.low { isFilling = true }
        if left >= Self.high { isFilling = false }
    }

    /// Notes that samples were removed.
    mutating func refill() { isFilling = true }

    /// Notes that the mixer waits for samples.
    mutating func noteLack() { isAwaited = true }

    /// Notes that the mixer no longer waits.
    mutating func noteNoLack() { isAwaited = false }

    mutating func gain() { (hasGained, isDry) = (true, false) }

    /// Notes that a live source has sent no more.
    mutating func noteDry() { isDry = true }

    /// Ends the mixer's wait. Returns false if the wait goes on. `isShort`: true if fewer samples are left than wanted.
    mutating func settle(isShort: Bool) -> Bool {
        if isShort, !isDry || !hasGained { return false }
        (isAwaited, isDry, hasGained) = (false, false, false)
        return true
    }
}
