import Foundation

/// BENCHMARKS.md, and the report that is printed.
struct Report {
    let machine: Machine
    let absent: [String]
    let only: [String]

    var head: String {
        let command = only.isEmpty ? "make bench" : "make bench ONLY=\"\(only.joined(separator: " "))\""
        return """
            # How fast it is

            Made by `\(command)` on \(Report.today). Each figure is the median of at least three runs, in turn with
            those of the others (A B C A B C ...); in brackets the least and the most. CPU is user and system time,
            the X server's share included. The film is ten seconds of Big Buck Bunny (c) Blender Foundation, CC-BY.

            \(machine.table.text)
            \(absent.isEmpty ? "" : "Not installed, and left out: \(absent.joined(separator: ", ")) (`make bench-peers` installs them).\n")
            """
    }

    func part(_ chapter: Chapter, _ result: Result<[Table], any Error>) -> String {
        let body =
            switch result {
            case .success(let tables): tables.map(\.text).joined(separator: "\n")
            case .failure(let error): "Left out: \(error)\n"
            }
        return "## \(chapter.title)\n\n\(body)"
    }

    /// Text that people wrote below the figures: the former report from this heading on.
    static func writtenByHand(in path: String) -> String {
        guard let former = try? String(contentsOfFile: path, encoding: .utf8),
            let start = former.range(of: "\n## What the figures say\n")
        else { return "" }
        return String(former[start.lowerBound...])
    }

    private static var today: String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_GB_POSIX")
        format.dateFormat = "d MMMM yyyy"
        return format.string(from: Date())
    }
}
