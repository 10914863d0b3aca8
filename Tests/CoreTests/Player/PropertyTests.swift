import Expectations
import Foundation
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Measurement
@testable import Opened
@testable import Player
@testable import SimulatedWall

@Suite struct PropertyTests {
    @Test func aSoundTrackHasItsTitleAndLanguage() throws {
        var clip = FakeClip(frames: 90)
        clip.soundTracks = [
            SoundTrack(language: "en", title: "Full", codec: "aac", channels: 2, rate: 48000),
            SoundTrack(language: nil, title: "Instru\u{1B}mental", codec: "aac", channels: 2, rate: 48000),
            SoundTrack(language: nil, codec: "opus", channels: 2, rate: 48000),
        ]
        var world = Simulation(.of([["a"]]), clips: ["a": clip])
        world.run(for: .seconds(1))
        func property(_ name: String) throws -> PropertyValue { try world.wall.property(name, at: world.now).get() }
        guard case .list(let tracks) = try property("track-list") else { throw CancellationError() }
        expect(tracks.map { $0["title"]?.asText }, equals: [nil, "Full", "Instru\u{1B}mental", nil])
        expect(tracks.map { $0["lang"]?.asText }, equals: [nil, "en", nil, nil])
        expect(try property("audio-track"), equals: .text("1: Full (en)"))
        world.command(.track(.number(2)))
        expect(try property("audio-track").asText?.hasPrefix("2: Instru"), equals: true)
        let now = world.now
        let notice = world.marked { $0.commanded(at: now) }.overlay.info
        expect(notice.first?.hasPrefix("tile1: sound track 2 of 3: Instru"), equals: true, "\(notice)")
        world.command(.track(.number(nil)))
        expect(try property("audio-track"), equals: .text("no"))
        world.command(.track(.number(3)))
        expect(try property("audio-track"), equals: .text("3: opus"))
    }

    @Test func aSoundTrackThatAnItemDoesNotHaveIsRefusedWithTheirNumber() {
        var clips = clips
        clips["a"]?.soundTracks = [SoundTrack(language: nil, codec: "aac", channels: 2, rate: 48000)]
        var world = Simulation(.of([["a"], ["b"], ["a"]]), clips: clips)
        world.run(for: .seconds(1))
        func set(_ path: String, _ value: PropertyValue) -> ControlError? {
            var error: ControlError?
            world.act { wall, now in error = wall.changeProperty(path, .set(value), of: nil, .group, at: now) }
            return error
        }
        expect(set("aid", .integer(9))?.detail, equals: "there is no sound track 9; tile1 has 1 sound track")
        expect(set("tiles/tile2/aid", .integer(1))?.detail, equals: "there is no sound track 1; tile2 has none")
        expect(set("aid", .integer(1)) == nil && set("tiles/tile2/aid", .text("no")) == nil)
        expect(set("tiles/tile2/aid", .text("auto")), equals: nil)
        // The sound of other files has tracks of its own.
        world.act { wall, now in
            var layout = wall.layout
            layout.tiles[2].play[0].audio = .stems(.init([.init("song", "b")]))
            wall.apply(layout, at: now)
        }
        world.run(for: .seconds(1))
        expect(set("tiles/tile3/aid", .integer(9)), equals: nil)
    }

    @Test func anEmptyWallLoopsWhatItGetsUnlessToldOtherwise() {
        for loop in [Loop.forever, .iterations(1)] {
            var layout = Layout(title: "t", tiles: [])
            layout.loopOfAdded = loop
            var wall = Wall(layout: layout, pipelines: 1)
            wall.addTiles(playing: [[Item(source: "a")], [Item(source: "b")]], at: .zero)
            expect(wall.tiles.order.map { wall.layout(of: $0).loop }, equals: [loop, loop])
        }
    }

    private let clips = ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600)]

    @Test func everyPropertyThatCanBeSetSaysWhatItTakes() {
        for spec in Wall.properties.specs where spec.isSettable {
            expect(spec.takes?.words.isEmpty, equals: false, "\(spec.path)")
            expect(spec.refusal.hasPrefix("\(spec.name) takes "), "\(spec.path)")
        }
    }

    /// A property that has no value at present is unavailable, and one that does not take a value refuses it. Neither
    /// may be unknown.
    @Test func everyPropertyIsDocumentedReadAndSet() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        let group = world.wall.clocks[world.wall.clocks.main].name
        let paths = Wall.properties.specs.map(\.path)
        expect(Set(paths).count, equals: paths.count)
        for spec in Wall.properties.specs {
            expect(!spec.help.isEmpty && spec.help.last != ".", "\(spec.path)")
            let path = spec.path.replacingOccurrences(of: "ID", with: "tile1").replacingOccurrences(
                of: "NAME", with: group)
            let reading = WallReport(world.wall, at: world.now).value(at: path, of: nil)
            if case .failure(let error) = reading { expect(error, equals: .propertyUnavailable, "\(path)") }
            world.act { wall, now in
                let refusal = wall.changeProperty(path, .set(.list([])), of: nil, .group, at: now)
                expect(refusal == .propertyError || refusal == .propertyUnavailable, "\(path)")
                let reason = WallReport(wall, at: now).reason(.propertyError, of: path)
                expect(reason, equals: spec.isSettable ? spec.refusal : "\(spec.name) can only be read", "\(path)")
            }
        }
    }

    @Test func whatIsAddedStaysWithinTheBounds() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        let group = world.wall.clocks[world.wall.clocks.main].name
        let cases: [(String, Change.PropertyChange, PropertyValue)] = [
            ("volume", .add(30), .number(100)), ("volume", .multiply(-1), .number(0)),
            ("tiles/tile1/volume", .add(-1e9), .number(0)), ("speed", .multiply(1e9), .number(4)),
            ("groups/\(group)/speed", .multiply(0), .number(0.25)), ("key", .add(100), .integer(12)),
            ("key", .cycle(isUp: true), .integer(12)), ("loop-file", .cycle(isUp: true), .text("inf")),
            ("loop-file", .cycle(isUp: true), .flag(false)), ("loop-file", .set(.flag(true)), .text("inf")),
            ("loop-file", .set(.text("3")), .integer(3)), ("loop-file", .set(.text("inf")), .text("inf")),
            ("loop-playlist", .set(.text("inf")), .text("inf")), ("focus", .cycle(isUp: true), .text("tile2")),
            ("mute", .cycle(isUp: false), .flag(true)),
        ]
        for (path, change, value) in cases {
            world.act { wall, now in
                expect(wall.changeProperty(path, change, of: nil, .group, at: now), equals: nil, "\(path)")
            }
            let reading = WallReport(world.wall, at: world.now).value(at: path, of: nil)
            expect(reading, equals: .success(value), "\(path)")
        }
    }

    @Test func aNumberThatIsNotWholeIsRefusedWhereOneIsCounted() {
        var clips = clips
        clips["b"]?.soundTracks = [SoundTrack(language: nil, codec: "aac", channels: 2, rate: 48000)]
        var world = Simulation(.of([["a", "b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        for name in ["playlist-pos", "aid", "key", "loop-file", "loop-playlist"] {
            world.act { wall, now in
                expect(wall.set(name, to: .number(1.5), at: now), equals: .propertyError, "\(name)")
                expect(wall.set(name, to: .text("1.5"), at: now), equals: .propertyFormat, "\(name)")
                expect(wall.set(name, to: .number(1), at: now), equals: nil, "\(name)")
                expect(wall.set(name, to: .text("1.0"), at: now), equals: nil, "\(name)")
            }
        }
        for words in [["playlist-play-index", "1.5"], ["nudge-frames", "0.5"], ["playlist-move", "0", "1.5"]] {
            let request = Result { () throws(ControlError) in
                try CommandTable.change(words[0], words.dropFirst().map { .text($0) })
            }
            expect(request, equals: .failure(.invalidParameter), "\(words)")
        }
    }

    @Test func whatIsRefusedIsExplained() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        let cases: [(ControlError, String, String)] = [
            (.propertyError, "duration", "duration can only be read"),
            (.propertyError, "tiles/tile1/presented", "presented can only be read"),
            (.propertyUnavailable, "playlist-pos", "playlist-pos takes an item's number, from 0"),
            (.propertyUnavailable, "tiles/tile1/offset", "offset takes seconds, or a time as 1:23.5"),
            (.propertyFormat, "pause", "pause takes true or false (yes or no)"),
            (.propertyNotFound, "time-poss", "the wall has no property \"time-poss\"; did you mean \"time-pos\"?"),
            (.propertyNotFound, "missed", "the wall has no property \"missed\"; tiles/ID/missed is one"),
            (.propertyNotFound, "tiles/tile3/pause", "no tile is called \"tile3\"; did you mean \"tile1\"?"),
            (.propertyNotFound, "tiles/tile1/paus", "a tile has no property \"paus\"; did you mean \"pause\"?"),
            (.propertyNotFound, "groups/x/pause", "no group is called \"x\""),
            (.propertyUnavailable, "tiles/tile2/ssim", "figures are off; the property figures"),
        ]
        for (error, path, reason) in cases {
            expect(world.wall.reason(error, of: path)?.hasPrefix(reason), equals: true, "\(path)")
        }
    }

    @Test func aPathThatLeadsNowhereIsExplainedAndNeverSuggested() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        let group = world.wall.clocks[world.wall.clocks.main].name
        let cases: [(String, String)] = [
            ("groups/\(group)/time-pos/x", "time-pos has no part \"x\""),
            ("groups/\(group)/volume", "volume is a property of the wall, not of a group"),
            ("groups/\(group)/chapter", "chapter is a property of a tile, not of a group"),
            ("tiles/tile2/volume/x", "volume has no part \"x\""),
            ("tiles/tile2/focus", "focus is a property of the wall, not of a tile"),
            ("tiles/tile2/pid", "pid is a property of the wall, not of a tile"), ("pid/x", "pid has no part \"x\""),
            ("playlist/9", "playlist has no part \"9\"; it has 1, counted from 0"),
            ("playlist/0/file", "playlist/0 has no part \"file\"; it has filename, current, playing, id"),
            ("playlist/0/filename", "playlist/0/filename can only be read"),
            ("tiles/tile2", "tiles/tile2 can only be read"),
        ]
        for (path, reason) in cases {
            world.act { wall, now in
                expect(wall.changeProperty(path, .set(.integer(1)), of: nil, .group, at: now) != nil, "\(path)")
                let given = WallReport(wall, at: now).reason(.propertyNotFound, of: path, among: ["pid"])
                expect(given, equals: reason, "\(path)")
            }
        }
    }

    /// A command can name a tile before it names a property.
    @Test func propertiesOfOthersAreNamedAsSuch() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        let cases: [(String, String)] = [
            ("focus", "focus is a property of the wall, not of a tile"),
            ("fullscreen", "fullscreen is a property of the wall, not of a tile"),
            ("groups/main/pause", "groups is a property of the wall, not of a tile"),
            ("tiles/tile2/volume", "tiles/tile2/volume names its tile itself; leave \"tile tile1\" out"),
            ("volum", "a tile has no property \"volum\"; did you mean \"volume\"?"),
        ]
        for (path, reason) in cases {
            world.act { wall, now in
                let error = wall.changeProperty(path, .set(.integer(1)), of: 0, .group, at: now)
                expect(error, equals: .propertyNotFound, "\(path)")
                let given = WallReport(wall, at: now).reason(
                    .propertyNotFound, of: path, on: 0, among: ["fullscreen"])
                expect(given, equals: reason, "\(path)")
            }
        }
    }

    @Test func figuresAreProperties() throws {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        func figure(_ name: String, _ tile: String = "tile2") -> WallReport.Reading {
            world.wall.property(name, of: world.wall.tile(named: tile), at: world.now)
        }
        expect(figure("psnr-average"), equals: .failure(.propertyUnavailable))
        expect(world.wall.property("figures", at: world.now), equals: .success(.flag(false)))
        var refused: [ControlError?] = []
        world.act { wall, now in
            refused.append(wall.set("figures", to: .flag(true), at: now))
            refused.append(wall.set("figures", to: .flag(true), at: now))
            refused.append(wall.set("figures", to: .text("x"), at: now))
        }
        expect(refused, equals: [nil, nil, .propertyFormat])
        expect(world.wall.property("figures", at: world.now), equals: .success(.flag(true)))
        world.run(for: .seconds(2))
        expect(figure("psnr-average"), equals: .failure(.propertyUnavailable))
        var sums = PlaneSums()
        (sums.samples, sums.squares, sums.windows, sums.similarity) = (100, 100, 10, 9)
        let answer = FiguresOrder.Answer(FrameFigures([sums], bits: 8), nil)
        world.act { wall, now in wall.take([answer], at: now) }
        try expect(abs(figure("psnr-average").get().asNumber! - 48.13), below: 0.01)
        try expect(abs(figure("ssim").get().asNumber! - 0.9), below: 1e-9)
        // The frame has only plane Y. The reference has no figures.
        expect(figure("psnr-u"), equals: .failure(.propertyUnavailable))
        expect(figure("psnr-average", "tile1"), equals: .failure(.propertyUnavailable))
        // A comparison over the wall shows other figures: its reference is tile2.
        world.command(.compare(.toggle))
        world.command(.compare(.changeSides))
        world.run(for: .seconds(1))
        expect(figure("ssim"), equals: .failure(.propertyUnavailable))
        sums.similarity = 8
        let other = FiguresOrder.Answer(FrameFigures([sums], bits: 8), nil)
        world.act { wall, now in wall.take([other], at: now) }
        try expect(abs(figure("ssim", "tile1").get().asNumber! - 0.8), below: 1e-9)
        world.command(.compare(.toggle))
        world.act { wall, now in _ = wall.set("figures", to: .flag(false), at: now) }
        expect(figure("ssim"), equals: .failure(.propertyUnavailable))
    }

    @Test func theBitRateIsThatOfTheVideoThatTheTilePlays() {
        let clips = [
            "a": FakeClip(frames: 60, bitRate: 900_000), "b": FakeClip(frames: 600, bitRate: 2_500_000),
            "silent": FakeClip(frames: 600),
        ]
        var world = Simulation(.of([["a", "b"], ["silent"]]), clips: clips)
        func read(_ path: String) -> WallReport.Reading {
            WallReport(world.wall, at: world.now).value(at: path, of: nil)
        }
        world.run(for: .seconds(1))
        expect(read("video-bitrate"), equals: .success(.integer(900_000)))
        expect(read("tiles/tile1/video-bitrate"), equals: .success(.integer(900_000)))
        expect(read("tiles/tile2/video-bitrate"), equals: .failure(.propertyUnavailable))
        world.run(for: .seconds(2))
        expect(read("video-bitrate"), equals: .success(.integer(2_500_000)))
        world.act { wall, now in expect(wall.set("focus", to: .text("tile2"), at: now), equals: nil) }
        expect(read("video-bitrate"), equals: .failure(.propertyUnavailable))
        expect(read("tiles/tile1/video-bitrate"), equals: .success(.integer(2_500_000)))
    }

    @Test func theColoursOfTheShownFrameHaveMpvsNames() {
        var colours = SourceColorimetry(
            SourceColorimetry.Tags(matrix: .bt2020, transfer: .pq, primaries: .bt2020), size: Size(64, 36))
        (colours.light.masteringPeak, colours.light.maxCLL) = (1000, 800)
        let coded = CodedTraits(colorimetry: colours, pixelFormat: "yuv420p10le", size: Size(64, 48))
        var world = Simulation(.of([["a"]]), clips: ["a": FakeClip(frames: 600, coded: coded)])
        func read(_ path: String) -> WallReport.Reading {
            WallReport(world.wall, at: world.now).value(at: path, of: nil)
        }
        expect(read("video-params"), equals: .failure(.propertyUnavailable))
        world.run(for: .seconds(1))
        for (name, value) in [
            ("pixelformat", .text("yuv420p10")), ("w", .integer(64)), ("h", .integer(48)), ("dh", .integer(36)),
            ("colormatrix", .text("bt.2020-ncl")), ("colorlevels", .text("limited")), ("primaries", .text("bt.2020")),
            ("gamma", .text("pq")), ("sig-peak", .number(800 / 203)), ("max-luma", .number(1000)),
            ("max-cll", .integer(800)), ("assumed", .list([.text("range")])),
        ] as [(String, PropertyValue)] {
            expect(read("video-params/\(name)"), equals: .success(value), "\(name)")
            expect(read("tiles/tile1/video-params/\(name)"), equals: .success(value), "\(name)")
        }
        expect(read("video-params/max-fall"), equals: .failure(.propertyNotFound))
    }

    @Test func mpvsCountsOfDroppedFramesAnswer() throws {
        var world = Simulation(
            .of([["slow"]]), clips: ["slow": FakeClip(frames: 600, framesDecodeIn: .milliseconds(60))])
        world.run(for: .seconds(5))
        func count(_ name: String) throws -> Int {
            try #require(world.wall.property(name, of: 0, at: world.now).get().asInteger)
        }
        let dropped = try count("missed")
        expect(dropped, above: 20)
        try expect(count("frame-drop-count") + count("decoder-frame-drop-count"), equals: dropped)
        try expect(count("decoder-frame-drop-count"), above: 0)
        try expect(count("vo-delayed-frame-count") == count("late") && count("mistimed-frame-count") == count("late"))
        try expect(count("drop-frame-count"), equals: count("decoder-frame-drop-count"))
        // The property exists also if nothing plays, as in mpv.
        let empty = Wall(layout: Layout(title: "", tiles: []), pipelines: 1)
        expect(empty.property("frame-drop-count", at: .zero), equals: .success(.integer(0)))
    }

    @Test func aDisplayThatTheScheduleHasSwitchedOffIsReported() throws {
        var world = Simulation(.of([["a"]]), clips: clips)
        func display() throws -> [PropertyValue?] {
            func read(_ name: String) throws -> PropertyValue { try world.wall.property(name, at: world.now).get() }
            return [try read("display"), try read("health")["display"], try read("wall")["display"]]
        }
        try expect(display(), equals: [.text("on"), .text("on"), .text("on")])
        world.act { wall, now in wall.player.note(.display(isOff: true), at: now) }
        try expect(display(), equals: [.text("off"), .text("off"), .text("off")])
        world.act { wall, now in wall.player.note(.display(isOff: false), at: now) }
        try expect(display()[1], equals: .text("on"))
    }

    @Test func aRefusedCommandIsExplained() {
        var world = Simulation(.of([["a"], ["b"]]), clips: clips)
        let cases: [(Change, String)] = [
            (.playBreak("ad"), "no break is called \"ad\""),
            (.goToItem(7), "tile1 has no item 7; it has 1, counted from 0"),
            (.compare(.tiles(0, 0, nil)), "a tile can't be compared with itself"),
        ]
        for (command, reason) in cases {
            expect(world.wall.apply(command, at: world.now)?.detail, equals: reason)
        }
        expect(world.wall.complaint(aboutTile: "tilr2"), equals: "no tile is called \"tilr2\"; did you mean \"tile2\"?")
        expect(world.wall.complaint(aboutTile: "x"), equals: "no tile is called \"x\"; there are tile1, tile2")
    }
}
