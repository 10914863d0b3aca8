/// The letters that a renderer of libass has drawn, in each of their sizes.
///
/// libass 0.17 keeps the metrics of each letter as long as the renderer lives, and no cache limit of libass counts
/// them. A window that is often resized draws the same letters in hundreds of sizes.
struct MeasuredLetters {
    private var letters: Set<Letter> = []

    /// Largest number of letters, of some 200 bytes each. Words in a script of more letters replace the renderer often.
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
