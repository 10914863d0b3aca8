import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Progress of long work on standard error: on a terminal alone, and never beside a result.
    @Suite struct Progress {
        private static let frames = 75

        /// A command whose films are decoded slowly, so that it takes some seconds.
        enum Slow: String, CaseIterable { case render, measure, align }

        private static func arguments(_ slow: Slow, _ folder: String) throws -> [String] {
            let film = try Measuring.pattern(frames: frames)
            switch slow {
            case .render: return ["render", film, "--no-loop", "-o", "\(folder)/film.framehash"]
            case .measure: return ["measure", film, film, "-o", "\(folder)/m.csv"]
            case .align: return ["align", "--by", "pictures", film, try Measuring.changed(film, ["-c", "copy"])]
            }
        }

        /// Runs a command, with standard error on a terminal of so many columns, or in a file if nil.
        private static func run(_ arguments: [String], columns: Int?, slowness: Double = 0.04) throws -> (
            text: String, seconds: Double
        ) {
            let terminal = try columns.map { try PseudoTerminal(columns: $0) }
            let slow = try SlowDecoder()
            slow.slowness = slowness
            let program = try Program(arguments, slowed: slow, terminal: terminal)
            let hasEnded = RealTime.wait(atMost: 30) {
                _ = terminal?.text
                return program.child.exitStatus != nil
            }
            try #require(hasEnded)
            return (terminal?.text ?? program.child.errors, RealTime.now - program.child.began)
        }

        private static let removal = "\r\u{1B}[K"

        /// The lines that replaced each other.
        private static func lines(_ text: String) -> [String] {
            text.split(separator: "\r").map { $0.replacingOccurrences(of: "\u{1B}[K", with: "") }.filter { !$0.isEmpty }
        }

        @Test(arguments: Slow.allCases) func aTerminalShowsPercentRateAndTimeLeft(_ slow: Slow) throws {
            let folder = try Scratch.newFolder("progress")
            let text = try Self.run(try Self.arguments(slow, folder), columns: 100).text
            let lines = Self.lines(text).filter { $0.hasPrefix("[") }
            try #require(!lines.isEmpty, "\(text)")
            for line in lines {
                expect(line.contains(/^\[#*\.*\] \d+ %, .*, [\d.]+ x, (…|\d+:\d\d left)$/), "\(line)")
                expect(line.count, below: 100)
            }
            let percents = lines.compactMap { $0.firstMatch(of: /(\d+) %/).flatMap { Int($0.output.1) } }
            expect(percents == percents.sorted() && percents.allSatisfy { (0...100).contains($0) }, "\(percents)")
            // The line is removed before anything else is printed.
            let rest = try #require(text.range(of: Self.removal, options: .backwards))
            expect(!text[rest.upperBound...].contains("%"), "\(text)")
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let written = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                expect(!written.contains("\r") && !written.contains("left"), "\(file)")
            }
        }

        @Test(arguments: [(45, true), (24, true), (5, true), (3, false)]) func aNarrowTerminalGetsLessOfIt(
            _ columns: Int, _ isShown: Bool
        ) throws {
            let folder = try Scratch.newFolder("narrow")
            let lines = Self.lines(try Self.run(try Self.arguments(.measure, folder), columns: columns).text)
            expect(lines.allSatisfy { $0.count < columns && !$0.contains("[") }, "\(lines)")
            expect(lines.contains { $0.contains("%") }, equals: isShown, "\(lines)")
        }

        @Test(arguments: Slow.allCases) func withoutATerminalNothingOfItIsPrinted(_ slow: Slow) throws {
            let text = try Self.run(try Self.arguments(slow, try Scratch.newFolder("file")), columns: nil).text
            expect(!text.contains("%") && !text.contains("\r") && !text.contains("\u{1B}"), "\(text)")
        }

        @Test func shortWorkShowsNoProgress() throws {
            let arguments = try Self.arguments(.measure, try Scratch.newFolder("short"))
            let (text, seconds) = try Self.run(arguments, columns: 100, slowness: 0)
            // On a machine that is held up, the work may be long.
            if seconds < 1 { expect(text, equals: "") }
        }

        @Test func aLongTraceShowsProgressWhileItIsRead() throws {
            let film = try Measuring.pattern(), terminal = try PseudoTerminal(columns: 100)
            let trace = try Scratch.file("long.jsonl", String(repeating: "{\"t\":1}\n", count: 5_000_000))
            let program = try Program(["check", film, "--trace", trace], terminal: terminal)
            try #require(RealTime.wait(atMost: 20) { terminal.text.contains(" MB/s, ") }, "\(terminal.text)")
            expect(program.child.wait(atMost: 60), equals: 0)
            expect(terminal.text.hasSuffix(Self.removal), "\(terminal.text)")
        }
    }
}
