import Base
import Commands
import Feeds
import Measurement
import Scene

// Figures (PSNR and SSIM) of shown frames against those of the first tile.
extension Figures {
    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        switch command {
        case .figures:
            toggle()
            return isOn ? .done(.keepSamples(true)) : .done(.keepSamples(false), .notice("figures off"))
        case .nextWorst: return goToNextWorst(from: tile, snapshot)
        default: return nil
        }
    }

    func reason(against command: Change, _ snapshot: Snapshot) -> String? {
        if case .nextWorst = command { Self.reasonAgainstWorst(isOn) } else { nil }
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
    func add(to marks: inout Marks?, of view: View, _ context: MarksContext, _ snapshot: Snapshot) {
        guard isOn else { return }
        let report = FiguresReport(figures: self, snapshot: snapshot), width = context.scene.size.width / 3
        let spot = spot(under: context.visible.pointer, in: context.scene, snapshot)
        var changed = marks ?? Marks()
        if changed.progress?.fraction != nil { changed.figures.plot = report.figurePlot(of: view.tile) }
        let info = changed.info, places = MarksPlaces(in: view.marksRect)
        changed.info = []
        let (lines, text) = places.figures(report.figureLines(of: view.tile, under: spot), within: width)
        changed.figures.lines = Array(lines.prefix(places.mostInfo(below: changed, context.extent)))
        (changed.figures.text, changed.figures.width) = (text, width)
        changed.info = Array(info.prefix(places.mostInfo(below: changed, context.extent)))
        marks = changed
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

    private static func figure(_ name: FrameFigures.Name, _ help: String) -> TileProperty {
        Property(
            name.rawValue, .tile, help,
            get: {
                FiguresReport(figures: $0.features[Figures.self], snapshot: $0.snapshot).figure(name, of: $0.owner)
                    .map { .number($0) }
            },
            reasonWithoutValue: { report in
                report.snapshot.needs.keepsSamples
                    ? "nothing is measured of this tile yet, or it is the reference"
                    : "figures are off; the property figures, or the key y, switches them on"
            })
    }
}

extension Wall {
    /// Takes the results of a `FiguresOrder`, in its order.
    public mutating func take(_ answers: [FiguresOrder.Answer?], at now: Time) {
        features.change(Figures.self) { $0.take(answers) }
        make([.draw], at: now)
    }
}
