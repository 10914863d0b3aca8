import Expectations
import Testing

@testable import Analysis
@testable import Base
@testable import Layout

/// Tiles of a layout, and the offsets of tiles with `b` if `b` is two seconds ahead of `a`.
@Suite struct TileOffsetsTests {
    private func changes(_ tiles: String) throws -> Result<[Int: TileChange], TileOffsets.Mistake> {
        let reading = LayoutReader.read(Array("{\"tiles\": [\(tiles)]}".utf8), path: "wall.json")
        guard case .layout(let layout) = reading else {
            Issue.record("\(tiles): \(reading)")
            throw CancellationError()
        }
        let clips = ["a", "b"].map { name in TileOffsets.Clip(name: name) { $0 == name } }
        return Result { () throws(TileOffsets.Mistake) in
            try TileOffsets(layout, reference: clips[0]).changes(for: clips.dropFirst(), [.seconds(2)]).tiles
        }
    }

    @Test(
        arguments: [
            (#"{"play": "a"}, {"play": "b"}"#, [1: 2]),
            (#"{"play": "b", "offset": 9}, {"play": "a"}"#, [0: 2]),
            // The reference's offset is added to the other's.
            (#"{"play": "a", "offset": 1.5}, {"play": "b", "offset": 7}"#, [1: 3.5]),
            (#"{"play": "a", "offset": -3}, {"play": "b"}"#, [1: -1]),
            // The start within the file counts.
            (#"{"play": {"src": "a", "in": 10}}, {"play": "b"}"#, [1: 12]),
            (#"{"play": "a"}, {"play": {"src": "b", "in": 10}}"#, [1: -8]),
            (#"{"play": {"src": "a", "in": 4}, "offset": 1}, {"play": {"src": "b", "in": 10}}"#, [1: -3]),
            // Every tile that begins with `b` gets the offset.
            (#"{"play": "a"}, {"play": "b"}, {"play": ["b", "c"]}, {"play": ["c", "b"]}"#, [1: 2, 2: 2]),
            (#"{"play": "a"}, {"play": "a"}, {"play": "b"}"#, [2: 2]),
            // Tiles are compared within their own group.
            (
                #"{"play": "a"}, {"play": "a", "group": "x", "offset": 5}, {"play": "b"}, {"play": "b", "group": "x"}"#,
                [2: 2, 3: 7]
            ),
        ] as [(String, [Int: Double])])
    func aTileGetsWhatBringsItInStep(_ tiles: String, _ due: [Int: Double]) throws {
        try expect(changes(tiles).get().mapValues { $0.offset!.seconds }, equals: due, "\(tiles)")
    }

    /// Offsets of the sources that a tile compares. The tile's own offset is added to each.
    @Test(
        arguments: [
            (#"{"compare": [{"src": "a"}, {"src": "b"}]}"#, [0: [1: 2]]),
            (
                #"{"play": "a", "offset": 1}, {"compare": [{"src": "c"}, {"src": "b"}, {"src": "b"}], "offset": 5}"#,
                [1: [1: -2, 2: -2]]
            ),
            (#"{"compare": [{"src": "b"}, {"src": "a", "in": 3, "offset": 4}]}"#, [0: [0: 9]]),
        ] as [(String, [Int: [Int: Double]])])
    func aComparedSourceGetsWhatBringsItInStep(_ tiles: String, _ due: [Int: [Int: Double]]) throws {
        try expect(changes(tiles).get().mapValues { $0.comparedOffsets.mapValues(\.seconds) }, equals: due, "\(tiles)")
    }

    @Test(arguments: [
        (
            #"{"compare": [{"src": "a"}, {"src": "b", "rate": 2}]}"#,
            "source 2 that tile tile1 compares plays b at another rate"
        ),
        (#"{"play": "a"}, {"play": "c"}"#, "no tile plays b"),
        (#"{"play": "c"}, {"play": "b"}"#, "no tile plays a"),
        (#"{"play": "a"}, {"id": "x", "play": ["c", "b"]}"#, "tile x plays b, but not first; "),
        (#"{"play": "a"}, {"id": "x", "play": {"src": "b", "rate": 2}}"#, "tile x plays b at another rate; "),
        (#"{"play": "a"}, {"id": "x", "play": "b", "group": "y"}"#, "tile x and the tile of a are in different groups"),
        (#"{"play": "a"}, {"play": "a", "offset": 1}, {"play": "b"}"#, "tiles of a are not in step with each other; "),
    ])
    func whatNoOffsetBringsInStepIsReported(_ tiles: String, _ due: String) throws {
        switch try changes(tiles) {
        case .success(let changes): Issue.record("\(tiles): \(changes)")
        case .failure(let mistake): expect(mistake.text.hasPrefix(due), "\(mistake.text)")
        }
    }
}
