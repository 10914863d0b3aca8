import Engine
import Expectations
import Foundation
import Testing
import Threads

@testable import Base
@testable import Commands
@testable import Control
@testable import Layout
@testable import Player

/// Commands and keys on a wall that plays nothing. A fake program records the calls.
@Suite struct RouterTests {
    final class FakeProgram: ControlledProgram {
        struct Pressed: Sendable {
            let press: KeyPress
            let chain: KeyChain
            let answer: CommandRouter.Answer
        }
        struct Notes: Sendable {
            var queue: [Pressed] = []
            var failures: [String] = []
            var messages: [[String]] = []
            var requests: [(Change.ProgramRequest, TileID?)] = []
        }
        let notes = Locked(Notes())

        func carryOut(
            _ request: Change.ProgramRequest, of tile: TileID?, answer: @escaping CommandRouter.Answer
        ) {
            notes.locked { $0.requests.append((request, tile)) }
            answer(.failure(.notSupported))
        }
        func press(_ press: KeyPress, within chain: KeyChain, answer: @escaping CommandRouter.Answer) {
            notes.locked { $0.queue.append(Pressed(press: press, chain: chain, answer: answer)) }
        }
        func commandFailed(_ cause: String, _ error: ControlError) {
            notes.locked { $0.failures.append("\(cause): \(error.detail ?? "")") }
        }
        func dropFailed(_ source: String, _ error: ControlError) {
            notes.locked { $0.failures.append("\(source): \(error.detail ?? "")") }
        }
        var facts: ProgramFacts { ProgramFacts(version: "1") }
        func quitRequested(status: Int) {}
        func message(_ words: [String]) { notes.locked { $0.messages.append(words) } }
        func sourcesChanged() {}
        func items(of source: String, _ take: @escaping @Sendable (Result<[Item], ControlError>) -> Void) {
            guard source != "no" else { return take(.failure(ControlError(.loadingFailed, because: "no such film"))) }
            take(.success([Item(source: source)]))
        }
        func file(called name: String, _ take: @escaping @Sendable (Result<String, ControlError>) -> Void) {
            guard name != "no" else { return take(.failure(ControlError(.loadingFailed, because: "no such file"))) }
            take(.success(name))
        }
    }

    let runner: LockedWall
    let router: CommandRouter
    let program = FakeProgram()

    init() throws {
        let wall = Wall(layout: try Self.layout(keys: "{}"), pipelines: 4)
        runner = LockedWall(wall, pipelines: 4, time: .live, record: { _ in })
        router = CommandRouter(runner, program)
    }

    static func layout(keys: String) throws -> Layout {
        let text =
            "{\"keys\": \(keys), \"tiles\": [{\"id\": \"left\", \"play\": \"a\"}, {\"id\": \"right\", \"play\": \"b\"}]}"
        guard case .layout(let layout) = LayoutReader.read(Array(text.utf8), path: "-") else {
            throw CancellationError()
        }
        return layout
    }

    @discardableResult
    func run(_ words: String...) -> ControlError? {
        let result = Locked<ControlError?>(nil)
        router.run(ControlCommand(words[0], words.dropFirst().map { .text($0) }, client: "x")) { answer in
            if case .failure(let error) = answer { result.locked { $0 = error } }
        }
        return result.locked { $0 }
    }

    /// A command for a tile saves that tile's frame, and `video` that of the focused one.
    @Test func aScreenshotStatesWhatItShows() throws {
        let right = runner.read { wall, _ in wall.tile(named: "right") }
        let cases: [([String], Change.Pictured, String?, TileID?)] = [
            (["screenshot"], .wall, nil, nil), (["screenshot", "video"], .tile, nil, nil),
            (["screenshot-to-file", "a.png"], .wall, "a.png", nil),
            (["screenshot-to-file", "a.png", "window"], .wall, "a.png", nil),
            (["snapshot", "a.png", "video"], .tile, "a.png", nil),
            (["tile", "right", "screenshot-to-file", "a.png"], .wall, "a.png", right),
        ]
        for (words, pictured, file, tile) in cases {
            router.run(ControlCommand(words[0], words.dropFirst().map { .text($0) }, client: "x")) { _ in }
            let (request, named) = try #require(program.notes.locked { $0.requests.popLast() })
            expect(request == .screenshot(pictured, to: file) && named == tile, "\(words): \(request)")
        }
    }

    /// Runs the queued presses as the main thread does. Returns their number.
    func work(atMost most: Int = 10_000) -> Int {
        var count = 0
        while count < most, let next = program.notes.locked({ $0.queue.isEmpty ? nil : $0.queue.removeFirst() }) {
            count += 1
            _ = router.runBinding(of: next.press, within: next.chain)
            next.answer(.success(nil))
        }
        return count
    }

    @Test func aCommandForAGroupIsForEachOfItsTiles() {
        func tiles() -> [TileLayout] {
            runner.read { wall, _ in
                wall.givenLayout.tiles.map(\.id).compactMap { wall.tile(named: $0) }.map {
                    wall.layout(of: $0)
                }
            }
        }
        expect(run("group", "main", "set", "volume", "40"), equals: nil)
        expect(tiles().map(\.volume), equals: [40, 40])
        expect(run("tile", "left", "set", "mute", "yes"), equals: nil)
        // A toggle leaves all tiles alike.
        expect(run("group", "main", "cycle", "mute"), equals: nil)
        expect(tiles().map(\.isMuted), equals: [false, false])
        expect(run("group", "main", "cycle-tile-mute"), equals: nil)
        expect(tiles().map(\.isMuted), equals: [true, true])
        expect(run("group", "main", "add-tile-volume", "-15"), equals: nil)
        expect(tiles().map(\.volume), equals: [25, 25])
        expect(run("group", "main", "next-up", "Anna"), equals: nil)
        expect(
            ["left", "right"].map { router.property("tiles/\($0)/next-up") },
            equals: [.success(.text("Anna")), .success(.text("Anna"))])
    }

    @Test func aCommandAboutTimeIsCarriedOutOnceForAGroup() {
        func isPaused() -> PropertyValue? { try? router.property("pause").get() }
        expect(isPaused(), equals: .flag(false))
        expect(run("group", "main", "cycle", "pause"), equals: nil)
        expect(isPaused(), equals: .flag(true))
        expect(run("group", "main", "set", "speed", "1.5"), equals: nil)
        expect(run("group", "main", "multiply", "speed", "0.5"), equals: nil)
        expect(try? router.property("speed").get(), equals: .number(0.75))
    }

    @Test func aCommandAboutTimeIsForTheTilesOfAGroupThatAreNotLive() {
        expect(run("tile", "left", "loadfile", "udp://127.0.0.1:9"), equals: nil)
        expect(run("tile", "left", "alone", "seek", "5")?.detail, equals: "left is live: a live source can't be sought")
        expect(
            run("tile", "left", "alone", "set", "speed", "2")?.detail, equals: "left is live: a live source has no rate"
        )
        expect(run("group", "main", "alone", "seek", "5"), equals: nil)
        expect(run("group", "main", "alone", "set", "speed", "2"), equals: nil)
        expect(run("group", "main", "set", "speed", "1.5"), equals: nil)
        expect(try? router.property("tiles/right/speed").get(), equals: .number(1.5))
        expect(run("tile", "right", "loadfile", "udp://127.0.0.1:10"), equals: nil)
        expect(run("group", "main", "alone", "seek", "5")?.detail?.hasSuffix("can't be sought"), equals: true)
        expect(run("group", "main", "set", "speed", "2")?.detail?.hasSuffix("has no rate"), equals: true)
    }

    @Test func aGroupThatIsNotThereAndAWrongCommandAreRefused() {
        expect(run("group", "mian", "set", "volume", "4")?.detail?.contains("did you mean \"main\"?"), equals: true)
        expect(run("group", "main")?.detail, equals: "usage: group NAME [alone] COMMAND ...")
        expect(
            run("group", "main", "tile", "left", "set", "volume", "4")?.word, equals: ControlError.invalidParameter.word
        )
        expect(run("group", "main", "set", "volume", "loud") != nil)
        expect(run("group", "main", "no-such-command") != nil)
    }

    func key(_ name: String) -> KeyPress { KeyPress(name: name)! }
    var mutes: [Bool] {
        runner.read { wall, now in
            ["left", "right"].map {
                (try? WallReport(wall, at: now).value(at: "mute", of: wall.tile(named: $0)).get())
                    == .flag(true)
            }
        }
    }
    var focus: PropertyValue? {
        runner.read { wall, now in try? WallReport(wall, at: now).value(at: "focus", of: nil).get() }
    }

    private func played(by id: String) -> [String] {
        runner.read { wall, now in
            let list = try? WallReport(wall, at: now).value(at: "playlist", of: wall.tile(named: id)).get()
            guard case .list(let entries) = list else { return [] }
            return entries.compactMap { $0["filename"]?.asText }
        }
    }

    @Test func droppedFilmsTakeTheTileUnderThePointer() {
        runner.change { wall, now in wall.player.note(.resized(to: Size(640, 180)), at: now) }
        router.drop(["/c", "/d"], at: Point(500, 90), appending: false)
        expect(played(by: "left"), equals: ["a"])
        expect(played(by: "right"), equals: ["/c", "/d"])
        router.drop(["/e"], at: Point(500, 90), appending: true)
        expect(played(by: "right"), equals: ["/c", "/d", "/e"])
        // A source that names nothing is reported, and the others play.
        router.drop(["no", "/f"], at: Point(10, 90), appending: false)
        expect(played(by: "left"), equals: ["/f"])
        expect(program.notes.locked { $0.failures }, equals: ["no: no such film"])
        // The focused tile takes them if the place is not known.
        run("focus", "right")
        router.drop(["/g"], at: nil, appending: false)
        expect(played(by: "right"), equals: ["/g"])
    }

    @Test func aWallWithoutTilesGetsOneForEachDroppedFilm() {
        runner.change { wall, now in _ = wall.apply(Layout(title: "", tiles: []), at: now) }
        router.drop(["/a", "/b", "/c"], at: nil, appending: false)
        expect(["tile1", "tile2", "tile3"].map(played), equals: [["/a"], ["/b"], ["/c"]])
    }

    @Test func aTileIsMovedAlone() {
        func isPaused(_ tile: String) -> PropertyValue? { try? router.property("tiles/\(tile)/pause").get() }
        expect(run("alone", "cycle", "pause"), equals: nil)
        expect(isPaused("left") == .flag(true) && isPaused("right") == .flag(false))
        expect(run("home"), equals: nil)
        expect(run("tile", "right", "alone", "set", "pause", "yes"), equals: nil)
        expect(isPaused("left") == isPaused("right"), equals: false)
        for words in [["alone"], ["alone", "alone", "end"], ["alone", "tile", "left", "end"]] {
            let result = Locked<ControlError?>(nil)
            router.run(ControlCommand(words[0], words.dropFirst().map { .text($0) }, client: "x")) { answer in
                if case .failure(let error) = answer { result.locked { $0 = error } }
            }
            expect(result.locked { $0?.detail }, equals: "usage: alone COMMAND ...", "\(words)")
        }
    }

    @Test func errorsSayMoreThanMpvsWords() {
        let cases: [([String], ControlError, String)] = [
            (
                ["mute"], .invalidParameter,
                "no command is called \"mute\": it is a property; \"set mute yes\" or \"cycle mute\" would be right"
            ),
            (
                ["health"], .invalidParameter,
                "no command is called \"health\": it is a property that can only be read (quadrille ctl get health)"
            ),
            (
                ["offset", "1"], .invalidParameter,
                "no command is called \"offset\": it is a property; \"set tiles/ID/offset VALUE\" would be right"
            ),
            (
                ["fullscreen"], .invalidParameter,
                "no command is called \"fullscreen\": it is a property; \"set fullscreen yes\" or \"cycle fullscreen\" "
                    + "would be right"
            ),
            (["sek", "5"], .invalidParameter, "no command is called \"sek\"; did you mean \"set\"?"),
            (["keybind", "F25", "quit"], .invalidParameter, "no key is called \"F25\"; did you mean \"F2\"?"),
            (["keybind", "F5", "qit"], .invalidParameter, "no command is called \"qit\"; did you mean \"quit\"?"),
            (["keypress", "F25"], .commandError, "no key is called \"F25\""),
            (["focus", "lft"], .commandError, "no tile is called \"lft\"; did you mean \"left\"?"),
            (["tile", "lft", "pause"], .commandError, "no tile is called \"lft\""),
            (["compare", "left", "rigt"], .commandError, "no tile is called \"rigt\"; did you mean \"right\"?"),
            (["set", "duration", "5"], .commandError, "duration can only be read"),
            (["set", "pid", "5"], .commandError, "pid can only be read"),
            (["set", "pause", "maybe"], .commandError, "pause takes true or false"),
            (["break", "ad"], .commandError, "no break is called \"ad\""),
            (["add", "fullscreen", "1"], .commandError, "fullscreen takes true or false"),
            (
                ["tile", "left", "set", "focus", "right"], .commandError,
                "focus is a property of the wall, not of a tile"
            ),
            (
                ["tile", "left", "set", "fullscreen", "no"], .commandError,
                "fullscreen is a property of the wall, not of a tile"
            ),
            (
                ["tile", "left", "set", "tiles/right/volume", "3"], .commandError,
                "tiles/right/volume names its tile itself; leave \"tile left\" out"
            ),
            (["set", "stems/x/volume", "10"], .commandError, "left has no stem \"x\"; its item has none"),
            (["quit", "256"], .invalidParameter, "quit: it does not take these values; usage: quit [CODE]"),
            (["quit", "-1"], .invalidParameter, "quit: it does not take these values; usage: quit [CODE]"),
            (["get-property", "pause"], .invalidParameter, "get_property is for requests in JSON"),
        ]
        for (words, error, detail) in cases {
            let result = Locked<ControlError?>(nil)
            router.run(ControlCommand(words[0], words.dropFirst().map { .text($0) }, client: "x")) { answer in
                if case .failure(let error) = answer { result.locked { $0 = error } }
            }
            let reported = result.locked { $0 }
            expect(
                reported == error && reported?.detail?.hasPrefix(detail) == true,
                "\(words): \(String(describing: reported))")
        }
        expect(router.reason(.propertyUnavailable, of: "layout-path"), equals: "no layout file is loaded")
        expect(router.setProperty("pid", .integer(1)), equals: .propertyError)
        expect(router.reason(.propertyError, of: "pid"), equals: "pid can only be read")
    }

    @Test func everyPropertyOfTheProgramIsDocumentedAndRead() {
        for spec in ProgramProperty.all.map(\.spec) {
            expect(!spec.help.isEmpty && spec.help.last != ".", "\(spec.name)")
            if case .failure(let error) = router.property(spec.name) {
                expect(error, equals: .propertyUnavailable, "\(spec.name)")
            }
            guard !spec.isSettable else { continue }
            expect(router.setProperty(spec.name, .integer(1)), equals: .propertyError, "\(spec.name)")
        }
        expect(router.setProperty("fullscreen", .text("maybe")), equals: .propertyFormat)
        expect(
            router.reason(.propertyFormat, of: "fullscreen"), equals: "fullscreen takes true or false (yes or no)")
        guard case .success(.list(let names)) = router.property("property-list") else {
            Issue.record("no property-list")
            return
        }
        let specs = Wall.properties.specs + ProgramProperty.all.map(\.spec)
        expect(names, equals: specs.filter { $0.path == $0.name }.map(\.name).sorted().map { .text($0) })
        expect(
            router.reason(.propertyNotFound, of: "pidd"),
            equals: "the wall has no property \"pidd\"; did you mean \"pid\"?")
    }

    @Test func theManualListsEveryProperty() throws {
        let page = try ManualPage("doc/manual/control.md")
        let specs = Wall.properties.specs + ProgramProperty.all.map(\.spec)
        let rows = specs.map { "| `\($0.path)` | \($0.help) | \($0.takes?.words ?? "") |" }
        let table = (["| property | holds | takes |", "|---|---|---|"] + rows).joined(separator: "\n")
        expect(page.text.contains("\n\(table)\n\n"), "\(page.path): the table of properties is to be:\n\(table)")
    }
}
