import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// The manual pages that scripts/make-manuals makes of the program and of doc/man.
    @Suite struct ManPages {
        /// Pages made once, by name.
        private static let pages = Result { try made() }

        /// `variables`: environment of the script.
        private static func made(_ variables: [String: String?] = ["SOURCE_DATE_EPOCH": nil]) throws -> [String: String]
        {
            let folder = try Scratch.newFolder("man")
            let script = ManualPage.repository.appendingPathComponent("scripts/make-manuals").path
            try run([script, try #require(Program.path), folder], environment: variables)
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }
            return Dictionary(
                uniqueKeysWithValues: files.map { ($0.components(separatedBy: "/")[1], "\(folder)/\($0)") })
        }

        private func registry() throws -> [String: [[String: Any]]] {
            let object = try JSONSerialization.jsonObject(with: Data(try Program.run(["--registry"]).output.utf8))
            return try #require(object as? [String: [[String: Any]]])
        }

        /// Lines of a page as a terminal shows them, without indentation. Bold signs are written over themselves.
        private func lines(of page: String) throws -> [String] {
            let path = try #require(try Self.pages.get()[page], "\(page) was not made")
            let text = try run(["mandoc", "-T", "utf8", "-O", "width=500", path])
            return text.replacingOccurrences(of: ".\u{8}", with: "", options: .regularExpression)
                .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }

        private func expectNames(_ names: [String], in page: String) throws {
            let lines = try lines(of: page)
            expect(names.count, above: 2)
            for name in names {
                let isThere = lines.contains { $0 == name || $0.hasPrefix(name + " ") || $0.hasPrefix(name + ",") }
                expect(isThere, "\(page) lacks \(name)")
            }
        }

        private func page(of subcommand: String) -> String {
            subcommand == "play" ? "quadrille.1" : "quadrille-\(subcommand).1"
        }

        @Test func eachSubcommandHasAPageWithItsOptions() throws {
            let options = Dictionary(grouping: try registry()["options", default: []]) { $0["subcommand"] as? String }
            expect(options.count, atLeast: 10)
            for (subcommand, options) in options {
                let names = options.map { option in
                    [option["short"], option["name"]].compactMap { $0 as? String }.joined(separator: ", ")
                }
                try expectNames(names, in: page(of: subcommand ?? ""))
            }
            let pages = try Self.pages.get().keys.filter { $0.hasSuffix(".1") }
            expect(Set(pages), equals: Set(options.keys.map { page(of: $0 ?? "") }))
        }

        @Test func eachSubcommandHasItsSummaryItsUsageAndItsStatuses() throws {
            for entry in try registry()["subcommands", default: []] {
                let name = entry["name"] as? String ?? ""
                guard try Self.pages.get()[page(of: name)] != nil else { continue }
                let lines = try lines(of: page(of: name))
                let summary = try #require(entry["summary"] as? String)
                expect(lines.contains { $0.hasSuffix(summary) }, "\(name): \(summary)")
                for usage in try #require(entry["usage"] as? [String]) {
                    expect(lines.contains("quadrille \(usage)"), "\(name): \(usage)")
                }
                let exits = try #require(entry["exit"] as? [[String: String]])
                try expectNames(exits.compactMap { $0["status"] }, in: page(of: name))
            }
        }

        @Test func thePageOfTheSocketHasCommandsPropertiesAndEvents() throws {
            let registry = try registry()
            for (list, key) in [("commands", "name"), ("properties", "path"), ("events", "name")] {
                try expectNames(registry[list, default: []].compactMap { $0[key] as? String }, in: "quadrille-ipc.7")
            }
        }

        @Test func thePageOfKeysHasAllKeysAndTheirNames() throws {
            let registry = try registry()
            let keys = registry["keys", default: []].compactMap { $0["keys"] as? String }
            try expectNames(
                keys.map { $0.replacingOccurrences(of: " +", with: " ", options: .regularExpression) },
                in: "quadrille-keys.7")
            let text = try lines(of: "quadrille-keys.7").joined(separator: " ")
            for name in registry["key-names", default: []].compactMap({ $0["name"] as? String }) {
                expect(text.contains(" \(name)"), "\(name)")
            }
        }

        @Test func thePageOfLayoutsHasEachFieldOfEachObject() throws {
            let lines = try lines(of: "quadrille-layout.5")
            let fields = Dictionary(grouping: try registry()["layout", default: []]) { $0["object"] as? String ?? "" }
            expect(fields.count, above: 10)
            for (object, fields) in fields {
                let heading = object == "layout" ? "The layout" : "Object \(object)"
                let start = try #require(lines.firstIndex(of: heading), "\(heading)")
                let section = lines[(start + 1)...].prefix { !$0.hasPrefix("Object ") && $0 != "EXAMPLES" }
                for key in fields.compactMap({ $0["key"] as? String }) {
                    expect(section.contains { $0 == key || $0.hasPrefix(key + " ") }, "\(object).\(key)")
                }
            }
        }

        @Test func mandocReportsNothing() throws {
            let paths = try Self.pages.get().values.sorted()
            expect(paths.count, above: 12)
            let child = try Child(["mandoc", "-T", "lint", "-W", "warning"] + paths)
            expect(child.wait(atMost: 20) == 0 && child.output.isEmpty, "\(child.output)\(child.errors)")
        }

        private static let hasGroff = ["man", "groff"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

        @Test(.enabled(if: hasGroff)) func groffReportsNothing() throws {
            for path in try Self.pages.get().values.sorted() {
                let child = try Child(
                    ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path],
                    environment: ["MANROFFSEQ": "", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"])
                expect(child.wait(atMost: 20) == 0 && child.errors.isEmpty, "\(path): \(child.errors)")
            }
        }

        @Test func thePagesOfOneDateAreIdentical() throws {
            let variables = ["SOURCE_DATE_EPOCH": "1767225600"]
            let (pages, others) = (try Self.made(variables), try Self.made(variables))
            for (name, path) in pages {
                let text = try String(contentsOfFile: path, encoding: .utf8)
                expect(text.hasPrefix(".Dd January 1, 2026\n"), "\(name)")
                expect(text == (try String(contentsOfFile: try #require(others[name]), encoding: .utf8)), "\(name)")
            }
        }

        /// A page that another one names is made here, or is a page of another program.
        @Test func everyReferenceLeadsToAPage() throws {
            let pages = try Self.pages.get()
            for (name, path) in pages {
                let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "\\-", with: "-")
                for line in text.components(separatedBy: "\n") where line.hasPrefix(".Xr quadrille") {
                    let words = line.components(separatedBy: " ")
                    expect(pages["\(words[1]).\(words[2])"] != nil, "\(name): \(line)")
                }
            }
        }
    }
}
