import Expectations
import Testing

@testable import Analysis
@testable import Base
@testable import Layout
@testable import Opened

@Suite struct SilenceJudgeTests {
    /// Returns a layout of three sources: one with two tracks, one without sound, and one that is never opened.
    private func layout(_ change: (inout Layout) -> Void = { _ in }) -> Layout {
        var layout = Layout.ofMedia(["two", "still", "gone"])
        change(&layout)
        return layout
    }

    private func silences(_ layout: Layout) -> [String] {
        let languages: [String: [String?]] = ["two": ["ger", nil], "still": [], "song": [nil]]
        let judge = SilenceJudge(layout) { source in
            var facts = OpenedFacts(kind: .video, length: .seconds(10))
            guard let languages = languages[source] else { return nil }
            facts.soundTracks = languages.map { SoundTrack(language: $0, codec: "aac", channels: 2, rate: 48_000) }
            return facts
        }
        return layout.tiles.indices.flatMap { tile in
            judge.silences(of: tile).map {
                "\(tile) \($0.item.map(String.init) ?? "-") \($0.code.rawValue): \($0.words)"
            }
        }
    }

    private func audio(_ audio: ItemAudio) -> [String] {
        silences(
            layout {
                $0.audio.mode = .mix
                $0.tiles[0].play[0].audio = audio
            }
        ).filter { $0.hasPrefix("0") }
    }

    private func other(_ change: (inout ItemAudio.OtherSound) -> Void) -> ItemAudio {
        var other = ItemAudio.OtherSound()
        change(&other)
        return .other(other)
    }

    @Test func whoeverIsNotHeardIsNamedWithItsCause() {
        expect(
            silences(layout()),
            equals: [
                "1 - not-focused: the focus is on tile1 at the start",
                "1 0 soundless: still has no sound",
                "2 - not-focused: the focus is on tile1 at the start",
                "2 0 broken: gone can't be played",
            ])
    }

    @Test func mutesAndVolumesAreCauses() {
        let layout = layout {
            $0.audio.mode = .mix
            $0.audio.volume = 0
            $0.tiles.removeLast(2)
            ($0.tiles[0].isMuted, $0.tiles[0].volume) = (true, 0)
        }
        expect(
            silences(layout),
            equals: [
                "0 - wall-volume-zero: the wall's volume is 0", "0 - muted: it is muted",
                "0 - volume-zero: its volume is 0",
            ])
    }

    @Test func tracksThatAreNotThereAreCauses() {
        expect(audio(.track(2)).isEmpty)
        expect(audio(.track(3)), equals: ["0 0 no-track: two has no sound track 3, but 2 in all"])
        expect(audio(.language("de-AT")).isEmpty)
        expect(audio(.language("fr")), equals: ["0 0 no-track: two has no sound in fr, but in ger, unnamed"])
        expect(audio(.silent), equals: ["0 0 left-out: the layout leaves its sound out"])
        expect(audio(other { $0.source = "song" }).isEmpty)
        expect(audio(other { $0.source = "none" }), equals: ["0 0 broken: none can't be played"])
        expect(audio(other { $0.volume = 0 }), equals: ["0 0 volume-zero: the volume of its sound is 0"])
    }

    @Test func anItemOfASequenceIsNamedByItsPlace() {
        let layout = layout {
            $0.tiles[0].play.append(Item(source: "still"))
            $0.tiles.removeLast(2)
        }
        expect(silences(layout), equals: ["0 1 soundless: item 1: still has no sound"])
    }
}
