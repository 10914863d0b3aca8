import Base
import Opened

// Faults of a seam that are in the frames of its files.
extension Inspections {
    /// `repeats`: the same stretch follows itself. `isSame`: the source is the same, and perhaps the stretch.
    func faultsOfFrames(from a: Item.Segment, to b: Item.Segment, repeats: Bool, isSame: Bool) -> [SeamReason] {
        var reasons: [SeamReason] = []
        func add(_ code: SeamReason.Code, _ words: String, _ remedy: Remedy?) {
            reasons.append(SeamReason(code: code, words: words, remedy: remedy))
        }
        if let uneven = unevenRate(a) { reasons.append(uneven) }
        if !isSame, let uneven = unevenRate(b) { reasons.append(uneven) }
        if let after = sources[b.source], after.facts.kind == .video, !after.startsWithKeyFrame,
            b.start == .zero
        {
            add(.noKeyFrame, "the first frame of \(b.name) is not a key frame", remedy(b) { $0.encodesFrames = true })
        }
        guard let end = stretches[a], let start = stretches[b] else { return reasons }
        // Report a black end only after a lit frame: a film that is black for long is meant to be black.
        if end.last.isBlack, let lit = end.lastLit {
            add(.blackLast, "\(a.name) ends black, from \(secondsText(lit)) s on", remedy(a) { $0.end = lit })
        }
        if start.first.isBlack, let lit = start.firstLit {
            add(.blackFirst, "\(b.name) begins black, until \(secondsText(lit)) s", remedy(b) { $0.start = lit })
        }
        if repeats, !end.last.isBlack, !start.first.isBlack { reasons += loop(a, end) }
        return reasons
    }

    /// nil if the length is unknown, or if the layout plays only a part of the file.
    private func remedy(_ segment: Item.Segment, _ change: (inout Remedy) -> Void) -> Remedy? {
        guard segment.start == .zero, segment.end == nil, let source = sources[segment.source],
            let length = source.facts.length
        else { return nil }
        return Remedy(segment.source, length).with { remedy in
            remedy.soundStart = source.sounds.first?.start ?? .zero
            remedy.colours = source.colours
            change(&remedy)
        }
    }

    private func unevenRate(_ segment: Item.Segment) -> SeamReason? {
        guard let source = sources[segment.source], let range = source.unevenFrames else { return nil }
        return SeamReason(
            code: .unevenRate,
            words:
                "the rate of \(segment.name) varies: its frames last from \(millisecondsText(range.lowerBound)) to "
                + millisecondsText(range.upperBound),
            remedy: remedy(segment) { $0.rate = source.rate ?? [30, 1] })
    }

    private func loop(_ segment: Item.Segment, _ stretch: StretchInspection) -> [SeamReason] {
        guard let second = stretch.second, stretch.lastStart > segment.start else { return [] }
        let seam = stretch.last.distance(to: stretch.first)
        let motion = stretch.first.distance(to: second)
        if seam > max(SeamJudge.apart, motion * 4) {
            let words = "the last frame of \(segment.name) does not lead to its first"
            return [SeamReason(code: .loopApart, words: words)]
        }
        guard motion > 0.5, seam * 3 < motion else { return [] }
        return [
            SeamReason(
                code: .loopRepeats, words: "the last frame of \(segment.name) equals its first: it is shown twice",
                remedy: remedy(segment) { $0.end = stretch.lastStart })
        ]
    }
}
