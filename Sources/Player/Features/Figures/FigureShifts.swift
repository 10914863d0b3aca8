import Measurement

/// Whether the measured films fit better when their frames are shifted by one, from a few pairs of adjacent frames.
///
/// Keeps two frames of each visible film.
struct FigureShifts {
    private var pairs: [Figures.Pair: State] = [:]

    private struct State {
        var last: Figures.Candidate
        /// Frames that were shown before the last.
        var before: Figures.Candidate?
        var fit = ShiftedFit()
        /// Number of measurements on the same terms.
        var count = 0
    }

    /// Notes frames that are shown together. Forgets pairs that are not shown any more.
    mutating func see(_ candidates: [Figures.Candidate]) {
        var next: [Figures.Pair: State] = [:]
        for candidate in candidates {
            guard var state = pairs[candidate.pair], state.last.terms == candidate.terms else {
                next[candidate.pair] = State(last: candidate)
                continue
            }
            if state.last.pixels != candidate.pixels { (state.before, state.last) = (state.last, candidate) }
            next[candidate.pair] = state
        }
        pairs = next
    }

    /// Returns the frames before those of `candidate`; nil if they are unknown, or if no sample is needed now.
    func before(_ candidate: Figures.Candidate) -> Figures.Candidate? {
        guard let state = pairs[candidate.pair], state.last.pixels == candidate.pixels, let before = state.before,
            state.count < Self.manySamples || state.count % Self.manySamples == 0,
            before.reference.frame.keeps(.all), before.other.frame.keeps(.all),
            Self.follows(candidate.reference, before.reference), Self.follows(candidate.other, before.other)
        else { return nil }
        return before
    }

    private static let manySamples = 16

    /// True if `side` shows a later frame of the same item.
    private static func follows(_ side: Figures.Side, _ before: Figures.Side) -> Bool {
        guard let place = side.place, let former = before.place else { return false }
        return place.item == former.item && place.start > former.start
    }

    /// Counts a measurement of a pair. `errors`: the errors by shift, if they were measured.
    mutating func take(_ errors: [Double]?, of candidate: Figures.Candidate) {
        pairs[candidate.pair]?.count += 1
        guard let errors, pairs[candidate.pair]?.last.terms == candidate.terms else { return }
        pairs[candidate.pair]?.fit.take(errors)
    }

    /// The shift by which the frames of a pair fit clearly better; nil if none does.
    func better(_ candidate: Figures.Candidate) -> ShiftedFit.Shift? {
        pairs[candidate.pair].flatMap { $0.last.terms == candidate.terms ? $0.fit.better : nil }
    }
}
