import Base
import Expectations
import Layout
import Player
import Testing

@testable import SimulatedWall

/// Texts of the card and the trace for a source that can't be played.
@Suite struct TroubleWords {
    private func card(_ world: inout Simulation) -> String? {
        var text: String?
        world.act { wall, now in
            if case .card(let card)? = wall.composeScene(at: now).scene.views.first?.content, card.kind == .trouble {
                text = card.detail
            }
        }
        return text
    }

    private func traced(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            if case .trouble(_, _, _, _, let trouble) = event.what { trouble.what } else { nil }
        }
    }

    /// A film is overwritten while the wall runs. Another cause has another text, on the card and in the trace.
    @Test func aCardSaysWhatTheTraceSaidLast() {
        let undecodable = SourceTrouble(.damaged, "none of its frames could be decoded")
        var world = Simulation(.of([["a"]]), clips: ["a": FakeClip(frames: 60, trouble: undecodable)])
        world.run(for: .milliseconds(500))
        expect(card(&world), equals: "none of its frames could be decoded")
        world.clips["a"]!.trouble = SourceTrouble(.damaged, "not a media file")
        world.run(for: .seconds(40))
        expect(card(&world), equals: "not a media file")
        expect(traced(world), equals: ["none of its frames could be decoded", "not a media file"])
    }

    @Test func ofSeveralSourcesACardSaysWhichItMeans() {
        let clips = [
            "films/a.mp4": FakeClip(
                frames: 60, trouble: SourceTrouble(.damaged, "none of its frames could be decoded")),
            "films/b.mp4": FakeClip(frames: 60, trouble: SourceTrouble(.unsupported, "not a media file")),
        ]
        var world = Simulation(.of([["films/a.mp4", "films/b.mp4"]]), clips: clips)
        world.run(for: .milliseconds(500))
        expect(card(&world), equals: "not a media file")
        expect(traced(world), equals: ["none of its frames could be decoded", "not a media file"])
    }

    @Test func aCardCarriesTheLabelElseTheFilesName() {
        let clips = ["films/a.mp4": FakeClip(frames: 60, trouble: SourceTrouble(.missing, "no such file"))]
        for (label, words) in [(nil, ["a.mp4", "no such file"]), ("Left", ["Left", "a.mp4: no such file"])] {
            var world = Simulation(Layout.of([["films/a.mp4"]]) { $0.label = label }, clips: clips)
            world.run(for: .milliseconds(500))
            var seen: [String] = []
            world.act { wall, now in
                guard let view = wall.composeScene(at: now).scene.views.first else { return }
                if case .card(let card) = view.content, card.kind == .trouble { seen = [card.name, card.detail] }
                expect(view.label, equals: nil)
            }
            expect(seen, equals: words)
        }
    }
}
