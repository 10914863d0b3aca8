import Expectations
import Testing

@testable import Base
@testable import Player

private func ms(_ count: Int64) -> Time { .milliseconds(count) }
private let tiles: [TileID] = [0, 1, 2]
private let rects = [Rect(0, 0, 400, 400), Rect(400, 0, 400, 400), Rect(300, 100, 200, 200)]
private let whole = Rect(0, 0, 800, 400)

@Suite struct OutputTests {
    private enum Act { case zoom(TileID), pictureInPicture(TileID), warm }

    /// Returns an output after acts at intervals of 100 ms, from second 10 on.
    private func output(_ acts: [Act] = []) -> Output {
        var output = Output(size: Size(800, 400))
        output.place(tiles, in: rects, of: output.size)
        for (place, act) in acts.enumerated() {
            switch act {
            case .zoom(let tile): output.toggleZoom(of: tile, at: ms(10_000 + Int64(place) * 100))
            case .pictureInPicture(let tile): output.show(only: tile)
            case .warm: output.offStage = .warming
            }
        }
        return output
    }

    private func drawn(_ output: Output, at now: Time) -> [TileID: Rect] {
        Dictionary(uniqueKeysWithValues: output.places(of: tiles, at: now).map { ($0.tile, $0.rect) })
    }

    @Test func aTileZoomsOverTheOthersAndIsAllThereIsThen() {
        var output = output([.zoom(0)])
        output.refreshInterval = ms(10)
        expect(output.advance(at: ms(10_100)) == ms(10_110) && output.advance(at: ms(10_200)) == nil)
        expect(output.places(of: tiles, at: ms(10_000)).map(\.tile), equals: [1, 2, 0])
        expect(drawn(output, at: ms(10_200)), equals: [0: whole])
        expect(output.rectToDecode(of: 0) == whole && output.rectToDecode(of: 1) == rects[1])
        output.toggleZoom(of: 0, at: ms(10_300))
        expect(output.advance(at: ms(10_499)) != nil && output.stage != .wall)
        expect(output.advance(at: ms(10_500)) == nil && output.stage == .wall)
    }

    @Test func aZoomThatIsOnItsWayTurnsAroundWhereItIs() {
        var output = output([.zoom(0), .zoom(0)])
        var before = drawn(self.output([.zoom(0)]), at: ms(10_100))
        expect(drawn(output, at: ms(10_100)) == before && output.rectToDecode(of: 0) == rects[0])
        before = drawn(output, at: ms(10_150))
        output.toggleZoom(of: 0, at: ms(10_150))
        expect(drawn(output, at: ms(10_150)) == before && output.zoomed == 0)
        expect(drawn(output, at: ms(10_350)), equals: [0: whole])
        // Another zoom starts from the tile's current rect. The tile whose animation was under way is in its place at
        // once.
        output.toggleZoom(of: 0, at: ms(10_400))
        output.toggleZoom(of: 2, at: ms(10_450))
        expect(drawn(output, at: ms(10_450)) == [0: rects[0], 1: rects[1], 2: rects[2]] && output.zoomed == 2)
    }

    /// Beside a frame that does not have the window's shape, a neighbour would be visible.
    @Test func theFocusIsFollowedAtOnceAndAlone() {
        let cases: [([Act], Bool)] = [
            ([.zoom(0)], true), ([.pictureInPicture(0)], true), ([.zoom(0), .zoom(0)], false), ([], false),
        ]
        for (acts, isThere) in cases {
            var output = output(acts)
            output.follow(focus: 2)
            expect((drawn(output, at: ms(10_110)) == [2: whole]), equals: isThere, "\(acts)")
            expect(output.rectToDecode(of: 2), equals: (isThere ? whole : rects[2]))
        }
    }

    @Test func inAWindowOfAnotherSizeWhatWasOnItsWayIsThere() {
        let (wide, places) = (Size(1600, 400), [Rect(0, 0, 800, 400), Rect(800, 0, 800, 400), Rect(0, 0, 10, 10)])
        for acts in [[], [.zoom(1)], [.zoom(1), .zoom(1)], [.pictureInPicture(1)]] as [[Act]] {
            var output = output(acts)
            output.place(tiles, in: places, of: wide)
            let fills = acts.count == 1
            let expected: [TileID: Rect] = fills ? [1: Rect(wide)] : [0: places[0], 1: places[1], 2: places[2]]
            expect(drawn(output, at: ms(10_110)), equals: expected, "\(acts)")
            expect(output.rect(of: 1) == places[1] && output.advance(at: ms(10_110)) == nil)
        }
    }

    @Test func aTileThatGoesIsNeitherZoomedNorAlone() {
        let cases: [(acts: [Act], removed: TileID, wasAll: Bool, isWall: Bool)] = [
            ([], 1, false, true), ([.zoom(1)], 1, false, true), ([.zoom(1)], 0, false, false),
            ([.zoom(1), .zoom(1)], 1, false, true), ([.zoom(1), .zoom(1)], 0, false, false),
            ([.pictureInPicture(1)], 1, true, true), ([.pictureInPicture(1), .warm], 1, true, true),
            ([.pictureInPicture(1)], 0, false, false),
        ]
        for (acts, removed, wasAll, isWall) in cases {
            var output = output(acts)
            expect(output.remove(removed), equals: wasAll, "\(acts) \(removed)")
            expect((output.stage == .wall) == isWall && output.rect(of: removed).isEmpty, "\(acts) \(removed)")
        }
    }

    @Test func hiddenTilesNeedNoFramesUnlessTheyAreWarmed() {
        let cases: [(acts: [Act], tiles: [TileID], needs: Bool, shows: Bool)] = [
            ([], [0], true, true), ([], [], false, true), ([.zoom(1)], [0], true, true),
            ([.pictureInPicture(1)], [0], false, false), ([.pictureInPicture(1)], [0, 1], true, true),
            ([.pictureInPicture(1), .warm], [0], true, false),
            ([.pictureInPicture(1), .warm, .pictureInPicture(1)], [0], false, false),
        ]
        for (acts, tiles, needs, shows) in cases {
            var output = output(acts)
            expect(output.needsFrames(of: tiles, isLive: false), equals: needs, "\(acts) \(tiles)")
            expect(output.needsFrames(of: tiles, isLive: true), equals: !tiles.isEmpty, "\(acts) \(tiles)")
            expect(output.shows(anyOf: tiles), equals: shows, "\(acts) \(tiles)")
            output.frames = .none
            for isLive in [true, false] { expect(!output.needsFrames(of: tiles, isLive: isLive)) }
        }
    }

    @Test func theTopmostTileIsUnderThePointer() {
        let cases: [([Act], Point, TileID?)] = [
            ([], Point(350, 150), 2), ([], Point(350, 50), 0), ([], Point(800, 0), nil), ([.zoom(0)], Point(799, 9), 0),
            ([.pictureInPicture(0)], Point(350, 150), 0), ([.zoom(0), .zoom(0)], Point(500, 9), 1),
        ]
        for (acts, point, tile) in cases { expect(output(acts).tile(at: point, of: tiles), equals: tile, "\(acts)") }
    }
}
