import Expectations
import Testing

@testable import Base
@testable import Opened

/// Choice of an adaptive stream's variant for a tile.
@Suite struct VariantChoiceTests {
    private let ladder = [
        VariantChoice.Variant(size: Size(1920, 1080), bitrate: 6_000_000),
        VariantChoice.Variant(size: Size(640, 360), bitrate: 800_000),
        VariantChoice.Variant(size: Size(1280, 720), bitrate: 3_000_000),
        VariantChoice.Variant(size: Size(1280, 720), bitrate: 2_000_000),
    ]

    private func best(_ width: Int, _ height: Int, _ bitrate: Int? = nil) -> Int? {
        VariantChoice(tileSize: Size(width, height), fetching: FetchSettings(maxBitrate: bitrate)).best(of: ladder)
    }

    @Test func theSmallestThatFillsTheTile() {
        expect(best(640, 360), equals: 1)
        expect(best(320, 180), equals: 1)
        expect(best(641, 361), equals: 2)
        expect(best(1280, 720), equals: 2)
        expect(best(1920, 1080), equals: 0)
        // The largest, if the tile is larger than all.
        expect(best(3840, 2160), equals: 0)
        // For a narrow tile, the height counts.
        expect(best(200, 360), equals: 1)
    }

    @Test func theBitrateIsNotExceeded() {
        expect(best(1920, 1080, 3_000_000), equals: 2)
        expect(best(1920, 1080, 2_999_999), equals: 3)
        expect(best(1280, 720, 2_000_000), equals: 3)
        expect(best(1920, 1080, 800_000), equals: 1)
        // The lowest bitrate, if all exceed the limit.
        expect(best(1920, 1080, 1), equals: 1)
    }

    @Test func whatSaysNothingIsTakenAsItIs() {
        let silent = [VariantChoice.Variant(size: Size(640, 360), bitrate: nil)]
        expect(
            VariantChoice(tileSize: Size(1920, 1080), fetching: FetchSettings(maxBitrate: 5)).best(of: silent),
            equals: 0)
        expect(
            VariantChoice(tileSize: Size(1920, 1080), fetching: FetchSettings(maxBitrate: nil)).best(of: []),
            equals: nil)
    }
}
