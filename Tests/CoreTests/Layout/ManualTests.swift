import Expectations
import Foundation
import Testing

@testable import Base
@testable import Layout

/// The layouts and the links of README.md and doc/manual. Tests/WallTests/ManualTests.swift has the commands.
@Suite struct ManualTests {
    /// The sources of the layouts need not exist: the reader opens no file.
    @Test(arguments: ManualPage.paths) func everyLayoutIsRight(_ path: String) throws {
        for block in try ManualPage(path).blocks where block.language == "json" || block.text.hasPrefix("{ \"tiles\"") {
            if case .mistakes(let mistakes) = LayoutReader.read(Array(block.text.utf8), path: "wall.json") {
                let lines = mistakes.lines(path: "wall.json").joined(separator: "\n")
                Issue.record("\(path):\(block.line): the layout has mistakes:\n\(lines)")
            }
        }
    }

    /// Layouts stand in displays that begin with a brace.
    @Test(arguments: ["quadrille-layout.5", "quadrille-keys.7"]) func everyLayoutOfAManPageIsRight(
        _ name: String
    ) throws {
        let blocks = try ManualPage("doc/man/\(name)").text.components(separatedBy: "\n.Bd ").dropFirst()
        let layouts = blocks.compactMap { block -> String? in
            let lines = block.components(separatedBy: "\n").dropFirst().prefix { $0 != ".Ed" }
            return lines.first?.hasPrefix("{") == true ? lines.joined(separator: "\n") : nil
        }
        expect(layouts.count, above: 0)
        for layout in layouts {
            let text = layout.replacingOccurrences(of: "\\-", with: "-")
            if case .mistakes(let mistakes) = LayoutReader.read(Array(text.utf8), path: "wall.json") {
                Issue.record("\(name): \(mistakes.lines(path: "wall.json").joined(separator: "\n"))\n\(text)")
            }
        }
    }

    @Test func thePagesHaveLayouts() throws {
        let layouts = try ManualPage.paths.flatMap { try ManualPage($0).blocks }.filter { $0.language == "json" }
        expect(layouts.count, above: 15)
    }

    private static let others = [
        "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "doc/decisions/README.md",
    ]

    @Test(arguments: ManualPage.paths + others) func everyLinkLeadsToAFileAndToASection(_ path: String) throws {
        let page = try ManualPage(path)
        let folder = (path as NSString).deletingLastPathComponent
        for link in page.links {
            let parts = link.components(separatedBy: "#")
            let target =
                parts[0].isEmpty
                ? path : ((folder as NSString).appendingPathComponent(parts[0]) as NSString).standardizingPath
            let file = ManualPage.repository.appendingPathComponent(target).standardizedFileURL
            expect(FileManager.default.fileExists(atPath: file.path), "\(path): \(link): there is no such file")
            guard parts.count == 2 else { continue }
            expect(try ManualPage(target).anchors.contains(parts[1]), "\(path): \(link): there is no such section")
        }
    }

    /// `make install` installs the pages and their pictures, and no other file of the repository.
    @Test(arguments: ManualPage.paths.dropFirst()) func aPageLeadsToInstalledFilesOnly(_ path: String) throws {
        for link in try ManualPage(path).links {
            let file = link.components(separatedBy: "#")[0]
            let isPage = file.isEmpty || (file.hasSuffix(".md") && !file.contains("/"))
            let isPicture = file.hasPrefix("../") && file.hasSuffix(".png") && !file.dropFirst(3).contains("/")
            expect(isPage || isPicture, "\(path): \(link) is not installed")
        }
    }

    @Test func readmeNamesEveryPage() throws {
        let links = try ManualPage("README.md").links
        for path in ManualPage.paths.dropFirst() {
            expect(links.contains(path), "README.md does not name \(path)")
        }
    }
}
