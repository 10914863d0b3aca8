@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Reads one layout, or two separated by the byte 0xFF: the second replaces the first on a wall in simulated time. The
/// changes made by commands are written into the first, which must still be a layout.
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

/// A clip for each source of the layouts. Its length depends on its name alone.
private func clips(of layouts: [Layout]) -> [String: FakeClip] {
    var clips: [String: FakeClip] = [:]
    for segment in layouts.flatMap(\.tiles).flatMap(\.play).prefix(100).flatMap(\.segments) {
        let kind = segment.source.utf8.count
        clips[segment.source] = FakeClip(frames: 1 + kind * 7 % 90, isStill: kind % 7 == 0, isSound: kind % 11 == 0)
    }
    return clips
}
