/// What of a seam's pictures is in the files themselves.
struct PictureFaults {
    private let inspections: Inspections

    init(_ inspections: Inspections) { self.inspections = inspections }

    /// `repeats`: the same stretch follows itself. `isSame`: at least the source does.
    func reasons(from a: Item.Piece, to b: Item.Piece, repeats: Bool, isSame: Bool) -> [SeamReason] {
        var reasons: [SeamReason] = []
        if let uneven = unevenRate(a) { reasons.append(uneven) }
        if !isSame, let uneven = unevenRate(b) { reasons.append(uneven) }
        if let after = inspections.sources[b.source], after.facts.kind == .video, !after.startsWithKeyPicture,
            b.start == .zero
        {
            reasons.append(
                SeamReason(
                    code: .noKeyPicture, words: "the first picture of \(b.source) is not a key picture",
                    mend: Mend.again(b.source)))
        }
        guard let end = inspections.stretches[a], let start = inspections.stretches[b] else { return reasons }
        // A film that is black for long is meant to be.
        if end.last.isBlack, let lit = end.lastLit {
            reasons.append(
                SeamReason(
                    code: .blackLast, words: "\(a.source) ends black, from \(seconds(lit)) s on",
                    mend: Mend.cut(a.source, from: .zero, to: lit)))
        }
        if start.first.isBlack, let lit = start.firstLit {
            reasons.append(
                SeamReason(
                    code: .blackFirst, words: "\(b.source) begins black, until \(seconds(lit)) s",
                    mend: Mend.cut(b.source, from: lit, to: nil)))
        }
        if repeats, !end.last.isBlack, !start.first.isBlack { reasons += loop(a, end) }
        return reasons
    }

    private func unevenRate(_ piece: Item.Piece) -> SeamReason? {
        guard let source = inspections.sources[piece.source], let range = source.unevenPictures else { return nil }
        return SeamReason(
            code: .unevenRate,
            words: "the rate of \(piece.source) varies: its pictures last from \(milliseconds(range.lowerBound)) to "
                + milliseconds(range.upperBound),
            mend: Mend.evenly(piece.source, rate: source.rate))
    }

    private func loop(_ piece: Item.Piece, _ stretch: StretchInspection) -> [SeamReason] {
        guard let second = stretch.second else { return [] }
        let seam = stretch.last.distance(to: stretch.first)
        let motion = stretch.first.distance(to: second)
        if seam > max(SeamJudge.apart, motion * 4) {
            let words = "the last picture of \(piece.source) does not lead to its first"
            return [SeamReason(code: .loopApart, words: words, mend: nil)]
        }
        guard motion > 0.5, seam * 3 < motion else { return [] }
        return [
            SeamReason(
                code: .loopRepeats, words: "the last picture of \(piece.source) is its first again: it stands twice",
                mend: Mend.cut(piece.source, from: .zero, to: stretch.lastStart))
        ]
    }
}
