import Base
import Expectations
import Testing

@testable import Layout

/// Content of a tile: a sequence or a comparison, never both.
@Suite struct TileContentTests {
    private let place = TileLayout.Place.fractions(.all)

    private var comparing: TileLayout {
        TileLayout(
            id: "ab", place: place,
            content: .comparison(
                ComparisonLayout(members: [.tile("a"), .source(Item(source: "b"), offset: .seconds(1))])))
    }

    @Test func aTilePlaysOrCompares() {
        var tile = TileLayout(id: "a", place: place, play: [Item(source: "a")])
        expect(tile.play.count == 1 && tile.compare == nil)
        tile.content = comparing.content
        expect(tile.play.isEmpty && tile.compare?.members.count == 2)
        tile.play = [Item(source: "b")]
        expect(tile.content, equals: .sequence([Item(source: "b")]))
    }

    @Test func removingAComparisonLeavesASequenceAlone() {
        var playing = TileLayout(id: "a", place: place, play: [Item(source: "a")]), tile = comparing
        (playing.compare, tile.compare) = (nil, nil)
        expect(playing.play.count, equals: 1)
        expect(tile.content, equals: .sequence([]))
    }

    @Test func itemsOfTilesComparedSourcesAndBreaksAreChangedAlike() {
        var layout = Layout(
            title: "", tiles: [TileLayout(id: "a", place: place, play: [Item(source: "a")]), comparing])
        layout.breaks = [BreakLayout(name: "ad", play: [Item(source: "c")])]
        layout.changeItems { items in items += items }
        expect(layout.playingTiles.map(\.play.count), equals: [2, 2])
        expect(layout.breaks[0].play.count, equals: 2)
        expect(layout.tiles[1].compare?.members[0], equals: .tile("a"))
    }

    @Test func aComparisonChangedByHandStaysUnlessTheLayoutChangesIt() {
        let old = comparing
        var (present, new) = (old, old)
        present.compare?.mode = .blink
        expect(present.merging(old, over: old).compare?.mode, equals: .blink)
        new.compare?.mode = .overlay
        expect(present.merging(new, over: old).compare?.mode, equals: .overlay)
        new.play = [Item(source: "c")]
        expect(present.merging(new, over: old).content, equals: new.content)
    }
}
