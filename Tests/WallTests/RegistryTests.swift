import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The options that subcommands take, their help, and the list of `quadrille --registry`.
    @Suite struct Registry {
        static let subcommands = [
            "play", "compare", "check", "render", "snapshot", "measure", "align", "blind", "calibrate", "log", "ctl",
        ]

        private struct Option: Equatable {
            /// "--name VALUE"
            let usage: String
            let help: String
            var name: String { String(usage.prefix { $0 != " " }) }
            var takesValue: Bool { usage.contains(" ") }
        }

        private func registry() throws -> [String: [[String: Any]]] {
            let result = try Program.run(["--registry"])
            expect(result.status, equals: 0, "\(result.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
            return try #require(object as? [String: [[String: Any]]])
        }

        private func listed(of subcommand: String) throws -> [Option] {
            try registry()["options", default: []].filter { $0["subcommand"] as? String == subcommand }.map { option in
                let value = option["value"] as? [String: Any]
                let words = [option["name"], value?["placeholder"]].compactMap { $0 as? String }
                return Option(usage: words.joined(separator: " "), help: option["help"] as? String ?? "")
            }
        }

        private func offered(in help: String) -> [Option] {
            help.split(separator: "\n").filter { $0.hasPrefix("  --") }.map { line in
                let line = String(line.dropFirst(2))
                guard let gap = line.range(of: "  ") else { return Option(usage: line, help: "") }
                let help = line[gap.upperBound...].drop { $0 == " " }
                return Option(usage: String(line[..<gap.lowerBound]), help: String(help))
            }
        }

        @Test(arguments: subcommands) func theHelpOffersTheOptionsOfTheRegistry(_ subcommand: String) throws {
            let listed = try listed(of: subcommand)
            expect(listed.count, above: 2)
            expect(Set(listed.map(\.name)).count, equals: listed.count)
            for words in [[subcommand, "--help"], [subcommand, "-h"], ["help", subcommand]] {
                expect(offered(in: try Program.run(words).output), equals: listed, "\(words)")
            }
        }

        @Test(arguments: subcommands) func anOptionIsParsedIfTheHelpOffersIt(_ subcommand: String) throws {
            let help = try Program.run([subcommand, "--help"]).output
            let offered = offered(in: help)
            let flags = offered.filter { !$0.takesValue }.map(\.name)
            let result = try Program.run([subcommand] + flags + ["--help"])
            // Two flags of `calibrate` exclude each other.
            if subcommand != "calibrate" { expect(result.status == 0 && result.output == help, "\(result.errors)") }
            expect(!result.errors.contains("unknown option"), "\(result.errors)")
            for option in offered where option.takesValue {
                let result = try Program.run([subcommand, option.name])
                let mistake = "quadrille: \(option.name) needs a value: \(option.usage)\n"
                expect(result.status == 2 && result.errors.hasPrefix(mistake), "\(option): \(result.errors)")
            }
        }

        /// Tries the options of a subcommand with which this one shares some.
        @Test(arguments: subcommands) func anOptionIsUnknownIfTheHelpOmitsIt(_ subcommand: String) throws {
            let other = ["play": "render", "snapshot": "render"][subcommand, default: "play"]
            let offered = Set(try listed(of: subcommand).map(\.name))
            for option in try listed(of: other) where !offered.contains(option.name) {
                let result = try Program.run([subcommand, "\(option.name)=1"])
                let mistake = "quadrille: unknown option \(option.name)"
                expect(result.status == 2 && result.errors.hasPrefix(mistake), "\(option): \(result.errors)")
            }
        }

        @Test(arguments: subcommands) func theHelpHasTheUsageAndTheStatusesOfTheRegistry(_ subcommand: String) throws {
            let entry = try #require(try registry()["subcommands"]?.first { $0["name"] as? String == subcommand })
            let help = try Program.run([subcommand, "--help"]).output
            let lines = help.split(separator: "\n").map { $0.drop { $0 == " " } }
            let usages = try #require(entry["usage"] as? [String])
            expect(usages.count, above: 0)
            for usage in usages {
                let isThere = lines.contains { line in
                    line.hasPrefix("quadrille \(usage)") || line.hasPrefix("usage: quadrille \(usage)")
                }
                expect(isThere, "\(usage)")
            }
            let exits = try #require(entry["exit"] as? [[String: String]])
            let statuses = exits.map { "\($0["status"] ?? "") \($0["meaning"] ?? "")" }.joined(separator: ", ")
            let paragraph = help.components(separatedBy: "\n\n").first { $0.hasPrefix("exit status: ") }
            let text = (paragraph ?? "").replacingOccurrences(of: "\n", with: " ")
            expect(text.hasPrefix("exit status: \(statuses)"), "\(text)")
            expect((entry["summary"] as? String ?? "").count, above: 10)
        }

        @Test func theSchemaOfLayoutsIsPrinted() throws {
            let result = try Program.run(["--schema"])
            let schema = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            expect(result.status == 0 && schema?["title"] as? String == "Quadrille layout", "\(result.errors)")
        }

        @Test func theRegistryListsWhatTheProgramTakes() throws {
            let registry = try registry()
            expect(
                Set(registry["options", default: []].compactMap { $0["subcommand"] as? String }),
                equals: Set(Self.subcommands))
            func names(_ list: String, _ key: String) -> Set<String> {
                Set(registry[list, default: []].compactMap { $0[key] as? String })
            }
            expect(names("commands", "name").isSuperset(of: ["set", "seek", "loadfile", "quit"]))
            expect(names("properties", "name").isSuperset(of: ["pause", "time-pos", "tiles"]))
            expect(names("keys", "keys").isSuperset(of: ["Space", "Home"]))
            expect(names("layout", "key").isSuperset(of: ["tiles", "src", "fade"]))
            expect(names("events", "name").isSuperset(of: ["seam", "clock"]))
            expect(names("subcommands", "name").isSuperset(of: Self.subcommands))
            let volume = registry["options", default: []].first { $0["name"] as? String == "--volume" }
            let value = volume?["value"] as? [String: Any]
            expect(value?["kind"] as? String, equals: "whole")
            expect(value?["min"] as? Int == 0 && value?["max"] as? Int == 100, "\(value ?? [:])")
        }
    }
}
