import Foundation
import TestKit
import Testing

extension WallTests {
    @Suite(.serialized) struct Trouble {
        static let kinds = ["missing", "empty", "text", "truncated", "directory", "fifo"]

        /// A source that cannot be played, with a film's name.
        private func broken(_ kind: String) throws -> String {
            let path = Scratch.path("\(kind).mp4")
            switch kind {
            case "empty": try Data().write(to: URL(fileURLWithPath: path))
            case "text": try "This is no film.\n".write(toFile: path, atomically: false, encoding: .utf8)
            case "truncated":
                // The index stands at the end of this file, and is cut off.
                let whole = try clip(6) { $0.extra = ["-movflags", "-faststart"] }.file()
                try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(9000).write(to: URL(fileURLWithPath: path))
            case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            case "fifo": mkfifo(path, 0o600)
            default: break
            }
            return path
        }

        @Test(arguments: kinds) func aBrokenSourceCostsItsOwnTileOnly(_ kind: String) throws {
            let stage = try Stage(640, 180)
            let path = try broken(kind)
            let program = try stage.play(
                tiles: [["id": "good", "play": try clip(1).file()], ["id": "bad", "play": path]],
                options: ["--for", "5"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)))
            #expect(camera.waitUntilReadable(atMost: 3))
            #expect(program.child.wait(atMost: 12) == 0)
            let seen = Succession(camera.stop().show.runs(of: 0), looping: 1, 60, blink: blink)
            #expect(seen.missing.isEmpty && seen.black == 0 && seen.unreadable == 0)
            #expect(seen.longestHold < 0.15)
            #expect(program.child.errors.contains((path as NSString).lastPathComponent))
            #expect(program.trace.events("trouble", tile: "bad").isEmpty == false)
        }

        @Test func aSequenceGoesOnAfterABrokenItem() throws {
            let stage = try Stage(320, 180)
            let play = [try clip(1, pictures: 30).file(), try broken("text"), try clip(2, pictures: 30).file()]
            let program = try stage.play(tiles: [["play": play]], options: ["--for", "6"])
            let camera = try stage.camera(Tile(stage.whole))
            #expect(program.child.wait(atMost: 12) == 0)
            let runs = camera.stop().show.runs(of: 0)
            let seen = Succession(runs, playing: [(1, 0..<30), (2, 0..<30)], blink: blink)
            #expect(seen.missing.isEmpty && seen.black == 0 && seen.unreadable == 0 && seen.seams.count >= 1)
        }

        @Test func aPosterStandsWhereASourceHangs() throws {
            let silence = try SilentServer()
            let stage = try Stage(640, 180)
            let hanging: [String: Any] = [
                "play": "http://127.0.0.1:\(silence.port)/x.mp4", "poster": try clip(9).still(3),
            ]
            let program = try stage.play(tiles: [["play": try clip(1).file()], hanging], options: ["--for", "5"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            #expect(camera.waitUntilReadable(atMost: 3))
            #expect(program.child.wait(atMost: 6.5 + program.child.began + 3 - Clock.now) == 0)
            let film = camera.stop().show
            #expect(film.runs(of: 1).map(\.mark) == [Mark(clip: 9, number: 3)])
            let seen = Succession(film.runs(of: 0), looping: 1, 60, blink: blink)
            #expect(seen.missing.isEmpty && seen.black == 0)
        }

        @Test func nothingPlayableAtAllIsStatusOne() throws {
            let stage = try Stage(320, 180)
            let program = try stage.play([try broken("text"), try broken("missing")])
            #expect(program.child.wait(atMost: 10) == 1)
        }

        @Test func aWallThatWaitsStays() throws {
            let stage = try Stage(320, 180)
            let program = try stage.play([try broken("missing"), "--wait", "--for", "3"])
            #expect(program.child.wait(atMost: 2) == nil)
            #expect(program.child.wait(atMost: 10) == 0)
        }
    }
}

/// Listens on 127.0.0.1, takes connections into its queue, and never answers.
final class SilentServer {
    let port: Int
    private let socketNumber: Int32

    struct CannotListen: Error {}

    init() throws {
        socketNumber = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = socketNumber
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int32 in
                guard bind(number, raw, size) == 0, listen(number, 8) == 0 else { return -1 }
                return getsockname(number, raw, &size)
            }
        }
        guard result == 0 else { throw CannotListen() }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socketNumber) }
}
