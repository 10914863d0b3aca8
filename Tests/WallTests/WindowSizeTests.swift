import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Initial size of the window.
    @Suite struct WindowSize {
        private static let red = Colour(200, 40, 40)

        private func film(_ id: Int, _ width: Int, _ height: Int) throws -> String {
            try clip(id, frames: 30) {
                ($0.look, $0.width, $0.height) = (.flat(Self.red), width, height)
            }.file()
        }

        /// Returns the size of the window once it has appeared, and the messages.
        private func size(_ arguments: [String], _ display: Display) throws -> (size: [Int], errors: String) {
            let program = try Program(arguments + ["--for", "30"], on: display)
            let keys = Keys(display)
            expect(RealTime.wait(atMost: 10) { ((try? keys.windows(".")) ?? []).count == 1 })
            let size = try keys.size(of: try #require(try keys.windows(".").first))
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            return ([size.width, size.height], program.child.errors)
        }

        @Test func theWindowHasTheShapeOfTheFilms() throws {
            let display = try Display(width: 1920, height: 1080)
            let (wide, tall) = (try film(0, 320, 180), try film(1, 90, 160))
            for (films, expected) in [
                ([wide], [1280, 720]), ([wide, wide], [1280, 360]), ([tall], [406, 720]), ([tall, wide], [1280, 640]),
            ] {
                let (size, errors) = try size(films, display)
                expect((size, errors) == (expected, ""), "\(films.count)")
            }
            let layout = try Scratch.file("two.json", #"{"tiles": [{"play": "\#(wide)"}, {"play": "\#(wide)"}]}"#)
            try expect(size([layout], display).size, equals: [1280, 720])
            try expect(size([wide, wide, "--size", "400x300"], display).size, equals: [400, 300])
        }

        @Test func theWindowFitsTheDisplayAndSaysSo() throws {
            let display = try Display(width: 640, height: 480)
            let wide = try film(0, 320, 180)
            let reported = try size([wide, "--size", "1920x1080"], display)
            expect(reported.size, equals: [640, 360])
            expect(reported.errors, equals: "quadrille: the window is 640x360; the display has no room for 1920x1080\n")
            // The size was not requested, so no message is printed.
            let unrequested = try size([wide, wide], display)
            expect((unrequested.size, unrequested.errors) == ([640, 180], ""))
            try expect(size([wide, "--size", "1920x1080", "--quiet"], display).errors.isEmpty)
        }

        @Test func aDisplayThatIsNotThereIsReported() throws {
            let display = try Display(width: 640, height: 480)
            let reported = try size(["--display", "2", try film(0, 320, 180)], display)
            expect(reported.errors, equals: "quadrille: display 2 does not exist (only 0 exists); using display 0\n")
        }

        /// The window appears in the default size, and keeps it.
        @Test func slowFilmsAreNotWaitedFor() throws {
            let display = try Display(width: 1920, height: 1080)
            let path = Scratch.path("slow.mp4")
            var held: HeldFile? = try HeldFile(copyOf: try film(1, 90, 160), at: path)
            let program = try Program([path, "--for", "30"], on: display)
            let keys = Keys(display)
            expect(RealTime.wait(atMost: 5) { ((try? keys.windows(".")) ?? []).count == 1 })
            let window = try #require(try keys.windows(".").first)
            try expect(keys.size(of: window) == (1280, 720))
            withExtendedLifetime(held) {}
            held = nil
            expect(RealTime.wait(atMost: 10) { (try? Photo(display))?.edges(of: Self.red)?.height == 720 })
            try expect(keys.size(of: window) == (1280, 720))
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }
    }
}
