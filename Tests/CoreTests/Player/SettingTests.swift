import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Fields of a tile's layout that are properties, too.
@Suite struct SettingTests {
    private let clips = ["a": FakeClip(frames: 600), "b": FakeClip(frames: 600)]

    private func world(_ tiles: [[String]]) -> Simulation {
        var world = Simulation(.of(tiles), clips: clips)
        world.run(for: .seconds(2))
        return world
    }

    private func change(
        _ world: inout Simulation, _ name: String, _ change: Change.PropertyChange, of tile: String
    ) -> ControlError? {
        var refusal: ControlError?
        world.act { wall, now in
            refusal = wall.changeProperty("tiles/\(tile)/\(name)", change, of: nil, .group, at: now)
        }
        return refusal
    }

    private func value(_ world: Simulation, _ name: String, of tile: String) -> PropertyValue? {
        try? WallReport(world.wall, at: world.now).value(at: "tiles/\(tile)/\(name)", of: nil).get()
    }

    /// Values that a setting takes, at least two. Throws for a kind without samples here.
    private func values(of setting: FieldSetting<TileLayout>) throws -> [PropertyValue] {
        switch setting.kind {
        case .oneOf(let values): return values
        case .flag: return [.flag(false), .flag(true)]
        case .integer(let range):
            return [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound].map { .integer($0) }
        case .number(let range, _):
            let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 4
            return [range.lowerBound, middle, range.upperBound].map { .number($0) }
        case .time, .count, .parts, .tile, .other:
            throw ControlError(.notSupported, because: "\(setting.name) is of a kind that this test can't set")
        }
    }

    @Test func eachSettingIsReadAndSet() throws {
        for setting in TileLayout.settings {
            var world = world([["a"]])
            let values = try values(of: setting)
            if case .oneOf = setting.kind {
                expect(value(world, setting.name, of: "tile1"), equals: values[0], "\(setting.name)")
            }
            for value in values.reversed() {
                expect(change(&world, setting.name, .set(value), of: "tile1"), equals: nil, "\(setting.name)")
                expect(self.value(world, setting.name, of: "tile1"), equals: value, "\(setting.name)")
            }
            expect(change(&world, setting.name, .set(.text("nonsense")), of: "tile1"), equals: .propertyFormat)
            expect(value(world, setting.name, of: "tile1"), equals: values[0], "\(setting.name)")
        }
    }

    @Test func eachSettingIsChangedFromItsPresentValue() throws {
        for setting in TileLayout.settings {
            var world = world([["a"]])
            func check(_ changes: [(Change.PropertyChange, PropertyValue)]) {
                for (change, result) in changes {
                    expect(self.change(&world, setting.name, change, of: "tile1"), equals: nil, "\(setting.name)")
                    expect(value(world, setting.name, of: "tile1"), equals: result, "\(setting.name) \(change)")
                }
            }
            let values = try values(of: setting), first = values[0], last = values[values.count - 1]
            switch setting.kind {
            case .oneOf, .flag:
                check([(.set(first), first)])
                check((values.dropFirst() + [first]).map { (.cycle(isUp: true), $0) })
                check([(.cycle(isUp: false), last)])
            default:
                check([(.set(first), first), (.add(-1), first), (.add(1e9), last), (.cycle(isUp: true), last)])
                check([(.set(.number(-1e300)), first), (.set(.text("1e300")), last)])
            }
        }
    }

    /// A change by hand stays when the layout is loaded again, until the layout states another value.
    @Test func eachSettingIsKeptAndWritten() throws {
        for setting in TileLayout.settings {
            let layout = Layout.of([["a"]]), usual = setting.value(of: layout.tiles[0])
            let others = try values(of: setting).filter { $0 != usual }
            let other = try #require(others.first), last = others[others.count - 1]
            let hand = try #require(setting.change(to: other)), loaded = try #require(setting.change(to: last))
            var world = Simulation(layout, clips: clips)
            world.run(for: .seconds(1))
            expect(change(&world, setting.name, .set(other), of: "tile1"), equals: nil)
            world.apply(layout)
            expect(value(world, setting.name, of: "tile1"), equals: other)
            var present = layout
            hand(&present.tiles[0])
            let field = TileLayout.fields.saved.first { $0.key == setting.name }
            expect(field?.saved.contains(.hand), equals: true)
            expect(field?.isSame(layout.tiles[0], present.tiles[0]), equals: false)
            var changed = layout
            loaded(&changed.tiles[0])
            world.apply(changed)
            expect(value(world, setting.name, of: "tile1"), equals: last)
        }
    }

    @Test func aFieldWithFractionsIsLimitedAndWrittenWithoutErrorsOfSums() throws {
        let field = LayoutField<TileLayout>(
            "share", .number(-1...1, "a number from -1 to 1"), \.shareOfTest, asProperty: "a test")
        let setting = try #require(field.setting)
        expect(setting.kind, equals: .number(-1...1))
        expect(setting.kind.words, equals: "a number from -1 to 1")
        var tile = Layout.of([["a"]]).tiles[0]
        let cases: [(PropertyValue, PropertyValue?)] = [
            (.number(0.1 + 0.2), .number(0.3)), (.text("-0.25"), .number(-0.25)),
            (.integer(1), .number(1)), (.number(7), .number(1)), (.number(-7), .number(-1)),
            (.number(-0.3 + 0.1 + 0.2), .number(0)), (.text("nan"), nil), (.number(.infinity), nil),
            (.flag(true), nil), (.number(1e-13), .number(0)),
        ]
        for (given, result) in cases {
            let change = setting.change(to: given)
            if result == nil { expect(change == nil, "\(given)") }
            change?(&tile)
            if let result { expect(setting.value(of: tile), equals: result, "\(given)") }
        }
    }

    /// A tile that decodes otherwise leaves the feed that it shared, and plays on at the same instant.
    @Test func aTileThatDecodesOtherwisePlaysOn() throws {
        var world = world([["a"], ["a"]])
        expect(world.wall.player.feeds.count, equals: 1)
        expect(change(&world, "flip", .set(.text("h")), of: "tile1"), equals: nil)
        world.run(for: .seconds(1))
        expect(world.wall.player.feeds.count, equals: 2)
        let frames = ["tile1", "tile2"].map { world.frameNow($0)?.number ?? -1 }
        expect(abs(frames[0] - frames[1]), atMost: 1)
        expect(frames[0], above: 80)
        let tile = try #require(world.wall.tiles.id(named: "tile1"))
        let other = try #require(world.wall.tiles.id(named: "tile2"))
        expect(world.wall.tiles[tile].look(ofItem: ItemPlace(0)).decoding.flip, equals: .horizontal)
        expect(world.wall.tiles[other].look(ofItem: ItemPlace(0)).decoding.flip, equals: Flip.none)
        // With the same settings both share a feed again when the layout is loaded.
        expect(world.wall.player.feeds.contains { $0.timeline.item(at: ItemPlace(0))?.decoding.flip == .horizontal })
        let starts = world.events.count { if case .itemStart(_, _, "a") = $0.what { true } else { false } }
        expect(starts, equals: 2)
    }

    @Test func aKeyOfTheTableChangesAProperty() throws {
        let keys = KeyTable([KeyRow("x", "mirror", ["x": "cycle flip"])])
        let command = try #require(keys.change(for: .letter("x"), [], isRepeated: false))
        expect(command, equals: .property("flip", .cycle(isUp: true), .group))
        var world = world([["a"], ["b"]])
        for value in ["h", "v", "none"] {
            world.command(command)
            expect(self.value(world, "flip", of: "tile1"), equals: .text(value))
            expect(self.value(world, "flip", of: "tile2"), equals: .text("none"))
        }
        expect(
            KeyTable([KeyRow("x", "back", ["x": "alone set time-pos 1"])]).change(
                for: .letter("x"), [], isRepeated: false),
            equals: .property("time-pos", .set(.text("1")), .tileAlone))
    }

    @Test func theLayoutStatesHowAComparisonIsDecoded() throws {
        var layout = Layout.of([["a"], ["b"]])
        var compared = TileLayout(id: "both", place: .cell(column: 0, row: 1, columns: 1, rows: 1), play: [])
        compared.content = .comparison(ComparisonLayout(members: [.tile("tile1"), .tile("tile2")]))
        layout.tiles.append(compared)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        expect(change(&world, "flip", .set(.text("h")), of: "both"), equals: .propertyUnavailable)
        expect(value(world, "flip", of: "both"), equals: nil)
        expect(change(&world, "fit", .set(.text("cover")), of: "both"), equals: nil)
        world.act { wall, now in
            let reason = WallReport(wall, at: now).reason(.propertyUnavailable, of: "tiles/both/flip")
            expect(reason, equals: "the layout states how a tile that compares is decoded")
        }
    }

    @Test func theNearestToneMappingHolds() throws {
        func curve(_ wall: String, _ tile: String, _ item: String) throws -> ToneMapping.Curve? {
            func field(_ curve: String) -> String { curve.isEmpty ? "" : #", "tone-mapping": {"curve": "\#(curve)"}"# }
            let text =
                #"{"title": "a"\#(field(wall)), "tiles": [{"play": {"src": "a"\#(field(item))}\#(field(tile))}]}"#
            guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "a.json") else { return nil }
            return layout.tiles[0].play[0].inTile(layout.tiles[0].decoding).decoding.toneMapping.curve
        }
        let both =
            #"{"title": "a", "tone-mapping": {"target-nits": 100}, "tiles": [{"tone-mapping": {"curve": "clip"}, "#
            + #""play": [{"src": "a"}, {"src": "b", "tone-mapping": {"target-nits": 300}}]}]}"#
        guard case .layout(var layout) = LayoutReader.read(Array(both.utf8), path: "a.json") else {
            Issue.record("no layout")
            return
        }
        func shown(_ place: Int) -> ToneMapping {
            layout.tiles[0].play[place].inTile(layout.tiles[0].decoding).decoding.toneMapping.resolved
        }
        expect(shown(0).curve == .clip && shown(0).targetNits == 100)
        expect(shown(1).curve == .clip && shown(1).targetNits == 300)
        // An option overrides the curves of tiles and items, and leaves the targets.
        layout.tiles[0].play[1].decoding.toneMapping.curve = .clip
        layout.mapTones(by: .off)
        expect(shown(0).curve == .off && shown(0).targetNits == 100)
        expect(shown(1).curve == .off && shown(1).targetNits == 300)
        // Tiles that are added to a wall without any have the wall's.
        var idle = Layout(title: "", tiles: [])
        idle.mapTones(by: .off)
        var world = Simulation(idle, clips: clips)
        world.act { wall, now in wall.addTiles(playing: [[Item(source: "a")]], at: now) }
        expect(world.wall.player.layouts.given.tiles.map { $0.decoding.toneMapping.curve }, equals: [.off])
        for (wall, tile, item, nearest) in [
            ("clip", "", "", .clip), ("clip", "off", "", .off), ("clip", "off", "bt2390", .bt2390),
            ("", "", "clip", .clip), ("", "", "", nil),
        ] as [(String, String, String, ToneMapping.Curve?)] {
            try expect(curve(wall, tile, item), equals: nearest, "\(wall), \(tile), \(item)")
        }
    }

    /// The settings of item and tile together move each corner as one after the other does.
    @Test func turnsAndFlipsOfItemAndTileAreCombined() {
        let turns = [Turn.none, .quarter, .half, .threeQuarters], flips = [Flip.none, .horizontal, .vertical]
        let all = turns.flatMap { turn in flips.map { DecodeSettings(turn: turn, flip: $0) } }
        func moved(_ point: Point, _ settings: DecodeSettings) -> Point {
            var point = point
            for _ in 0..<settings.turn.rawValue / 90 { point = Point(-point.y, point.x) }
            switch settings.flip {
            case .none: return point
            case .horizontal: return Point(-point.x, point.y)
            case .vertical: return Point(point.x, -point.y)
            }
        }
        for item in all {
            for tile in all {
                for corner in [Point(1, 2), Point(-1, 2)] {
                    expect(
                        moved(corner, item.inTile(tile)), equals: moved(moved(corner, item), tile), "\(item) \(tile)")
                }
            }
        }
    }
}

extension TileLayout {
    /// A number with fractions, for a field that no layout has.
    fileprivate var shareOfTest: Double {
        get { offset.seconds }
        set { offset = Time(seconds: newValue) }
    }
}
