@testable import Base
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Walls with breaks, and what they showed and reported.
protocol BreakTesting {}

extension BreakTesting {
    var clips: [String: FakeClip] {
        [
            "a": FakeClip(frames: 60), "b": FakeClip(frames: 90), "c": FakeClip(frames: 30),
            "ad": FakeClip(frames: 45), "still": FakeClip(frames: 1, isStill: true),
            "spot": FakeClip(frames: 15), "flash": FakeClip(frames: 6),
            "gone": FakeClip(frames: 30, trouble: SourceTrouble(.missing, "no such file")),
            "odd": FakeClip(frames: 30, trouble: SourceTrouble(.unsupported, "no film")),
            "udp://live": FakeClip(frames: 3000, rate: 25, madeFrom: .seconds(40)),
            "stream": FakeClip(frames: 3000, rate: 25, madeFrom: .seconds(40)),
        ]
    }

    func items(_ names: [String]) -> [Item] { names.map { Item(source: $0) } }

    func entry(
        _ name: String, _ play: [String], _ change: (inout BreakLayout) -> Void = { _ in }
    ) -> BreakLayout {
        var entry = BreakLayout(name: name, play: items(play))
        change(&entry)
        return entry
    }

    func layout(
        _ sequences: [[String]], _ breaks: [BreakLayout], _ change: (inout Layout) -> Void = { _ in }
    ) -> Layout {
        var layout = Layout.of(sequences)
        layout.breaks = breaks
        change(&layout)
        return layout
    }

    func playing(_ layout: Layout, pipelines: Int = 4, for time: Time) -> Simulation {
        var world = Simulation(layout, clips: clips, pipelines: pipelines)
        world.run(for: time)
        return world
    }

    /// Returns the clips in the order in which a tile showed them, each with its first and last frame.
    func order(_ world: Simulation, _ tile: Int = 0) -> [String] {
        var runs: [(clip: String, first: Int, last: Int)] = []
        for frame in world.shown[tile].compactMap(\.frame) {
            if let run = runs.last, run.clip == frame.clip, frame.number > run.last {
                runs[runs.count - 1].last = frame.number
            } else {
                runs.append((frame.clip, frame.number, frame.number))
            }
        }
        return runs.dropLast().map { "\($0.clip) \($0.first)-\($0.last)" }
    }

    func states(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            if case .breakChange(let name, let state) = event.what { "\(name) \(state.rawValue)" } else { nil }
        }
    }

    /// Returns the frames that a tile showed, such as "b 12", except those of `clips`.
    func frames(_ world: Simulation, _ tile: Int = 0, without clips: Set<String> = []) -> [String] {
        world.shown[tile].compactMap(\.frame).filter { !clips.contains($0.clip) }.map { "\($0.clip) \($0.number)" }
    }

    /// Returns every frame of these clips, as `frames` writes them.
    func whole(_ names: [String]) -> [String] {
        names.flatMap { name in (0..<(clips[name]?.frames ?? 0)).map { "\(name) \($0)" } }
    }
}
