import Foundation
import TestKit

/// Long measurements of the built program, a chapter for each subject. Each prints lines of figures. A figure beyond
/// its limit is marked, and the proof fails. `make test` checks the same for a few seconds.
enum Proof {
    private static let chapters: [(name: String, usage: String, measure: @Sendable ([String]) throws -> Void)] = [
        ("sound", SoundChapter.usage, SoundChapter.measure), ("seams", "[SECONDS]", SeamsChapter.measure),
        ("passes", "[SECONDS]", IterationsChapter.measure), ("turns", "[SECONDS]", TurnsChapter.measure),
        ("log", "[SECONDS]", LogChapter.measure), ("take", "[SECONDS]", TakeChapter.measure),
    ]
    nonisolated(unsafe) private static var failures = 0

    /// Runs all chapters without arguments, else the named chapter with the rest as its arguments.
    static func run(_ arguments: [String]) throws {
        let chosen = chapters.filter { arguments.isEmpty || $0.name == arguments[0] }
        guard !chosen.isEmpty else { usage() }
        for chapter in chosen { try chapter.measure(Array(arguments.dropFirst())) }
        printLine(failures == 0 ? "All is within its limits." : "Beyond their limits: \(failures).")
        if failures > 0 { exit(1) }
    }

    static func usage() -> Never {
        for chapter in chapters { printLine("prove \(chapter.name) \(chapter.usage)") }
        exit(2)
    }

    /// Prints one figure with its limit.
    static func expect(_ what: String, _ value: Double, atMost limit: Double, _ unit: String = "") {
        let isGood = value <= limit
        if !isGood { failures += 1 }
        let figure = String(format: "%@: %.2f%@, at most %.2f", what, value, unit, limit)
        printLine(isGood ? figure : figure + "   BEYOND ITS LIMIT")
    }
}

/// Prints a line of figures without buffering.
func printLine(_ line: String) {
    print(line)
    fflush(nil)
}
