import Expectations
import Foundation
import TestKit
import Testing

/// Rendering a wall into a file, without a display: every frame is the one that was due.
@Suite struct RenderTests {
    static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL.path
    static let layouts = ["demo", "compare", "kiosk", "karaoke", "sequence", "spotlight", "background"]

    static func layout(tiles: [[String: Any]], _ rest: [String: Any] = [:]) throws -> String {
        let object = rest.merging(["tiles": tiles]) { $1 }
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
        return try Scratch.file("layout.json", String(decoding: data, as: UTF8.self))
    }

    static func clip(_ id: Int, _ frames: Int, _ change: (inout Witness) -> Void = { _ in }) -> Witness {
        Witness(id).with { witness in
            (witness.width, witness.height, witness.frames) = (320, 180, frames)
            change(&witness)
        }
    }

    @discardableResult
    static func render(_ arguments: [String], atMost limit: Double = 120) throws -> String {
        let result = try Program.run(["render"] + arguments, atMost: limit)
        try #require(result.status == 0, "\(result.errors)")
        return result.errors
    }

    /// The checksums of the frames in a checksum file.
    static func sums(_ text: String) -> [String] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        }
    }

    @Test func aLayoutThatIsOneComparisonIsAsLongAsItsFilms() throws {
        let films = [try Self.clip(1, 45).file(), try Self.clip(2, 60).file()]
        let layout = try Self.layout(tiles: [["compare": films]], ["window": ["size": [320, 180]]])
        let film = Scratch.path("compared.mkv")
        try Self.render([layout, "-o", film])
        let count = try run([
            "ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
            "stream=nb_read_packets", "-of", "csv=p=0", film,
        ])
        expect(count.trimmingCharacters(in: .whitespacesAndNewlines), equals: "60")
    }

    // MARK: the wall of four

    static let quadrants = [(0, 0), (1, 0), (0, 1), (1, 1)].map {
        Tile(Area(0, 0, 640, 360).cell($0.0, $0.1, of: 2, by: 2))
    }

    /// Four tiles: a loop of 60 frames, H.264 and VP9 in turns, a loop of 45 frames, and three segments, the second in
    /// slow motion.
    static func wallOfFour() throws -> String {
        let sliced = try clip(5, 60).file()
        return try layout(
            tiles: [
                ["play": try clip(1, 60).file()],
                [
                    "play": [
                        try clip(2, 60).file(), try clip(3, 60) { ($0.codec, $0.container) = (.vp9, .webm) }.file(),
                    ]
                ],
                ["play": try clip(4, 45) { $0.bFrames = 2 }.file()],
                [
                    "play": [
                        "src": sliced,
                        "segments": [
                            ["in": 0, "out": 0.5], ["in": 0.5, "out": 1, "rate": 0.5], ["in": 1, "out": 1.5],
                        ],
                    ]
                ],
            ], ["window": ["size": [640, 360]]])
    }

    static func due(_ tile: Int, _ number: Int) -> Mark {
        switch tile {
        case 0: return Mark(clip: 1, number: number % 60)
        case 1: return Mark(clip: number % 120 < 60 ? 2 : 3, number: number % 60)
        case 2: return Mark(clip: 4, number: number % 45)
        default:
            let place = number % 60
            return Mark(clip: 5, number: place < 15 ? place : place < 45 ? 15 + (place - 15) / 2 : place - 15)
        }
    }

    @Test func eachOf720TileFramesIsTheOneThatIsDue() throws {
        let file = Scratch.path("four.mkv")
        try Self.render([try Self.wallOfFour(), "--for", "6", "--fps", "30", "--preset", "veryfast", "-o", file])
        let footage = try Footage(file, width: 640, height: 360)
        try #require(footage.count == 180)
        for number in 0..<180 {
            for (place, tile) in Self.quadrants.enumerated() {
                expect(footage.read(tile, number), equals: .frame(Self.due(place, number)), "tile \(place), \(number)")
            }
        }
    }

    @Test func twoRunsGiveTheSameFramesAndASnapshotAgrees() throws {
        let layout = try Self.wallOfFour()
        let files = [Scratch.path("a.framehash"), Scratch.path("b.framehash")]
        for file in files { try Self.render([layout, "--for", "4", "-o", file]) }
        let sums = try files.map { Self.sums(try String(contentsOfFile: $0, encoding: .utf8)) }
        expect(sums[0].count, equals: 120)
        expect(sums[0], equals: sums[1])
        let frame = Scratch.path("snapshot.png")
        let result = try Program.run(["snapshot", layout, "--at", "3.5", "-o", frame])
        expect(result.status, equals: 0, "\(result.errors)")
        let sum = Self.sums(
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-i", frame, "-pix_fmt", "rgb24", "-f", "framehash", "-hash",
                "md5",
                "-",
            ]))
        expect(sum, equals: [sums[0][105]])
        let rest = try Program.run(["render", layout, "--at", "3.5", "--for", "0.1", "-o", "-"])
        expect(Self.sums(rest.output), equals: Array(sums[0][105..<108]))
    }

    @Test(arguments: [1, 2]) func fewerPipelinesGiveTurnsByTheClockAndTheSameFramesTwice(_ pipelines: Int) throws {
        let clips = try (1...3).map { try Self.clip($0, 30).file() }
        let layout = try Self.layout(
            tiles: clips.map { ["play": $0] },
            ["window": ["size": [480, 90]], "grid": ["columns": 3, "rows": 1], "overflow": ["rotate": 1]])
        let outputs = try (0..<2).map { _ in
            let program = try Program(
                ["render", layout, "--for", "3", "--pipelines", "\(pipelines)", "-o", "-"], counting: .decoders)
            expect(program.child.wait(atMost: 60), equals: 0)
            try expect(#require(program.decoders).most, atMost: pipelines)
            return program.child.output
        }
        expect(Self.sums(outputs[0]).count, equals: 90)
        expect(outputs[0], equals: outputs[1])
    }

    @Test(arguments: layouts) func theLayoutsThatComeWithItRender(_ name: String) throws {
        let result = try Program.run(
            ["render", "\(Self.root)/layouts/\(name).json", "--for", "0.5", "--size", "640x360", "-o", "-"], atMost: 60)
        expect(result.status, equals: 0, "\(result.errors)")
        expect(Self.sums(result.output).count, atLeast: 12)
    }

    /// One frame may last for hours, and so may its sound.
    @Test func aSignalEndsItInTheMiddleOfAFrame() throws {
        let folder = try Scratch.newFolder("ended")
        let film = try RenderTests.clip(1, 30) { $0.sound = .aac }.file()
        let program = try Program(
            ["render", film, "--fps", "1/1000000", "--for", "1", "--size", "64x64", "-o", "\(folder)/film.mp4"])
        expect(program.child.wait(atMost: 1), equals: nil)
        program.child.signal(SIGTERM)
        expect(program.child.wait(atMost: 5), equals: 128 + SIGTERM, "\(program.child.errors)")
        try expect(FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func aTileThatCannotBePlayedCostsNothingButItself() throws {
        let layout = try Self.layout(
            tiles: [["play": try Self.clip(1, 30).file()], ["play": ["/nowhere.mp4", try Self.clip(2, 30).file()]]],
            ["window": ["size": [640, 180]], "grid": ["columns": 2, "rows": 1]])
        let file = Scratch.path("half.mkv")
        try expect(Self.render([layout, "--for", "2", "-o", file]).contains("/nowhere.mp4"))
        let footage = try Footage(file, width: 640, height: 180)
        for number in 0..<60 {
            for place in 0..<2 {
                let tile = Tile(Area(place * 320, 0, 320, 180))
                expect(footage.read(tile, number), equals: .frame(Mark(clip: place + 1, number: number % 30)))
            }
        }
    }
}
