import Base
import Expectations
import Testing

/// Content of an item, and its segments.
@Suite struct ItemContentTests {
    private func segments(_ names: String...) -> Item.Segments? {
        Item.Segments(names.map { Item.Segment(source: $0) })
    }

    @Test func segmentsAreNeverEmpty() throws {
        expect(segments(), equals: nil)
        let one = try #require(segments("a")), three = try #require(segments("a", "b", "c"))
        expect(one.count == 1 && one.first == one.last && one[0].source == "a")
        expect(three.map(\.source), equals: ["a", "b", "c"])
        expect(three.first.source + three.last.source, equals: "ac")
    }

    @Test func eachSegmentIsChangedInItsPlace() throws {
        var all = try #require(segments("a", "b"))
        all.append(Item.Segment(source: "c"))
        for place in all.indices { all[place].source += "\(place)" }
        expect(all.map(\.source), equals: ["a0", "b1", "c2"])
    }

    @Test func oneSegmentIsMediaAndSeveralAreJoined() throws {
        var item = Item(segments: try #require(segments("a")))
        expect(item, equals: Item(source: "a"))
        item.segments.append(Item.Segment(source: "b"))
        expect(item.content, equals: .joined(try #require(segments("a", "b"))))
        item.segments = try #require(segments("a"))
        expect(item, equals: Item(source: "a"))
    }

    @Test func aSongStaysASongWhateverItsSegments() throws {
        var item = Item(.song(Item.Song(file: "s.txt", segments: try #require(segments("image", "film")))))
        item.segments = try #require(segments("film"))
        item.segments[0].rate = Rate(0.5)
        expect(item.song, equals: "s.txt")
        expect(item.segments.map(\.source), equals: ["film"])
        expect(item.segments.first.rate, equals: Rate(0.5))
        expect(item != Item(segments: item.segments))
    }
}
