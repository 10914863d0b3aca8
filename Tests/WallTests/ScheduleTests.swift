import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Layouts that come and go by a clock that the test sets.
    @Suite struct Schedules {
        private func kept() throws -> [String: Any] {
            ["id": "kept", "play": try clip(1).file(), "rect": [0, 0, 0.5, 1]]
        }

        private func other(_ id: Int) throws -> [String: Any] {
            ["id": "other", "play": try clip(id).file(), "rect": [0.5, 0, 0.5, 1]]
        }

        private func night(_ tiles: [[String: Any]]) throws -> String { try Stage.layout(tiles: tiles) }

        private func halves(of stage: Stage) -> [Tile] { [0, 1].map { Tile(stage.whole.cell($0, 0, of: 2, by: 1)) } }

        private func shows(_ id: Int, _ camera: Camera, _ tile: Int = 0, within limit: Double) -> Bool {
            RealTime.wait(atMost: limit) {
                if case .frame(let mark) = camera.latest(tile) { mark.clip == id } else { false }
            }
        }

        @Test(.tags(.timed, .exact)) func aLayoutComesAndGoesAtTheSecondAndWhatStaysDropsNothing() throws {
            let stage = try Stage(640, 180)
            let clock = try SystemClock("2026-03-10 21:59:56", "Europe/Berlin")
            let entry: [String: Any] = [
                "name": "night", "days": "tue", "from": "22:00", "to": "22:00:04",
                "show": try night([try kept(), try other(3)]),
            ]
            let layout = try Stage.layout(tiles: [try kept(), try other(2)], ["schedule": [entry]])
            let program = try stage.play(["--for", "12", layout], counting: .decoders, clock: clock)
            let camera = try stage.camera(halves(of: stage)[0], halves(of: stage)[1])
            expect(program.child.wait(atMost: 20), equals: 0)
            let film = camera.stop()
            expectUnbroken(Succession(film.show.runs(of: 0), playing: [(1, 0..<60)], blink: blink), "kept", seams: 4)
            let clips = film.show.runs(of: 1).compactMap(\.mark?.clip)
            let changes = zip(clips, clips.dropFirst()).filter { $0 != $1 }.map { [$0, $1] }
            expect(changes, equals: [[2, 3], [3, 2]])
            let events = program.trace.events("schedule")
            expect(events.map { $0.text("name") }, equals: ["night", nil])
            let times = events.map(\.time)
            // Four seconds after the program began.
            expect((3.5...4.3).contains(times[0]) && abs(times[1] - times[0] - 4) < 0.1, "\(times)")
            try expect(#require(program.decoders).most, atMost: 4)
        }

        @Test(.tags(.timed)) func aClockThatIsSetIsFollowed() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 12:00:00", "America/New_York")
            let entry: [String: Any] = [
                "from": "18:00", "to": "06:00", "show": try night([["play": try clip(2).file()]]),
            ]
            let layout = try Stage.layout(tiles: [["play": try clip(1).file()]], ["schedule": [entry]])
            let program = try stage.play([layout], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 5))
            try clock.set("2026-07-01 18:00:00")
            expect(shows(2, camera, within: 2.5))
            try clock.set("2026-07-02 06:00:00")
            expect(shows(1, camera, within: 2.5))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test(.tags(.timed)) func whatIsScheduledNowIsShownFromTheStart() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-12-31 23:30:00", "Europe/Berlin")
            let entry: [String: Any] = [
                "from": "22:00", "to": "03:00", "dates": ["2026-12-31"],
                "show": try night([["play": try clip(2).file()]]),
            ]
            let layout = try Stage.layout(tiles: [["play": try clip(1).file()]], ["schedule": [entry]])
            let program = try stage.play(["--for", "2", layout], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(program.child.wait(atMost: 10), equals: 0)
            expect(Set(camera.stop().show.runs(of: 0).compactMap(\.mark?.clip)), equals: [2])
            expect(program.trace.events("schedule").map { $0.fields["ok"] as? Bool }, equals: [true])
            expect(program.trace.events("reload").isEmpty)
        }

        @Test func aLayoutThatIsWrongOrGoneIsReportedAndShownOnceItIsRight() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 12:00:00", "Europe/Berlin")
            let path = Scratch.path("night.json")
            let entry: [String: Any] = ["name": "night", "from": "22:00", "to": "06:00", "show": path]
            let layout = try Stage.layout(tiles: [["play": try clip(1).file()]], ["schedule": [entry]])
            let program = try stage.play([layout], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 5))
            try clock.set("2026-07-01 22:00:00")
            expect(RealTime.wait(atMost: 3) { program.child.errors.contains("can't be shown") })
            expect(program.child.errors.contains("night.json"))
            // The file exists now, and is wrong.
            try #"{"tiles": [{"play": 3}]}"#.write(toFile: path, atomically: true, encoding: .utf8)
            expect(RealTime.wait(atMost: 5) { program.child.errors.contains("tiles[0].play") })
            expect(shows(1, camera, within: 0.1))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: try night([["play": try clip(2).file()]]), toPath: path)
            expect(shows(2, camera, within: 5))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(program.trace.events("schedule").map { $0.fields["ok"] as? Bool }, equals: [false, true])
        }

        @Test func aWatchedLayoutThatItsScheduleShowsIsReadAsBoth() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 12:00:00", "Europe/Berlin")
            let path = Scratch.path("day.json")
            func save(_ id: Int, _ tail: [[String: Any]]) throws {
                let entry: [String: Any] = ["name": "day", "from": "08:00", "to": "20:00", "show": path]
                let layout = try Stage.layout(tiles: [["play": try clip(id).file()]], ["schedule": [entry] + tail])
                expect(rename(layout, path), equals: 0)
            }
            try save(1, [])
            let program = try stage.play(["--watch", path], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 5))
            let night = try night([["play": try clip(3).file()]])
            try save(2, [["name": "night", "from": "20:00", "to": "08:00", "show": night]])
            expect(shows(2, camera, within: 5))
            try clock.set("2026-07-01 20:00:00")
            expect(shows(3, camera, within: 2.5))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(program.trace.events("schedule").map { $0.text("name") }, equals: ["day", "night"])
        }

        @Test(.tags(.timed)) func aDisplayThatIsOffIsBlackAndNothingIsDecoded() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 21:59:57", "Europe/Berlin")
            let entry: [String: Any] = ["from": "22:00", "to": "22:00:04", "display": "off", "cec": true]
            let (cec, dpms) = (try FakeCEC(), try FakeDPMS())
            let layout = try Stage.layout(tiles: [["play": try clip(1, frames: 300).file()]], ["schedule": [entry]])
            let program = try stage.play(["--for", "10", layout], clock: clock, cec: cec, dpms: dpms)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 3))
            expect(RealTime.wait(atMost: 5) { camera.latest() == .black })
            // CEC puts the television to sleep, and later makes it show this player (address 2.1.0.0).
            expect(RealTime.wait(atMost: 1) { cec.messages == [[0x40, 0x36]] }, "\(cec.messages)")
            // The screen goes off after the last frame, and comes on after the first one.
            expect(RealTime.wait(atMost: 1) { dpms.calls.last == .level(3) }, "\(dpms.calls)")
            expect(!dpms.calls.contains(.level(0)), "\(dpms.calls)")
            RealTime.pass(0.5)
            let before = Program.processorTime(of: program.child.pid)
            RealTime.pass(2)
            let spent = Program.processorTime(of: program.child.pid) - before
            expect(spent, below: 0.1, "\(spent) s of processor time in 2 s")
            expect(program.child.wait(atMost: 15), equals: 0)
            expect(dpms.calls.filter { $0 != .enable }, equals: [.level(3), .level(0)], "\(dpms.calls)")
            let runs = camera.stop().show.runs(of: 0)
            let dark = runs.filter { $0.reading == .black && $0.duration > 1 }
            expect(dark.count == 1 && (3.5...4.6).contains(dark.first?.duration ?? 0), "\(dark)")
            // The film goes on where it stood, with a frame in the first present.
            let place = try #require(runs.firstIndex { $0.first == dark.first?.first })
            let last = try #require(runs[..<place].last { $0.mark != nil }?.mark?.number)
            let next = try #require(runs[place + 1].mark?.number)
            expect((0...2).contains(next - last), "\(last), then \(next)")
            let dropped = try #require(program.trace.events("end").first?.number("missed"))
            expectInTime(dropped, .frames, atMost: 0, "missed")
            expect(program.trace.events("schedule").map { $0.text("display") }, equals: ["off", "on"])
            expect(cec.messages, equals: [[0x40, 0x36], [0x40, 0x04], [0x4F, 0x82, 0x21, 0x00]])
        }

        /// The thread that reads files is stuck, as on a share that does not answer.
        @Test(.tags(.timed)) func aDisplayIsSwitchedWhoeverWaitsForAFile() throws {
            let stage = try Stage(320, 180), files = try StuckThread("files")
            let clock = try SystemClock("2026-07-01 21:59:56", "Europe/Berlin")
            let layout = try Stage.layout(
                tiles: [["play": try clip(1).file()]],
                ["schedule": [["from": "22:00", "to": "22:00:06", "display": "off"]]])
            let program = try stage.play([layout], clock: clock, stuck: files)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 3))
            files.set(true)
            expect(RealTime.wait(atMost: 6) { camera.latest() == .black })
            RealTime.pass(4)
            expect(camera.latest(), equals: .black)
            // Another layout may be due. The wall waits for it, but not for ever.
            expect(shows(1, camera, within: 10))
            files.set(false)
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aLayoutThatTheSystemRefusesForAWhileIsReadAgain() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 12:00:00", "Europe/Berlin")
            let entry: [String: Any] = [
                "from": "22:00", "to": "06:00", "show": try night([["play": try clip(2).file()]]),
            ]
            let layout = try Stage.layout(tiles: [["play": try clip(1).file()]], ["schedule": [entry]])
            let program = try stage.play([layout], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 5))
            try run(["prlimit", "--pid", "\(program.child.pid)", "--nofile=3:"])
            try clock.set("2026-07-01 22:00:00")
            expect(RealTime.wait(atMost: 3) { program.child.errors.contains("can't be read: Too many open files") })
            // The error is reported once.
            try clock.set("2026-07-01 22:01:01")
            RealTime.pass(2)
            expect(
                program.child.errors.components(separatedBy: "can't be read").count, equals: 2,
                "\(program.child.errors)")
            try run(["prlimit", "--pid", "\(program.child.pid)", "--nofile=1024:"])
            try clock.set("2026-07-01 22:02:02")
            expect(shows(2, camera, within: 5))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        /// A layout that is loaded while the display is off is shown once the display is on. Until then the wall is
        /// that of another file.
        @Test(.tags(.timed)) func whatIsChangedByHandIsSavedIntoTheLayoutThatIsShown() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 23:00:00", "Europe/Berlin")
            let off: [String: Any] = ["from": "23:00:02", "to": "06:00", "display": "off"]
            func layout(_ id: Int) throws -> String {
                try Stage.layout(tiles: [["id": "t", "play": try clip(id).file()]], ["schedule": [off]])
            }
            let (shown, next) = (try layout(1), try layout(2))
            func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
            let before = try text(next)
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play(["--ipc", path, shown], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(1, camera, within: 5))
            let client = try #require(ControlClient(path))
            expect(RealTime.wait(atMost: 6) { camera.latest() == .black })
            expect(client.error("layout-load", next), equals: "success")
            expect(client.error("tile", "t", "keypress", "m"), equals: "success")
            expect(client.error("layout-save"), equals: "success")
            let saved = try text(shown)
            try expect(text(next), equals: before)
            expect(saved.contains("mute"), "\(saved)")
            try clock.set("2026-07-02 06:00:00")
            expect(shows(2, camera, within: 5))
            client.error("quit")
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aBreakThatIsSavedIntoAScheduledLayoutComesByTheClock() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 21:59:52", "Europe/Berlin")
            let tiles: [[String: Any]] = [["play": try clip(2).file()]]
            let path = try night(tiles)
            let entry: [String: Any] = ["from": "21:00", "to": "06:00", "show": path]
            let layout = try Stage.layout(tiles: [["play": try clip(1).file()]], ["schedule": [entry]])
            let program = try stage.play(["--watch", layout], clock: clock)
            let camera = try stage.camera(Tile(stage.whole))
            expect(shows(2, camera, within: 5))
            let ad: [String: Any] = ["at": ["22:00"], "when": "now", "play": try clip(3).file()]
            let saved = try Stage.layout(tiles: tiles, ["breaks": [ad]])
            expect(rename(saved, path), equals: 0)
            expect(shows(3, camera, within: 12))
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test(.tags(.timed)) func aBreakWhoseTimeComesWhileTheDisplayIsOffIsLeftOut() throws {
            let stage = try Stage(320, 180)
            let clock = try SystemClock("2026-07-01 21:59:57", "Europe/Berlin")
            let entry: [String: Any] = ["from": "22:00", "to": "22:00:04", "display": "off"]
            let ad: [String: Any] = ["at": ["22:00:02"], "when": "now", "play": try clip(3).file()]
            let layout = try Stage.layout(
                tiles: [["play": try clip(1).file()]], ["schedule": [entry], "breaks": [ad]])
            let dpms = try FakeDPMS()
            let program = try stage.play(["--for", "10", layout], clock: clock, dpms: dpms)
            let camera = try stage.camera(Tile(stage.whole))
            expect(program.child.wait(atMost: 15), equals: 0)
            expect(Set(camera.stop().show.runs(of: 0).compactMap(\.mark?.clip)), equals: [1])
            expect(program.trace.events("schedule").map { $0.text("display") }, equals: ["off", "on"])
            expect(program.trace.events("break").isEmpty)
        }

        @Test func checkListsSevenDaysAndWhatIsWrongInThem() throws {
            let clock = try SystemClock("2026-03-25 12:00:00", "Europe/Berlin")
            let (film, folder) = (try clip(1).file(), try Scratch.newFolder("walls"))
            let layout = """
                {"tiles": [{"play": "\(film)"}], "schedule": [
                  {"name": "gap", "days": "sun", "from": "02:10", "to": "02:50", "show": "right.json"},
                  {"name": "wrong", "days": "thu", "from": "09:00", "to": "10:00", "show": "wrong.json"},
                  {"name": "night", "from": "22:00", "to": "06:00", "display": "off"},
                  {"name": "gone", "dates": ["2026-03-28"], "show": "gone.json"},
                  {"name": "hidden", "days": "thu", "from": "09:10", "to": "09:20", "show": "right.json"}]}
                """
            let right = "{\"tiles\": [{\"play\": \"\(film)\"}], \"schedule\": [{\"display\": \"off\"}]}"
            for (name, text) in [("wall", layout), ("wrong", "{\"tiles\": []}"), ("right", right)] {
                try text.write(toFile: "\(folder)/\(name).json", atomically: true, encoding: .utf8)
            }
            let found = try Program.run(["check", "\(folder)/wall.json"], clock: clock)
            expect(found.status, equals: 2, "\(found.errors)")
            // The seven days begin when the program reads the time: on a busy machine, seconds after its start.
            expect(
                found.output.contains(
                    #/\n  wed 2026-03-25 12:0\d:\d\d to wed 2026-03-25 22:00:00: the layout itself; no entry applies\n/#
                ), "\(found.output)")
            for line in [
                "  wed 2026-03-25 22:00:00 to thu 2026-03-26 06:00:00: night (the display is off)",
                "  thu 2026-03-26 09:00:00 to thu 2026-03-26 10:00:00: wrong (\(folder)/wrong.json)",
                "  sat 2026-03-28 06:00:00 to sat 2026-03-28 22:00:00: gone (\(folder)/gone.json)",
                "  gap is left out on 2026-03-29: the clocks leave out its time", "  gap is not shown in these days",
                "  hidden is not shown in these days",
                "  \(folder)/wrong.json:1:11: tiles: an empty list is wrong here; a list of at least one tile would be right",
                "  its own schedule is ignored: this layout's holds",
            ] {
                expect(found.output.split(separator: "\n").contains { $0 == line }, "\(line)\n\(found.output)")
            }
            expect(found.output.contains("gone.json: the layout can't be read: No such file or directory"))
            let json = try Program.run(["check", "--json", "\(folder)/wall.json"], clock: clock)
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            let schedule = try #require(object?["schedule"] as? [String: Any])
            let shown = try #require(schedule["shown"] as? [[String: Any]])
            let from = try #require(shown.first?["from"] as? String)
            let began = try #require(from.wholeMatch(of: #/2026-03-25T12(:0\d:\d\d)\+01:00/#)?.1, "\(from)")
            expect(shown.last?["to"] as? String, equals: "2026-04-01T13\(began)+02:00")
        }
    }
}
