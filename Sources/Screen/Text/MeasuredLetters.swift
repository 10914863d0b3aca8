/// The letters that a renderer of libass has drawn, in each of their sizes.
///
/// libass 0.17 keeps what it has measured of each for as long as the renderer lives: none of its limits counts that, and
/// a window that changes its size often draws the same letters in hundreds of sizes.
struct MeasuredLetters {
    private var letters: Set<Letter> = []

    /// Of some 200 bytes each. Words in a script of many letters may have more: then one renderer follows another.
    private static let most = 2000

    private struct Letter: Hashable {
        let scalar: Unicode.Scalar
        let height: Int
        let isBold: Bool
    }

    var areTooMany: Bool { letters.count > Self.most }

    mutating func add(_ text: String, height: Int, isBold: Bool) {
        for scalar in text.unicodeScalars { letters.insert(Letter(scalar: scalar, height: height, isBold: isBold)) }
    }
}
