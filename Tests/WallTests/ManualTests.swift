import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The commands and options of README.md and doc/manual. Tests/CoreTests/Layout/ManualTests.swift has the layouts.
    @Suite struct Manual {
        private struct Command {
            /// Number of its line in the page; nil for a command within a sentence.
            let line: Int?
            let arguments: [String]
        }

        /// Arguments of the `quadrille` that a line of a shell calls, up to a comment or an operator; nil if it calls
        /// none. No command of the manual has quotes.
        private func arguments(in line: String) -> [String]? {
            let words = line.split(separator: " ").map(String.init)
            guard let start = words.firstIndex(of: "quadrille"), start + 1 < words.count else { return nil }
            let arguments = words[(start + 1)...].prefix { word in
                !["&", "|", "#", "\\"].contains(word) && !word.hasPrefix("2>") && !word.hasPrefix(">")
            }
            // "wall.mp4; do" ends the command.
            guard let end = arguments.firstIndex(where: { $0.hasSuffix(";") }) else { return Array(arguments) }
            return arguments[..<end] + [String(arguments[end].dropLast())]
        }

        private func commands(of page: ManualPage) -> [Command] {
            let inBlocks = page.blocks.filter { $0.language != "json" }.flatMap { block in
                block.lines.enumerated().compactMap { index, line -> Command? in
                    // A block of output has commands after a prompt.
                    guard block.language != "text" || line.hasPrefix("$ ") else { return nil }
                    return arguments(in: line).map { Command(line: block.line + index, arguments: $0) }
                }
            }
            let inSentences = page.spans.filter { $0.hasPrefix("quadrille ") }.compactMap(arguments)
            return inBlocks + inSentences.map { Command(line: nil, arguments: $0) }
        }

        /// The films, cameras, folders and displays of the commands do not exist here, and most commands open a window
        /// or write files. `--help` at the end has the program read the whole command line and then print its help.
        @Test(arguments: ManualPage.paths) func theProgramTakesEveryCommand(_ path: String) throws {
            for command in commands(of: try ManualPage(path)) {
                // These are read alone.
                let isAlone = ["--schema", "--registry"].contains(command.arguments[0])
                // Words after the command of `ctl` belong to that command, and RegistryTests knows the commands.
                let isCtl = command.arguments[0] == "ctl"
                let result = try Program.run(
                    isCtl ? ["ctl", "--help"] : command.arguments + (isAlone ? [] : ["--help"]))
                let place = command.line.map { "\(path):\($0)" } ?? path
                let text = command.arguments.joined(separator: " ")
                expect(result.status, equals: 0, "\(place): quadrille \(text): \(result.errors)")
            }
        }

        @Test func thePagesHaveCommands() throws {
            expect(try ManualPage.paths.flatMap { commands(of: try ManualPage($0)) }.count, above: 50)
        }

        @Test(arguments: ManualPage.paths) func theProgramHasEveryOption(_ path: String) throws {
            let result = try Program.run(["--registry"])
            let registry = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            let options = try #require(registry?["options"] as? [[String: Any]])
            let known = Set(options.compactMap { $0["name"] as? String } + ["--schema", "--registry"])
            for span in try ManualPage(path).spans where span.hasPrefix("--") {
                let name = span.prefix { $0 != " " && $0 != "=" }
                expect(known.contains(String(name)), "\(path): there is no option \(name)")
            }
        }
    }
}
