import Foundation
import TestKit

/// `bench [--out FILE] [--rounds N] [CHAPTER...]`: runs the chapters, prints their tables, writes them to FILE.
enum Bench {
    static let chapters = [
        Chapter.wall, .largeWalls, .start, .idle, .crowd, .hands, .control, .seams, .sound, .words, .render, .measure,
        .compare, .hdr, .build,
    ]

    static func run(_ arguments: [String]) -> Int32 {
        var names: [String] = []
        var out: String?
        var rounds = 3
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--out": out = rest.popFirst()
            case "--rounds": rounds = rest.popFirst().flatMap { Int($0) } ?? rounds
            default: names.append(argument)
            }
        }
        if let unknown = names.first(where: { name in !chapters.contains { $0.name == name } }) {
            printLine("bench: no chapter \(unknown); there are \(chapters.map(\.name).joined(separator: " "))")
            return 2
        }
        do {
            let hall = try Hall(rounds: max(3, rounds))
            let (before, start) = (Ledger.machine, RealTime.now)
            let report = Report(machine: Machine(), absent: hall.peers.absent, only: names)
            var text = report.head
            show(text)
            for chapter in chapters where names.isEmpty || names.contains(chapter.name) {
                let began = RealTime.now
                let part = report.part(chapter, Result { try chapter.run(hall) })
                show(part)
                printLine("\(chapter.name): \(Int(RealTime.now - began)) s")
                text += "\n" + part
            }
            let after = Ledger.machine
            let stolen = (after.stolen - before.stolen) / max(1, after.all - before.all)
            let tail =
                "All of it took \(((RealTime.now - start) / 60).text(0)) minutes; meanwhile the host of this machine "
                + "gave \((stolen * 100).text(1)) % of its time to others.\n"
            show(tail)
            text += "\n" + tail
            if let out {
                try (text + Report.writtenByHand(in: out)).write(toFile: out, atomically: true, encoding: .utf8)
            }
            return 0
        } catch {
            printLine("bench: \(error)")
            return 1
        }
    }
}

/// Prints a text without buffering, also into a file.
func show(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// Prints on standard error, so that standard output holds only the report.
func printLine(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
