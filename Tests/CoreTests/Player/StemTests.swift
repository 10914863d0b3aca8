import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Heard
@testable import Layout
@testable import Player
@testable import Scene
@testable import SimulatedWall

private let clips = ["a": FakeClip(frames: 60), "b": FakeClip(frames: 90), "ad": FakeClip(frames: 30)]

private func stems(_ names: [String] = ["vocals", "band"]) -> ItemAudio {
    .stems(ItemAudio.Stems(names.map { ItemAudio.Stem($0, "\($0).ogg") }))
}

private func song(_ source: String, _ audio: ItemAudio, key: Int = 0) -> Item {
    var item = Item(source: source)
    (item.audio, item.key) = (audio, key)
    return item
}

private func layout(_ tiles: [[Item]]) -> Layout {
    Layout(
        title: "test",
        tiles: tiles.enumerated().map { place, items in
            TileLayout(
                id: "tile\(place + 1)", place: .cell(column: place, row: 0, columns: 1, rows: 1), play: items)
        })
}

private func playing(_ layout: Layout) -> Simulation {
    var world = Simulation(layout, clips: clips)
    world.run(for: .milliseconds(500))
    return world
}

extension Simulation {
    fileprivate var parts: [SoundScene.Part] { wall.soundScene(at: now).parts }
    /// Current gain of each part.
    fileprivate var levels: [Float] {
        parts.map { part in
            let sample = part.plan.sample(heardAt: now)
            return part.plan.levels.last { $0.start <= sample }?.gain ?? 1
        }
    }
    fileprivate var keys: [Int] { parts.compactMap { $0.plan.runs.first?.key } }
}

@Suite struct StemTests {
    @Test func eachStemIsAPartOnTheSameClock() {
        let world = playing(layout([[song("a", stems())]]))
        expect(world.parts.map(\.sound.stem) == [0, 1] && Set(world.parts.map(\.sound.number)).count == 1)
        expect(world.parts.map { $0.plan.runs.first?.source.location }, equals: ["vocals.ogg", "band.ogg"])
        expect(world.parts[0].plan.clock, equals: world.parts[1].plan.clock)
        expect(world.parts.map(\.gain) == [1, 1] && world.levels == [1, 1])
    }

    @Test func ofASongAndItsInstrumentalOneIsHeard() {
        var choice = ItemAudio.Stems(["song", "instrumental"].map { ItemAudio.Stem($0, "\($0).ogg") })
        (choice.isChoice, choice.files[1].isMuted) = (true, true)
        var world = playing(layout([[song("a", .stems(choice))]]))
        expect(world.levels, equals: [1, 0])
        world.command(.stems([Change.StemChange(.number(0), mute: .toggle)]))
        expect(world.levels, equals: [0, 1])
        world.command(.stems([Change.StemChange(.named("instrumental"), mute: .on)]))
        expect(world.levels, equals: [1, 0])
        world.command(.stems([Change.StemChange(.number(1), volume: .to(50))]))
        expect(world.wall.tiles[0].play[0].audio.stems.map(\.isMuted), equals: [false, true])
    }

    @Test func offsetChannelAndVolumeAreOfAllOfThem() {
        var sound = ItemAudio.Stems([ItemAudio.Stem("one", "1.ogg"), ItemAudio.Stem("two", "2.ogg")])
        (sound.offset, sound.channel, sound.volume) = (.milliseconds(200), .left, 50)
        (sound.files[1].offset, sound.files[1].volume) = (.milliseconds(100), 50)
        let world = playing(layout([[song("a", .stems(sound))]]))
        let runs = world.parts.compactMap { $0.plan.runs.first }
        expect(runs.map(\.from), equals: [-.milliseconds(200), -.milliseconds(300)])
        expect(runs.map(\.source.choice.channel) == [.left, .left] && runs.map(\.gain) == [0.125, 0.125])
        expect(world.levels, equals: [1, 0.125])
    }

    @Test func theKeyMutesTheFirstOneAndIsHeardWithoutAnotherRun() {
        var world = playing(layout([[song("a", stems())]]))
        let before = world.parts
        world.command(.stems([Change.StemChange(.number(0), mute: .toggle)]))
        expect(world.levels == [0, 1] && world.parts.map(\.sound) == before.map(\.sound))
        // Muted stems are still decoded.
        expect(world.parts.map(\.gain), equals: [1, 1])
        let (old, new) = (before[0].plan.runs[0], world.parts[0].plan.runs[0])
        expect(new.continues(old))
        world.command(.stems([Change.StemChange(.number(0), mute: .toggle)]))
        expect(world.levels, equals: [1, 1])
    }

    @Test func withoutStemsThereIsNothingToMute() {
        var world = playing(layout([[song("a", .track(1))]]))
        let isDone = world.wall.carryOut(.stems([Change.StemChange(.number(0), mute: .toggle)]), at: world.now)
        expect(!isDone)
        expect(world.parts.count == 1 && world.wall.property("stems", at: world.now) == .success(.list([])))
    }

    @Test func theNextItemHasItsOwn() {
        var world = playing(layout([[song("a", stems()), song("b", stems(["piano"]))]]))
        world.command(.stems([Change.StemChange(.number(0), mute: .on)]))
        world.run(for: .milliseconds(1200))
        // The seam is a third of a second away.
        let levels = world.parts[0].plan.levels
        expect(levels.count >= 2 && levels[0].gain == 0 && levels[1].gain == 1)
        expect(levels[1].start, equals: SoundGrid.sample(at: .seconds(2)))
        expect(world.parts[1].plan.runs.allSatisfy { $0.source.location == "band.ogg" })
        world.run(for: .milliseconds(600))
        expect(world.levels[0], equals: 1)
    }

    @Test func whatFadesIsNoLouderThanItsSofterPart() {
        var runs = [
            SoundRun(source: "a", start: .zero, end: .seconds(2)), SoundRun(source: "b", start: .seconds(1)),
        ]
        (runs[0].level, runs[1].fade) = (0, .seconds(1))
        let levels = SoundPlan(runs: runs, clock: Clock(position: .zero, rate: .one)).levels
        expect(levels.map(\.gain) == [0, 0, 1] && levels.map(\.start) == [0, 48_000, 96_000])
    }

    @Test func propertiesNameThem() {
        var world = playing(layout([[song("a", stems())], [song("a", stems())]]))
        expect(world.wall.set("stems/vocals/mute", to: .flag(true), at: world.now), equals: nil)
        expect(world.wall.set("stems/1/volume", to: .integer(30), at: world.now), equals: nil)
        let reported = PropertyValue.list([
            .object([.init("name", .text("vocals")), .init("volume", .number(100)), .init("mute", .flag(true))]),
            .object([.init("name", .text("band")), .init("volume", .number(30)), .init("mute", .flag(false))]),
        ])
        expect(world.wall.property("stems", at: world.now), equals: .success(reported))
        let list = PropertyValue.list([.object([.init("name", .text("band")), .init("mute", .text("yes"))])])
        expect(world.wall.set("stems", to: list, at: world.now), equals: nil)
        expect(world.levels[0...1], equals: [0, 0])
        // The other tile views the same feed and has its own sound.
        expect(world.wall.feeds.count == 1 && world.parts.count == 4 && world.levels[2...3] == [1, 1])
        expect(world.wall.set("stems/drums/mute", to: .flag(true), at: world.now), equals: .propertyUnavailable)
        expect(world.wall.set("stems/vocals/pan", to: .flag(true), at: world.now), equals: .propertyNotFound)
        expect(world.wall.set("stems/vocals/mute", to: .text("x"), at: world.now), equals: .propertyFormat)
    }

    @Test func whatIsWrongAboutThemIsExplained() {
        var world = playing(layout([[song("a", stems())], [song("b", .track(1))]]))
        func refusal(_ path: String, _ change: Change.PropertyChange) -> String? {
            var refusal: String?
            world.act { wall, now in
                let error = wall.changeProperty(path, change, of: nil, .group, at: now)
                refusal = error.flatMap { $0.detail ?? WallReport(wall, at: now).reason($0, of: path) }
            }
            return refusal
        }
        let missing = "tile1 has no stem \"x\"; there are vocals, band", numbers = "a number from 0 to 100"
        let list = PropertyValue.list([.object([.init("name", .text("x")), .init("volume", .integer(1))])])
        let cases: [(String, Change.PropertyChange, String)] = [
            ("stems/x/volume", .set(.integer(10)), missing), ("stems/x/volume", .add(1), missing),
            ("tiles/tile1/stems/x/volume", .set(.integer(10)), missing), ("stems", .set(list), missing),
            ("stems/9/volume", .set(.integer(1)), "tile1 has no stem \"9\"; there are vocals, band"),
            ("stems/", .set(.integer(1)), "tile1 has no stem \"\"; there are vocals, band"),
            ("tiles/tile2/stems/x/mute", .set(.flag(true)), "tile2 has no stem \"x\"; its item has none"),
            (
                "stems/vocals/offset", .set(.integer(1)),
                "stems/vocals has no part \"offset\"; it has name, volume, mute"
            ),
            ("stems/vocals/offset", .add(1), "stems/vocals has no part \"offset\"; it has name, volume, mute"),
            ("stems/vocals", .set(.integer(1)), "stems/vocals can only be read; its mute and volume can be set"),
            ("stems/vocals/name", .set(.text("x")), "stems/vocals/name can only be read"),
            ("stems/vocals/volume", .set(.text("x")), "stems/vocals/volume takes \(numbers)"),
            ("stems/vocals/mute", .set(.integer(1)), "stems/vocals/mute takes true or false (yes or no)"),
            ("stems/vocals/mute", .add(1), "stems/vocals/mute takes true or false (yes or no)"),
            ("tiles/tile1/stems/0/volume", .set(.flag(true)), "stems/0/volume takes \(numbers)"),
        ]
        for (path, change, reason) in cases { expect(refusal(path, change), equals: reason, "\(path) \(change)") }
        // A sum beyond the bounds is limited to them.
        expect(refusal("stems/vocals/volume", .add(1000)), equals: nil)
        expect(world.wall.tiles[0].play[0].audio.stems[0].volume, equals: 100)
    }

    @Test func aNumberIsAPlaceUnlessItIsAName() {
        var world = playing(layout([[song("a", stems(["1", "2", "band"]))]]))
        expect(world.wall.set("stems/1/mute", to: .flag(true), at: world.now), equals: nil)
        expect(world.wall.set("stems/0/volume", to: .integer(50), at: world.now), equals: nil)
        let stems = world.wall.tiles[0].play[0].audio.stems
        expect(stems.map(\.isMuted) == [true, false, false] && stems.map(\.volume) == [50, 100, 100])
    }

    @Test func aStemThatIsMissingIsReportedOnceAndTheOthersAreHeard() {
        var world = playing(layout([[song("a", stems())]]))
        let sounds = world.parts.map(\.sound)
        let failed = SoundCondition.failed(source: "vocals.ogg", SourceTrouble(.missing, "no such file"))
        world.wall.player.note(.sounds([sounds[0]: failed, sounds[1]: .sounding(tracks: 1)]), at: world.now)
        world.wall.player.note(.sounds([sounds[0]: .unknown, sounds[1]: .sounding(tracks: 1)]), at: world.now)
        world.wall.player.note(.sounds([sounds[0]: failed, sounds[1]: .sounding(tracks: 1)]), at: world.now)
        let reported = world.wall.finishChange(at: world.now).events.count {
            if case .trouble = $0.what { true } else { false }
        }
        expect(reported == 1 && world.wall.whyUnheard(0) == nil)
        world.wall.player.note(
            .sounds([sounds[0]: failed, sounds[1]: .failed(source: "band.ogg", SourceTrouble(.missing, "no"))]),
            at: world.now)
        expect(world.wall.whyUnheard(0), equals: .unplayable)
    }

    @Test func whatWasSetByHandStaysWhereTheLayoutSaysTheSame() {
        var world = playing(layout([[song("a", stems(), key: 1), song("b", stems())]]))
        world.command(.stems([Change.StemChange(.number(0), mute: .on, volume: .to(40))]))
        world.command(.key(.by(2)))
        // The new layout has one more item before the song, the same key, and another volume.
        var sound = ItemAudio.Stems([ItemAudio.Stem("vocals", "vocals.ogg"), ItemAudio.Stem("band", "band.ogg")])
        sound.files[0].volume = 70
        var next = layout([[song("ad", .track(1)), song("a", .stems(sound), key: 1), song("b", stems())]])
        world.apply(next)
        let item = world.wall.tiles[0].play[1]
        expect(item.key == 3 && item.audio.stems[0].isMuted && item.audio.stems[0].volume == 70)
        next.tiles[0].play[1].key = -2
        world.apply(next)
        expect(world.wall.tiles[0].play[1].key == -2 && world.wall.tiles[0].play[1].audio.stems[0].isMuted)
    }

    @Test func aBreakTakesNothingOfItAway() {
        var show = layout([[song("a", stems()), song("b", stems())]])
        show.breaks = [BreakLayout(name: "ad", play: [song("ad", .track(1))])]
        var world = playing(show)
        world.command(.playBreak("ad"))
        world.command(.key(.to(4)))
        world.run(for: .seconds(4))
        expect(world.wall.tiles[0].play.count == 2 && world.wall.tiles[0].play[0].key == 4)
    }

    @Test func volumesAndMutesAreSaved() throws {
        let text = """
            {"tiles": [{"play": ["x", {"src": "a", "audio": {"stems": [{"name": "v", "src": "v.ogg"}, \
            {"src": "b.ogg", "volume": 90}]}}]}]}
            """
        guard case .layout(let read) = LayoutReader.read(Array(text.utf8), path: "-") else {
            Issue.record("no layout")
            return
        }
        var world = Simulation(read, clips: ["x": FakeClip(frames: 30), "a": FakeClip(frames: 600)])
        world.run(for: .seconds(2))
        world.command(
            .stems([
                Change.StemChange(.named("v"), mute: .on), Change.StemChange(.number(1), volume: .to(20)),
            ]))
        let saved = try LayoutPatch.patched(Array(text.utf8), with: world.wall.changesByHand)
        expect(
            String(decoding: saved, as: UTF8.self),
            equals: text.replacing(#""v.ogg"}"#, #""v.ogg", "mute": true}"#).replacing("90", "20"))
    }
}

extension String {
    /// Returns the text with one part replaced. Swift's own function needs Foundation.
    fileprivate func replacing(_ part: String, _ other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}

@Suite struct KeyTests {
    @Test func aKeyMovesByASemitoneAndStopsAtAnOctave() {
        var world = playing(layout([[song("a", .track(1), key: 10)]]))
        expect(world.keys, equals: [10])
        for key in [11, 12, 12] {
            world.command(.key(.by(1)))
            expect(world.wall.property("key", at: world.now), equals: .success(.integer(key)))
        }
        expect(world.wall.set("key", to: .integer(-30), at: world.now), equals: nil)
        expect(world.keys, equals: [-12])
        let sound = world.parts[0].sound
        world.command(.key(.by(1)))
        // The voice's decoder goes on.
        expect(world.parts[0].sound, equals: sound)
    }

    @Test func ofTwoTilesOfOneFeedEachHasItsOwn() {
        var world = playing(layout([[song("a", .track(1))], [song("a", .track(1))]]))
        expect(world.parts.count, equals: 1)
        world.command(.key(.by(-3)))
        expect(world.wall.feeds.count == 1 && world.keys.sorted() == [-3, 0])
    }

    /// The sound that is heard keeps its decoder, whichever tile it belongs to.
    @Test func whatIsHeardGoesOnWithItsVoiceWhenItIsSharedNoMore() throws {
        var world = playing(layout([[song("a", .track(1))], [song("a", .track(1))]]))
        let sound = world.parts[0].sound
        world.command(.focus(.number(2)))
        world.command(.key(.by(-3)))
        let heard = try #require(world.parts.first { !$0.gain.isSilent })
        expect(heard.sound == sound && heard.plan.runs.first?.key == -3)
    }

    @Test func theKeysOfTheKeyboard() {
        let table = KeyTable.wall
        expect(table.change(for: .named("UP"), .shift, isRepeated: true), equals: .property("key", .add(1), .group))
        expect(table.change(for: .named("DOWN"), .shift, isRepeated: false), equals: .property("key", .add(-1), .group))
        expect(table.change(for: .named("UP"), [], isRepeated: false), equals: .property("volume", .add(5), .group))
        let mute = Change.stems([Change.StemChange(.number(0), mute: .toggle)])
        expect(table.change(for: .letter("l"), [], isRepeated: false), equals: mute)
    }

    @Test(arguments: [(0, nil), (2, "+2"), (-3, "\u{2212}3")] as [(Int, String?)])
    func aSignSaysIt(key: Int, text: String?) {
        var marks = Marks()
        marks.pace.key = Marks.Pace.text(ofKey: key)
        expect(marks.pace.text, equals: text)
        marks.pace.rate = "1.5×"
        expect(marks.pace.text, equals: (text.map { $0 + "  " } ?? "") + "1.5×")
    }

    @Test func anotherKeyIsAnotherSoundOnTheSameLine() {
        let run = SoundRun(source: "a", start: .zero, end: .seconds(2))
        var other = run
        (other.key, other.end, other.level) = (2, .seconds(3), 0)
        expect(other.isTransposed(from: run) && !other.continues(run) && !run.isTransposed(from: run))
        other.from = .seconds(1)
        expect(!other.isTransposed(from: run))
    }
}
