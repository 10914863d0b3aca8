import Base
import Commands
import Decoded
import Feeds
import Layout
import Measurement
import Scene

/// Figures of the frames on the screen against those of the first tile, and their past values.
///
/// One order is measured at a time. Frames that are shown meanwhile are not measured.
struct Figures: Feature {
    private(set) var isOn = false
    /// The last measurement of each pair; its answer is nil if the pair can't be measured.
    var latest: [Pair: (pixels: [Pixels], answer: FiguresOrder.Answer?)] = [:]
    /// Whether the frames of a pair fit better when they are shifted.
    var shifts = FigureShifts()
    private var histories: [HistoryKey: History] = [:]
    /// Frames to which `goToNextWorst` has gone: the first ones of its list.
    private var visited: [Worst.Place] = []
    /// Candidates of the order that is being measured; nil while there is none.
    private var asked: [Candidate]?
    /// True while the answers to come are useless, because figures were switched off or the tiles changed.
    private var ignoresAnswers = false

    /// The two tiles that are measured against each other.
    struct Pair: Hashable {
        let reference: TileID
        let other: TileID
    }

    /// Two frames that are shown together.
    struct Candidate {
        let pair: Pair
        let reference: Side
        let other: Side
        /// Difference in time between the two. Each offset has its own plot.
        let offset: Time
    }

    struct Side {
        let frame: Frame
        let stamp: Stamp
        /// The part of the turned and flipped frame that is measured.
        let crop: Fractions
        /// Item of the frame, its start in the item, and the part of the item during which it is shown, from 0 to 1;
        /// nil if unknown.
        let place: (item: ItemPlace, start: Time, shares: Range<Double>)?
    }

    /// The measured pixels of a side.
    struct Pixels: Hashable {
        let stamp: Stamp
        let crop: Fractions
    }

    enum Axis: Hashable { case reference, other }

    private struct HistoryKey: Hashable {
        let pair: Pair
        let axis: Axis
        let item: ItemPlace
        let terms: Terms
    }

    /// Past figures are plotted together as long as these are the same.
    struct Terms: Hashable {
        let offset: Time
        let crops: [Fractions]
    }

    /// Past figures of an item.
    private struct History {
        var curve = FigureCurve()
        var worst = Worst(most: mostWorst)
    }

    /// The worst measured frames of an item, by the tile whose frame was measured. Times are those in the reference's
    /// item.
    typealias Worst = WorstFrames<TileID>

    static let mostWorst = 200

    /// Called when the tiles play something else or were moved in time.
    mutating func forget() {
        let kept = (isOn: isOn, ignoresAnswers: asked != nil || ignoresAnswers)
        self = Figures()
        (isOn, ignoresAnswers) = kept
    }

    func plot(_ candidate: Candidate, over axis: Axis, item: ItemPlace) -> FigurePlot? {
        histories[HistoryKey(pair: candidate.pair, axis: axis, item: item, terms: candidate.terms)]?.curve.plot
    }

    /// Returns the worst measured frames of an item of the reference. nil if none was measured.
    func worst(of pair: Pair, in item: ItemPlace, offset: Time) -> [Worst.Place]? {
        histories.first {
            let key = $0.key
            return (key.pair, key.axis, key.item, key.terms.offset) == (pair, .reference, item, offset)
        }?.value.worst.all
    }

    /// Notes and returns the next frame to visit of `frames`, with its number from 1. nil if there are none.
    mutating func visitNext(of frames: [Worst.Place]) -> (Worst.Place, number: Int)? {
        if visited.count >= frames.count || !frames.starts(with: visited) { visited = [] }
        guard visited.count < frames.count else { return nil }
        visited.append(frames[visited.count])
        return (visited[visited.count - 1], visited.count)
    }

    /// Returns the pairs to be measured now; nil if there are none, or while another order is being measured.
    mutating func order(_ candidates: [Candidate]) -> FiguresOrder? {
        guard asked == nil, !ignoresAnswers else { return nil }
        var seen: Set<[Pixels]> = []
        let wanted = candidates.filter { candidate in
            candidate.reference.frame.keeps(.all) && candidate.other.frame.keeps(.all)
                && latest[candidate.pair]?.pixels != candidate.pixels && seen.insert(candidate.pixels).inserted
        }
        if wanted.isEmpty { return nil }
        asked = wanted
        return FiguresOrder(
            pairs: wanted.map { candidate in
                FiguresOrder.Pair(
                    reference: candidate.reference.ordered, other: candidate.other.ordered,
                    before: shifts.before(candidate).map { ($0.reference.ordered, $0.other.ordered) })
            })
    }

    /// Takes the answers in the order's sequence. An answer is nil for a pair that can't be measured.
    mutating func take(_ answers: [FiguresOrder.Answer?]) {
        defer { (asked, ignoresAnswers) = (nil, false) }
        guard let asked, !ignoresAnswers else { return }
        for (candidate, answer) in zip(asked, answers) {
            latest[candidate.pair] = (candidate.pixels, answer)
            guard let answer else { continue }
            let figures = answer.figures
            shifts.take(answer.shifts, of: candidate)
            for (axis, side) in [(Axis.reference, candidate.reference), (.other, candidate.other)] {
                guard let place = side.place else { continue }
                let key = HistoryKey(pair: candidate.pair, axis: axis, item: place.item, terms: candidate.terms)
                // Past figures on other terms are dropped.
                if histories[key] == nil {
                    histories = histories.filter { $0.key.pair != key.pair || $0.key.terms == key.terms }
                }
                histories[key, default: History()].curve.note(figures, over: place.shares)
                guard axis == .reference else { continue }
                histories[key]?.worst.take(candidate.pair.other, at: place.start, psnr: figures[.psnrAverage])
            }
        }
    }

    // MARK: the feature

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .figures:
            forget()
            isOn.toggle()
            return isOn ? .done(.keepSamples(true)) : .done(.keepSamples(false), .notice("figures off"))
        case .nextWorst: return goToNextWorst(from: tile, snapshot)
        default: return nil
        }
    }

    mutating func sequenceChanges() { forget() }

    /// Requests the figures of a scene that is about to be shown.
    mutating func sceneComes(_ scene: Scene, _ snapshot: Snapshot) -> [Change] {
        guard isOn else { return [] }
        let report = FiguresReport(figures: self, snapshot: snapshot)
        let seen = Set(scene.views.map(\.tile))
        let candidates = scene.views.flatMap { view in
            report.measured(at: view.tile).compactMap { seen.isSuperset(of: $0.neighbours) ? $0.candidate : nil }
        }
        // The last frame of a film that has ended belongs to no instant of the other film.
        let present = candidates.filter { report.absence(of: $0.pair) == nil }
        for candidate in candidates where report.absence(of: candidate.pair) != nil { latest[candidate.pair] = nil }
        shifts.see(present)
        return order(present).map { [.measure($0)] } ?? []
    }

    // MARK: marks

    func change(_ visible: inout MarksVisibility.Visibility) { if isOn { visible.marks = .on } }

    func showsWholeInfo(under pointer: Point?, in scene: Scene, _ snapshot: Snapshot) -> Bool {
        spot(under: pointer, in: scene, snapshot) != nil
    }

    /// Adds the figures of a tile above its other lines.
    func add(to marks: inout Marks, of view: View, _ context: MarksContext, _ snapshot: Snapshot) -> Time? {
        guard isOn else { return nil }
        let report = FiguresReport(figures: self, snapshot: snapshot), width = context.scene.size.width / 3
        let spot = spot(under: context.visible.pointer, in: context.scene, snapshot)
        if marks.progress?.fraction != nil { marks.figures.plot = report.figurePlot(of: view.tile) }
        let info = marks.info, places = MarksPlaces(in: view.marksRect)
        marks.info = []
        let (lines, text) = places.figures(report.figureLines(of: view.tile, under: spot), within: width)
        marks.figures.lines = Array(lines.prefix(places.mostInfo(below: marks, context.extent)))
        (marks.figures.text, marks.figures.width) = (text, width)
        marks.info = Array(info.prefix(places.mostInfo(below: marks, context.extent)))
        return nil
    }

    func hasPlot(_ tile: TileID, _ snapshot: Snapshot) -> Bool {
        isOn && FiguresReport(figures: self, snapshot: snapshot).figurePlot(of: tile) != nil
    }

    /// The pixel under the pointer, in fractions of a frame; nil if there is none, or while figures are off.
    private func spot(under pointer: Point?, in scene: Scene, _ snapshot: Snapshot) -> (x: Double, y: Double)? {
        guard isOn, let pointer else { return nil }
        return FiguresReport(figures: self, snapshot: snapshot).placeInFrame(pointer, in: scene)
    }

    // MARK: properties

    static let wallProperties: [WallProperty] = [
        Property(
            "figures", .wall, takes: .flag, "PSNR and SSIM are measured and shown", inObjects: .absent,
            get: { .flag($0.features[Figures.self].isOn) },
            set: { given in
                guard let isOn = given.value.asFlag else { return .refused(given.value.refusal) }
                return .change(isOn == given.report.snapshot.needs.keepsSamples ? nil : .figures)
            })
    ]

    static let tileProperties: [TileProperty] = [
        figure(.psnrAverage, "PSNR of its frame to the reference's, in dB, while `figures` is true"),
        figure(.psnrY, "PSNR of the luma plane alone"), figure(.psnrU, "PSNR of U alone"),
        figure(.psnrV, "PSNR of V alone"),
        figure(.ssim, "SSIM of its frame to the reference's, at most 1, while `figures` is true"),
    ]

    static let areOff = "figures are off; the property figures, or the key y, switches them on"

    private static func figure(_ name: FrameFigures.Name, _ help: String) -> TileProperty {
        Property(
            name.rawValue, .tile, help,
            get: {
                FiguresReport(figures: $0.features[Figures.self], snapshot: $0.snapshot).figure(name, of: $0.owner)
                    .map { .number($0) }
            },
            reasonWithoutValue: { report in
                report.snapshot.needs.keepsSamples
                    ? "nothing is measured of this tile yet, or it is the reference" : areOff
            })
    }
}

extension Figures.Candidate {
    var pixels: [Figures.Pixels] { [reference.pixels, other.pixels] }
    var terms: Figures.Terms { Figures.Terms(offset: offset, crops: [reference.crop, other.crop]) }
}

extension Figures.Side {
    fileprivate var pixels: Figures.Pixels { Figures.Pixels(stamp: stamp, crop: crop) }
    fileprivate var ordered: FiguresOrder.Side { FiguresOrder.Side(frame, crop: crop) }
}

extension Wall {
    /// Takes the results of a `FiguresOrder`, in its order.
    public mutating func take(_ answers: [FiguresOrder.Answer?], at now: Time) {
        features.change(Figures.self) { $0.take(answers) }
        make([.draw], at: now)
    }
}
