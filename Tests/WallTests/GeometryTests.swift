import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    @Suite struct Geometry {
        static let colours = [Colour(200, 40, 40), Colour(40, 180, 60), Colour(50, 60, 200), Colour(210, 190, 40)]

        private func flat(_ index: Int, _ width: Int = 320, _ height: Int = 180) throws -> String {
            try clip(index, frames: 30) {
                $0.look = .flat(Self.colours[index])
                ($0.width, $0.height) = (width, height)
            }.file()
        }

        private func expectSeen(_ areas: [Area], on stage: Stage, of program: Program) {
            let found = RealTime.wait(atMost: 8) {
                guard let photo = try? Photo(stage.display) else { return false }
                return areas.enumerated().allSatisfy { photo.edges(of: Self.colours[$0]) == $1 }
            }
            if !found, let photo = try? Photo(stage.display) {
                for (index, area) in areas.enumerated() { expect(photo.edges(of: Self.colours[index]), equals: area) }
            }
            expect(program.child.end(), equals: 0)
        }

        @Test func spansGapsAndMarginsAreTrueToThePixel() throws {
            let stage = try Stage(640, 360)
            let program = try stage.play(
                tiles: [
                    ["cell": [0, 0], "span": [2, 2], "play": try flat(0), "fit": "stretch"],
                    ["cell": [2, 0], "play": try flat(1), "fit": "stretch"],
                    ["cell": [2, 1], "play": try flat(2), "fit": "stretch"],
                ], ["grid": ["columns": 3, "rows": 2, "gap": 10, "margin": 5], "window": ["size": [640, 360]]])
            // Columns of (640 - 2*5 - 2*10) / 3 = 203 1/3, rows of (360 - 2*5 - 10) / 2 = 170: edges are rounded.
            expectSeen(
                [Area(5, 5, 417, 350), Area(432, 5, 203, 170), Area(432, 185, 203, 170)], on: stage, of: program)
        }

        @Test func fullScreenNeedsNoWindowManager() throws {
            let stage = try Stage(640, 360)
            let program = try Program(["--fullscreen", "--size", "320x180", try flat(0)], on: stage.display)
            func fills(_ area: Area) -> Bool {
                RealTime.wait(atMost: 8) { (try? Photo(stage.display))?.edges(of: Self.colours[0]) == area }
            }
            expect(fills(stage.whole))
            let keys = Keys(stage.display)
            try keys.press("Escape")
            expect(fills(Area(160, 90, 320, 180)))
            try keys.press("f")
            expect(fills(stage.whole))
            expect(program.child.end(), equals: 0)
        }

        @Test func rectanglesAreFractionsOrPixelsAndLaterOnesLieOnTop() throws {
            let stage = try Stage(640, 360)
            let program = try stage.play(
                tiles: [
                    ["rect": [0, 0, 0.5, 1], "play": try flat(0), "fit": "stretch"],
                    ["rect": [340, 20, 200, 100], "play": try flat(1), "fit": "stretch"],
                    ["rect": [300, 200, 900, 100], "play": try flat(2), "fit": "stretch"],
                ], ["window": ["size": [640, 360]]])
            expectSeen(
                [Area(0, 0, 320, 360), Area(340, 20, 200, 100), Area(300, 200, 340, 100)], on: stage, of: program)
        }

        @Test func aFrameIsContainedWithBackgroundBesideIt() throws {
            let stage = try Stage(600, 200)
            let program = try stage.play(tiles: [["play": try flat(0, 320, 160), "fit": "contain"]])
            expectSeen([Area(100, 0, 400, 200)], on: stage, of: program)
        }

        @Test func aFrameThatCoversIsCroppedEvenly() throws {
            // Green within a border of 40 red pixels. 20 of them are cropped at two edges.
            let framed = Scratch.path("framed.png")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=0xc82828:s=640x360,format=rgb24",
                "-vf", "drawbox=40:40:560:280:0x28b43c:fill", "-frames:v", "1", "-update", "1", framed,
            ])
            for (width, height, area) in [(640, 320, Area(40, 20, 560, 280)), (600, 360, Area(20, 40, 560, 280))] {
                let stage = try Stage(width, height)
                let program = try stage.play(tiles: [["play": framed, "fit": "cover"]])
                let isThere = RealTime.wait(atMost: 8) {
                    guard let photo = try? Photo(stage.display) else { return false }
                    return photo.edges(of: Self.colours[1]) == area && photo.edges(of: Self.colours[0]) == stage.whole
                }
                let seen = try Photo(stage.display).edges(of: Self.colours[1])
                expect(isThere, "\(seen.map { "\($0)" } ?? "nothing green") instead of \(area)")
                expect(program.child.end(), equals: 0)
            }
        }

        nonisolated(unsafe) static let places: [(name: String, item: [String: Any], tile: [String: Any], area: Tile)] =
            [
                ("stretch", [:], ["fit": "stretch"], Tile(Area(0, 0, 640, 400))),
                ("contain", [:], ["fit": "contain"], Tile(Area(0, 20, 640, 360))),
                (
                    "crop", ["crop": [0, 0, 1, 0.5]], ["fit": "stretch"],
                    Tile(Area(0, 0, 640, 400), part: [0, 0, 1, 0.5])
                ),
                ("half turn", ["turn": 180], ["fit": "stretch"], Tile(Area(0, 0, 640, 400), turn: .half)),
                ("quarter", ["turn": 90], ["fit": "stretch"], Tile(Area(0, 0, 640, 400), turn: .quarter)),
                ("three quarters", ["turn": 270], ["fit": "stretch"], Tile(Area(0, 0, 640, 400), turn: .threeQuarters)),
                ("flipped", ["flip": "h"], ["fit": "stretch"], Tile(Area(0, 0, 640, 400), flip: .horizontal)),
                ("upside down", ["flip": "v"], ["fit": "stretch"], Tile(Area(0, 0, 640, 400), flip: .vertical)),
            ]

        @Test(arguments: places.indices) func aFrameStandsWhereItBelongs(_ index: Int) throws {
            let place = Self.places[index]
            let stage = try Stage(640, 400)
            let item = place.item.merging(["src": try clip(5).file()]) { $1 }
            let program = try stage.play(tiles: [place.tile.merging(["play": item]) { $1 }])
            let camera = try stage.camera(place.area)
            expect(camera.waitUntilReadable(atMost: 5), "\(place.name)")
            camera.stop()
            expect(program.child.end(), equals: 0)
        }

        /// The tile's flip follows the turn of its item. The item plays on.
        @Test func aTileIsFlippedWhileItPlays() throws {
            let stage = try Stage(640, 400)
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let item: [String: Any] = ["src": try clip(5, frames: 600).file(), "turn": 90]
            let program = try stage.play(
                tiles: [["play": item, "fit": "stretch", "flip": "v"]], options: ["--ipc", path])
            func isReadable(_ flip: Tile.Flip) throws -> Bool {
                let camera = try stage.camera(Tile(Area(0, 0, 640, 400), turn: .quarter, flip: flip))
                defer { camera.stop() }
                return camera.waitUntilReadable(atMost: 5)
            }
            expect(try isReadable(.vertical))
            let client = try #require(ControlClient(path))
            expect(client.error("set_property", "flip", "h"), equals: "success")
            expect(try isReadable(.horizontal))
            expect(client.get("flip") as? String, equals: "h")
            expect(program.trace.events("item-start").count, equals: 1)
            expect(program.child.end(), equals: 0)
        }
    }
}
