/// Returns the one of `words` that `word` probably meant; nil if none is near. Case is ignored.
public func nearest(to word: String, among words: [String]) -> String? {
    let letters = Array(word.lowercased().unicodeScalars.prefix(64))
    let reach = letters.count <= 4 ? 1 : letters.count <= 8 ? 2 : 3
    var best: (word: String, distance: Int)?
    for candidate in words {
        let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
        guard abs(other.count - letters.count) <= reach else { continue }
        let distance = editDistance(letters, other)
        // A candidate that shares no letter with a short word is not near, although their distance is small.
        guard distance <= reach, distance < letters.count, distance < best?.distance ?? .max else { continue }
        best = (candidate, distance)
    }
    return best?.word
}

/// Number of letters inserted, deleted, replaced, or swapped with their neighbour.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
            row.append(least)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
