/// How far frames that are shown are from those of the first tile, and how far they were before.
///
/// One order at a time: while it is measured, frames that come and go are left out.
struct Figures {
    private(set) var isOn = false
    private var latest: [Pair: Latest] = [:]
    private var curves: [CurveKey: FigureCurve] = [:]
    /// What is being measured.
    private var asked: [Candidate]?
    /// Answers to orders from before figures were off, or tiles others, are of no use.
    private var isAskedInVain = false

    /// What is measured against what.
    struct Pair: Hashable {
        let reference: TileID
        let other: TileID
    }

    /// Two frames that are shown together.
    struct Candidate {
        let pair: Pair
        let reference: Side
        let other: Side
        /// By how much one is ahead of the other: another plot for each.
        let offset: Time
    }

    struct Side {
        let frame: any WallFrame
        let stamp: Stamp
        /// Which item it is of, and how much of that it lasts through, from 0 to 1; nil: there is no telling.
        let place: (item: Int, shares: Range<Double>)?
    }

    struct Latest {
        let stamps: [Stamp]
        /// nil: they can't be measured.
        let answer: FiguresOrder.Answer?
    }

    enum Axis: Hashable { case reference, other }

    private struct CurveKey: Hashable {
        let pair: Pair
        let axis: Axis
        let item: Int
        let offset: Time
    }

    mutating func toggle() {
        let isAsked = asked != nil
        self = Figures(isOn: !isOn, isAskedInVain: isAsked || isAskedInVain)
    }

    /// What tiles play, or where, is something else now.
    mutating func forget() { self = Figures(isOn: isOn, isAskedInVain: asked != nil || isAskedInVain) }

    /// Removes the last measurement of a pair, so that it is no longer shown.
    mutating func forget(_ pair: Pair) { latest[pair] = nil }

    init() {}

    private init(isOn: Bool, isAskedInVain: Bool) { (self.isOn, self.isAskedInVain) = (isOn, isAskedInVain) }

    subscript(pair: Pair) -> Latest? { latest[pair] }

    func plot(_ pair: Pair, over axis: Axis, item: Int, offset: Time) -> FigurePlot? {
        curves[CurveKey(pair: pair, axis: axis, item: item, offset: offset)]?.plot
    }

    /// What of these is to be measured now; nil: nothing, or something else still is.
    mutating func order(_ candidates: [Candidate]) -> FiguresOrder? {
        guard asked == nil, !isAskedInVain else { return nil }
        var seen: Set<[Stamp]> = []
        let wanted = candidates.filter { candidate in
            candidate.reference.frame.keeps(.all) && candidate.other.frame.keeps(.all)
                && latest[candidate.pair]?.stamps != candidate.stamps && seen.insert(candidate.stamps).inserted
        }
        if wanted.isEmpty { return nil }
        asked = wanted
        return FiguresOrder(
            pairs: wanted.map { FiguresOrder.Pair(reference: $0.reference.frame, other: $0.other.frame) })
    }

    /// In the order's order; nil for a pair that can't be measured.
    mutating func take(_ answers: [FiguresOrder.Answer?]) {
        defer { (asked, isAskedInVain) = (nil, false) }
        guard let asked, !isAskedInVain else { return }
        for (candidate, answer) in zip(asked, answers) {
            latest[candidate.pair] = Latest(stamps: candidate.stamps, answer: answer)
            guard let figures = answer?.figures else { continue }
            for (axis, side) in [(Axis.reference, candidate.reference), (.other, candidate.other)] {
                guard let place = side.place else { continue }
                let key = CurveKey(pair: candidate.pair, axis: axis, item: place.item, offset: candidate.offset)
                // Of an offset that is not any more there is nothing to be seen.
                if curves[key] == nil {
                    curves = curves.filter { $0.key.pair != key.pair || $0.key.offset == key.offset }
                }
                curves[key, default: FigureCurve()].note(figures, over: place.shares)
            }
        }
    }
}

extension Figures.Candidate {
    var stamps: [Stamp] { [reference.stamp, other.stamp] }
}
