@testable import WallCore

/// One layout, or two with a byte between them that stands in no text: the second takes the place of the first on a wall
/// in simulated time. What was changed by hand is written into the first, which must be a layout still.
@Sendable func feedLayouts(_ bytes: UnsafeBufferPointer<UInt8>) {
    let texts = bytes.split(separator: 0xFF, maxSplits: 1).map(Array.init)
    let layouts = texts.compactMap { text -> Layout? in
        switch LayoutReader.read(text, path: "/a/wall.json") {
        case .layout(let layout): return layout
        case .mistakes(let mistakes):
            precondition(mistakes.count > 0 && mistakes.lines(path: "wall.json").allSatisfy { $0.utf8.count < 2000 })
            return nil
        }
    }
    guard let first = layouts.first, layouts.allSatisfy({ $0.tiles.count <= 16 }) else { return }
    var world = Simulation(first, clips: clips(of: layouts), pipelines: 2)
    world.run(for: .milliseconds(200))
    world.command(.focus(.number(2)))
    world.command(.mute(.toggle, .tile))
    world.command(.volume(.by(-30), .wall))
    if layouts.count == texts.count, let patched = try? LayoutPatch.patched(texts[0], with: world.wall.changesByHand) {
        guard case .layout = LayoutReader.read(patched, path: "/a/wall.json") else {
            preconditionFailure("a layout into which changes were written is none")
        }
    }
    for layout in layouts.dropFirst() {
        world.apply(layout)
        world.run(for: .milliseconds(200))
    }
}

/// Whatever they name is there, of lengths that are alike in each run.
private func clips(of layouts: [Layout]) -> [String: FakeClip] {
    var clips: [String: FakeClip] = [:]
    for segment in layouts.flatMap(\.tiles).flatMap(\.play).prefix(100).flatMap(\.segments) {
        let kind = segment.source.utf8.count
        clips[segment.source] = FakeClip(frames: 1 + kind * 7 % 90, isStill: kind % 7 == 0, isSound: kind % 11 == 0)
    }
    return clips
}
