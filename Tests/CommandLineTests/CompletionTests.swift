import Base
import Commands
import Expectations
import Layout
import Testing
import Tools

@testable import Console
@testable import quadrille

/// Completion of command lines, without a shell. Tests/WallTests/CompletionTests.swift has shells.
@Suite struct CompletionTests {
    private static let layout = """
        {
          "tiles": [
            { "id": "left", "play": "a.mp4" }, { "id": "le ft:2", "play": "b.mp4" }, { "id": "right", "play": "c.mp4" }
          ],
          "breaks": [{ "name": "ad", "play": "ad.mp4" }, { "name": "news", "play": "news.mp4" }]
        }
        """

    /// The layout is the file wall.json, and that of the wall with the socket /tmp/wall.
    private let completion = Completion(
        layout: { $0 == "wall.json" ? read() : nil }, displays: { ["DP-1 27\"", "HDMI-1"] },
        runningLayout: { $0 == "/tmp/wall" ? read() : nil })

    private static func read() -> Layout? {
        guard case .layout(let layout) = LayoutReader.read(Array(layout.utf8), path: "wall.json") else { return nil }
        return layout
    }

    private func texts(_ words: [String]) -> [String] { completion.answer(to: words).candidates.map(\.text) }

    /// Candidates for the last of these words.
    static let lines: [([String], [String])] = [
        (["--aud"], ["--audio-mode", "--audio-delay"]),
        (["play", "--aud"], ["--audio-mode", "--audio-delay"]),
        (["snapshot", "--aud"], ["--audio-mode"]),
        (["--audio-mode", ""], ["focus", "mix"]),
        (["--audio-mode=m"], ["--audio-mode=mix"]),
        (["a.mp4", "--audio-mode", "f"], ["focus"]),
        (["compare", "--mode", "h"], ["heat"]),
        (["compare", "--together"], []),
        (["--pipelines", ""], ["auto"]),
        (["--volume", ""], []),
        (["--nonsense", "--mut"], ["--mute"]),
        (["--nonsense="], []),
        (["--mute="], []),
        (["--schem"], ["--schema"]),
        (["check", "--schem"], []),
        (["co"], ["compare"]),
        (["a.mp4", "co"], []),
        (["help", "re"], ["render"]),
        (["help", "render", ""], []),
        (["render", "-"], texts(of: .render)),
        (["wall.json", "--focus", ""], ["left", "le ft:2", "right"]),
        (["wall.json", "--focus=r"], ["--focus=right"]),
        (["snapshot", "--at", "1", "wall.json", "--focus", "le"], ["left", "le ft:2"]),
        (["--trace", "wall.json", "--focus", ""], []),
        (["other.json", "--focus", ""], []),
        (["a.mp4", "b.mp4", "--focus", ""], ["tile1", "tile2"]),
        (["--focus", ""], []),
        (["--display", ""], ["0", "1"]),
        (["--trace-events", "tr"], ["trouble"]),
        (["--trace-events", "seam,tr"], ["seam,trouble"]),
        (["--trace-events", "al"], ["all"]),
        (["--trace-events", "seam,al"], []),
        (["--", "--aud"], []),
        (["calibrate", ""], []),
        (["version", ""], []),
    ]

    private static func texts(of subcommand: Subcommand) -> [String] {
        subcommand.help.options.flatMap { ["--\($0.name)"] + ($0.short.map { ["-\($0)"] } ?? []) }
    }

    @Test(arguments: lines) func aWordHasTheseCandidates(_ words: [String], _ candidates: [String]) {
        expect(texts(words), equals: candidates, "\(words)")
    }

    static let files: [([String], Completion.Files?)] = [
        ([""], .layoutsAndMedia), (["a"], .layoutsAndMedia), (["a.mp4", ""], .media), (["wall.json", ""], nil),
        (["wall.json", "--size", ""], nil), (["check", ""], .layoutsAndMedia), (["check", "a.mp4", ""], .media),
        (["compare", ""], .media), (["compare", "a.mp4", ""], .media), (["log", ""], .folders),
        (["log", "a", ""], nil), (["calibrate", ""], nil), (["--trace", ""], .any), (["--log", ""], .folders),
        (["--log="], .folders), (["align", "--write", ""], .layouts), (["render", "-o", ""], .any),
        (["--", "-"], .layoutsAndMedia), (["--aud"], nil), (["help", ""], nil), (["--ipc", "/tmp/"], .any),
    ]

    @Test(arguments: files) func aWordMayBeAFile(_ words: [String], _ files: Completion.Files?) {
        expect(completion.answer(to: words).files == files, "\(words)")
    }

    @Test func aDisplayHasItsName() {
        expect(completion.answer(to: ["--display", "1"]).candidates.map(\.help), equals: ["HDMI-1"])
    }

    @Test(arguments: Subcommand.allCases) func everyOptionIsOfferedWithItsHelp(_ subcommand: Subcommand) {
        let offered = completion.answer(to: [subcommand.rawValue, "--"]).candidates
        expect(offered.map(\.text), equals: subcommand.help.options.map { "--\($0.name)" })
        expect(offered.map(\.help), equals: subcommand.help.options.map(\.help))
    }

    @Test(arguments: Subcommand.allCases) func everyWordOfAnOptionIsOffered(_ subcommand: Subcommand) {
        for option in subcommand.help.options {
            guard let value = option.value, value.kind == .word else { continue }
            expect(texts([subcommand.rawValue, "--\(option.name)", ""]), equals: value.words, "\(option.name)")
        }
    }

    // MARK: commands of the control socket

    private static let more = CtlCommand.words

    private func commandTexts(_ words: [String]) -> [String] {
        let line = CompletedLine(["--ipc", "/tmp/wall", ""], Subcommand.play.help.options, takesCommand: true)
        let answer = completion.command(Array(words.dropLast()), words.last ?? "", more: Self.more, line)
        return answer.starting(with: words.last ?? "").candidates.map(\.text)
    }

    static let commandLines: [([String], [String])] = [
        (["frame-step"], ["frame-step", "frame-step-any"]),
        (["ge"], ["get"]),
        (["get", "time-p"], ["time-pos"]),
        (["get", "time-pos", ""], []),
        (["set", "vol"], ["volume"]),
        (["set", "mute", ""], ["yes", "no"]),
        (["set", "tiles/left/mute", "y"], ["yes"]),
        (["set", "fit", "c"], ["contain", "cover"]),
        (["set", "loop-file", ""], ["inf", "no"]),
        (["set", "zoomed", ""], ["left", "le ft:2", "right", "none"]),
        (["set", "focus", "r"], ["right"]),
        (["get", "tile"], ["tiles", "tiles/"]),
        (["get", "tiles/"], ["tiles/left/", "tiles/le ft:2/", "tiles/right/"]),
        (["get", "tiles/r"], ["tiles/right/"]),
        (["get", "tiles/right/st"], ["tiles/right/stems", "tiles/right/stalls"]),
        (["get", "tiles/nosuch/"], []),
        (["set", "tiles/right/st"], ["tiles/right/stems"]),
        (["get", "groups/m"], ["groups/main/"]),
        (["set", "groups/main/"], ["groups/main/time-pos", "groups/main/pause", "groups/main/speed"]),
        (["set", "volume", ""], []),
        (["add", "vol"], ["volume"]),
        (["add", "mute", ""], []),
        (["focus", "r"], ["right"]),
        (["break", ""], ["ad", "news"]),
        (["compare", "left", "r"], ["right"]),
        (["tile", "ri"], ["right"]),
        (["tile", "right", "sp"], ["speed-up", "speed-down"]),
        (["tile", "right", "alone", "hom"], ["home"]),
        (["tile", "right", "set", "fi"], ["fit", "figures"]),
        (["cycle-values", "fi"], ["fit", "figures"]),
        (["keypress", "VOLUME"], ["VOLUME_UP", "VOLUME_DOWN"]),
        (["keybind", "F1", "hom"], ["home"]),
        (["quit", ""], []),
        (["nosuch", ""], []),
        (["script-message", ""], []),
    ]

    @Test(arguments: commandLines) func aWordOfACommandHasTheseCandidates(_ words: [String], _ candidates: [String]) {
        let texts = commandTexts(words)
        expect(Set(texts) == Set(candidates) && texts.count == candidates.count, "\(words): \(texts)")
    }

    @Test(arguments: [["--ipc", "/tmp/other", ""], ["--ipc=/tmp/other", ""], [""]])
    func tilesAreThoseOfTheWallThatGetsTheCommand(_ words: [String]) {
        let line = CompletedLine(words, Subcommand.play.help.options, takesCommand: true)
        expect(completion.command(["focus"], "", more: [], line).candidates.count, equals: 0)
        let other = CompletedLine(["--ipc=/tmp/wall", ""], Subcommand.play.help.options, takesCommand: true)
        expect(completion.command(["focus"], "", more: [], other).candidates.count, equals: 3)
    }

    /// A command's words are no options.
    @Test func anArgumentOfACommandMayBeginWithADash() {
        let line = CompletedLine(["seek", "-5", "--"], Subcommand.play.help.options, takesCommand: true)
        expect(line.optionsEnded && line.operands == ["seek", "-5"])
    }

    @Test func commandsOfferFiles() {
        func files(_ words: String...) -> Completion.Files? {
            completion.command(words, "", more: [], CompletedLine([""], [], takesCommand: true)).files
        }
        expect(files("layout-load"), equals: .layouts)
        expect(files("loadfile"), equals: .media)
        expect(files("screenshot-to-file"), equals: .any)
        expect(files("pause"), equals: nil)
    }

    // MARK: output

    @Test func theLineAboutFilesComesLastAndHasNoTab() {
        let answer = Completion.Answer(candidates: [.init(text: ":files", help: "")], files: .folders)
        expect(answer.rows, equals: [[":files", ""], [":folders"]])
    }

    @Test func aNameThatCannotBePrintedIsNotOffered() {
        expect(Completion.Answer(names: ["a\tb", "", "c d"]).rows, equals: [["c d", ""]])
    }
}
