import Base
import Scene

/// Figures (PSNR and SSIM) of shown frames against those of the first tile.
extension Figures {
    mutating func toggle(_ snapshot: Snapshot) -> [Edit] {
        toggle()
        return [.keepSamples(isOn)] + (isOn ? [] : [.notice("figures off")])
    }

    /// Requests the figures of a scene that is about to be shown.
    mutating func order(of scene: Scene, _ snapshot: Snapshot) -> [Edit] {
        let report = FiguresReport(figures: self, snapshot: snapshot)
        let seen = Set(scene.views.map(\.tile))
        let candidates = scene.views.flatMap { view in
            report.measured(at: view.tile).compactMap { seen.isSuperset(of: $0.neighbours) ? $0.candidate : nil }
        }
        // The last frame of a film that has ended belongs to no instant of the other film.
        let isAbsent = candidates.map { report.absence(of: $0.pair) != nil }
        for (candidate, isAbsent) in zip(candidates, isAbsent) where isAbsent { forget(candidate.pair) }
        let present = zip(candidates, isAbsent).filter { !$0.1 }.map(\.0)
        return order(present).map { [.measure($0)] } ?? []
    }
}
