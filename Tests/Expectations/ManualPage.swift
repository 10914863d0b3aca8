import Foundation
import Testing

/// A page that users read: README.md, or a page of doc/manual. Tests compare tables, layouts and commands with it.
public struct ManualPage: Sendable {
    /// The page's file, relative to the repository.
    public let path: String
    public let text: String

    /// Reads a file of the repository.
    public init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: ManualPage.repository.appendingPathComponent(path), encoding: .utf8)
    }

    public static let repository = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..")
        .standardizedFileURL

    /// README.md, and the pages of doc/manual in the order of their names.
    public static let paths: [String] = {
        let folder = repository.appendingPathComponent("doc/manual").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "doc/manual/\($0)" }
    }()

    /// A block of code.
    public struct Block: Sendable {
        /// Word after the opening fence; nil for a block that is indented, or has no word there.
        public let language: String?
        /// Number of the block's first line of code in the page, from 1.
        public let line: Int
        public fileprivate(set) var lines: [String]
        public var text: String { lines.joined(separator: "\n") }
    }

    /// Blocks between fences, and blocks that are indented by four spaces after an empty line.
    public var blocks: [Block] {
        var blocks: [Block] = []
        var isFenced = false, isIndented = false, isAfterEmpty = true
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("```") {
                let language = line.dropFirst(3)
                if !isFenced {
                    blocks.append(Block(language: language.isEmpty ? nil : "\(language)", line: index + 2, lines: []))
                }
                isFenced.toggle()
            } else if isFenced {
                blocks[blocks.count - 1].lines.append(line)
            } else if line.hasPrefix("    "), isIndented || isAfterEmpty {
                if !isIndented { blocks.append(Block(language: nil, line: index + 1, lines: [])) }
                isIndented = true
                blocks[blocks.count - 1].lines.append(String(line.dropFirst(4)))
            } else {
                isIndented = false
            }
            isAfterEmpty = line.isEmpty
        }
        return blocks
    }

    /// The page without its blocks of code.
    public var prose: String {
        var isFenced = false
        let lines = text.components(separatedBy: "\n").filter { line in
            if line.hasPrefix("```") { isFenced.toggle() }
            return !isFenced && !line.hasPrefix("```") && !line.hasPrefix("    ")
        }
        return lines.joined(separator: "\n")
    }

    /// Texts between backticks in the prose.
    public var spans: [String] {
        prose.replacingOccurrences(of: "\n", with: " ").split(separator: "`", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Names by which a link reaches the page's headings, as GitHub forms them.
    public var anchors: Set<String> {
        Set(
            prose.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" || $0 == " " }.lowercased()
                    .filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                    .replacingOccurrences(of: " ", with: "-")
            })
    }

    /// Targets of the links and the pictures in the prose, without those of other hosts.
    public var links: [String] {
        prose.components(separatedBy: "](").dropFirst().compactMap { $0.components(separatedBy: ")").first }
            .filter { !$0.hasPrefix("http") }
    }
}
