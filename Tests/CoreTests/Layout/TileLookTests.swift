import Base
import Expectations
import Testing

@testable import Layout
@testable import Player

/// The look with which a tile shows the items of its feed.
@Suite struct TileLookTests {
    private func tile(_ keys: [Int]) -> Tile {
        let items = keys.map { key in
            var item = Item(source: "a")
            item.look.key = key
            return item
        }
        return Tile(
            id: TileID(number: 0), TileLayout(id: "a", place: .fractions(.all), play: items),
            feed: FeedID(number: 0))
    }

    @Test func eachItemHasItsOwnLookAndALaterOneThatOfTheLast() {
        let two = tile([1, 2])
        expect([0, 1, 7].map { ItemPlace($0) }.map { two.look(ofItem: $0).key }, equals: [1, 2, 2])
    }

    @Test func anItemThatIsGoneKeepsItsLook() {
        var two = tile([1, 2])
        expect(two.look(ofItem: nil).key, equals: 1)
        two.leaving = two.look(ofItem: ItemPlace(1))
        expect(two.look(ofItem: nil).key, equals: 2)
    }

    @Test func aTileThatPlaysNothingHasTheUsualLook() {
        expect(tile([]).look(ofItem: nil) == ItemLook() && tile([]).look(ofItem: ItemPlace(0)) == ItemLook())
        expect(Tile.missing.look(ofItem: nil), equals: ItemLook())
    }

    @Test func aTilesOwnSettingsDoNotMakeAnotherSequence() {
        let item = Item(source: "a")
        var other = item
        (other.look.key, other.look.audio, other.look.voice, other.look.crop) = (
            3, .silent, 2, .fractions(Fractions(0, 0, 1, 0.5))
        )
        expect(item.sequenced == other.sequenced && item != other)
        other.look.decoding.turn = .half
        expect(item.sequenced != other.sequenced)
    }
}
