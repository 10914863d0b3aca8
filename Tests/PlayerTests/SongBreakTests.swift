import Expectations
import Testing

@testable import Base
@testable import Layout
@testable import Player

/// A song that a break cuts in two.
@Suite struct SongBreakTests {
    private var song: Item {
        var cover = Item.Segment(source: "cover"), video = Item.Segment(source: "video")
        (cover.duration, cover.songStart) = (.seconds(4), .seconds(10))
        (video.start, video.songStart) = (.seconds(1), .seconds(14))
        return Item(segments: Item.Segments(cover, [video]))
    }

    @Test func itsVideoGoesOnInTheSongsTime() {
        let cut = Interruption(
            run: RunID(iteration: 0, segment: 1), media: .seconds(6), played: .seconds(5), left: .seconds(20),
            kind: .film)
        let rest = cut.rest(of: song)[0].segments
        expect(rest.count == 1 && rest[0].start == .seconds(6) && rest[0].songStart == .seconds(19))
        expect(cut.head(of: song).segments.map(\.songStart), equals: song.segments.map(\.songStart))
    }

    @Test func slowedItsImageStandsAsLongToo() {
        var slow = song
        slow.rate = Rate(0.5)
        let cut = Interruption(
            run: RunID(iteration: 0), media: .zero, played: .seconds(2), left: .seconds(6), kind: .still)
        let rest = cut.rest(of: slow)[0].segments
        expect(rest.map(\.duration), equals: [.seconds(3), nil])
        expect(rest.map(\.songStart), equals: [.seconds(11), .seconds(14)])
        expect(cut.head(of: slow).segments.map(\.duration), equals: [.seconds(1)])
    }

    @Test func itsImageStandsAsLongAsItWouldHave() {
        let cut = Interruption(
            run: RunID(iteration: 0), media: .zero, played: .seconds(1), left: .seconds(3), kind: .still)
        let rest = cut.rest(of: song)[0].segments
        expect(rest.map(\.duration), equals: [.seconds(3), nil])
        expect(rest.map(\.songStart), equals: [.seconds(11), .seconds(14)])
        expect(cut.head(of: song).segments.map(\.duration), equals: [.seconds(1)])
    }
}
