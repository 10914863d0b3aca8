import Glibc

/// A generator of the same numbers in every run (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func upTo(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
    /// Returns true with a probability of 1 in `count`.
    mutating func onceIn(_ count: Int) -> Bool { upTo(count) == 0 }
}

/// Seeds of a test with random walks. TEST_SEEDS=N takes the first N at most: a sanitizer makes walks many times slower.
func seeds(_ count: UInt64, from first: UInt64 = 1) -> ClosedRange<UInt64> {
    let most = getenv("TEST_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? count
    return first...first + min(count, most) - 1
}
