@testable import WallCore

/// Walls with breaks, and what was seen and told of them.
protocol BreakTesting {}

extension BreakTesting {
    var clips: [String: FakeClip] {
        [
            "a": FakeClip(pictures: 60), "b": FakeClip(pictures: 90), "c": FakeClip(pictures: 30),
            "ad": FakeClip(pictures: 45), "still": FakeClip(pictures: 1, isStill: true),
            "spot": FakeClip(pictures: 15), "flash": FakeClip(pictures: 6),
            "gone": FakeClip(pictures: 30, trouble: SourceTrouble(.missing, "no such file")),
            "odd": FakeClip(pictures: 30, trouble: SourceTrouble(.unsupported, "no film")),
            "udp://live": FakeClip(pictures: 3000, rate: 25, madeFrom: .seconds(40)),
            "stream": FakeClip(pictures: 3000, rate: 25, madeFrom: .seconds(40)),
        ]
    }

    func items(_ names: [String]) -> [Item] { names.map { Item(pieces: [Item.Piece(source: $0)]) } }

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

    /// The clips in the order in which a tile showed them, each with its first and last picture.
    func order(_ world: Simulation, _ tile: Int = 0) -> [String] {
        var runs: [(clip: String, first: Int, last: Int)] = []
        for picture in world.shown[tile].compactMap(\.picture) {
            if let run = runs.last, run.clip == picture.clip, picture.number > run.last {
                runs[runs.count - 1].last = picture.number
            } else {
                runs.append((picture.clip, picture.number, picture.number))
            }
        }
        return runs.dropLast().map { "\($0.clip) \($0.first)-\($0.last)" }
    }

    func states(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            if case .breakChange(let name, let state) = event.what { "\(name) \(state.rawValue)" } else { nil }
        }
    }

    /// What a tile showed of some clips, each picture as often as it came: "b 12".
    func pictures(_ world: Simulation, _ tile: Int = 0, without clips: Set<String> = []) -> [String] {
        world.shown[tile].compactMap(\.picture).filter { !clips.contains($0.clip) }.map { "\($0.clip) \($0.number)" }
    }

    /// Each of its pictures, as `pictures` writes them.
    func whole(_ names: [String]) -> [String] {
        names.flatMap { name in (0..<(clips[name]?.pictures ?? 0)).map { "\(name) \($0)" } }
    }
}
