import Foundation
import TestKit

/// Feeds the parsers by libFuzzer for a quarter of the time. For two quarters, walks at random over a simulated wall
/// and over the built program. Then feeds the program with damaged media beside a good tile, layouts, requests and
/// command lines, round after round. The first failure ends it with its seed; the input stays in a folder.
enum Fuzz {
    static func run(_ arguments: [String]) throws {
        switch arguments.first {
        case "simulate":
            return SimulatedWalk.simulate(
                from: arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1,
                count: arguments.last.flatMap { UInt64($0) } ?? 1)
        case "draw": return SimulatedWalk.draw(arguments.last.flatMap { UInt64($0) } ?? 1)
        case "replay": return SimulatedWalk.replay(arguments.last ?? "")
        case "walk", "walk-program":
            return try walk(arguments[0], minutes: arguments.dropFirst().first.flatMap { Double($0) } ?? 10, arguments)
        default: break
        }
        guard (1...2).contains(arguments.count), let minutes = Double(arguments[0]) else {
            printLine("fuzz MINUTES [SEED]")
            exit(2)
        }
        var seed = arguments.count > 1 ? UInt64(arguments[1]) ?? 1 : UInt64(Date().timeIntervalSince1970)
        let end = RealTime.now + minutes * 60
        do {
            let share = minutes / 4 / Double(Parser.allCases.count)
            for parser in Parser.allCases { try parser.feed(minutes: share, seed: seed) }
        } catch let failure as Failure {
            printLine(failure.what)
            printLine("kept in \(try keep(failure.files, seed: seed))")
            exit(1)
        }
        try walk("walk", minutes: minutes / 4, [seed])
        try walk("walk-program", minutes: minutes / 4, [seed])
        let specimens = try Specimen.all()
        printLine("\(specimens.count) kinds of media: \(specimens.map(\.name).joined(separator: " "))")
        let round = try Round(specimens)
        var totals = Totals()
        repeat {
            do {
                totals.add(try round.play(seed: seed))
            } catch let failure as Failure {
                printLine("seed \(seed): \(failure.what)")
                printLine("kept in \(try keep(failure.files, seed: seed))")
                exit(1)
            }
            seed += 1
        } while RealTime.now < end
        printLine(totals.text)
    }

    private static func walk(_ kind: String, minutes: Double, _ arguments: [String]) throws {
        let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : UInt64(Date().timeIntervalSince1970)
        try walk(kind, minutes: minutes, [seed])
    }

    /// Walks at random. The first failure ends this program, and its walk is kept.
    private static func walk(_ kind: String, minutes: Double, _ seeds: [UInt64]) throws {
        do {
            if kind == "walk" {
                let totals = try SimulatedWalk.run(from: seeds[0], minutes: minutes)
                printLine(
                    "simulated wall from seed \(seeds[0]): \(totals.actions) actions, \(totals.layoutsTaken) layouts taken and "
                        + "\(totals.layoutsRefused) refused, \(totals.commands) commands done: none ended it")
            } else {
                let totals = try ProgramWalk.run(from: seeds[0], minutes: minutes)
                printLine(
                    "program from seed \(seeds[0]): \(totals.walks) walks of \(Int(totals.seconds)) s in all, "
                        + "\(totals.layouts) layouts saved, \(totals.requests) requests: none ended it")
            }
        } catch let failure as Failure {
            printLine(failure.what)
            printLine("kept in \(try keep(failure.files, seed: seeds[0]))")
            exit(1)
        }
    }

    struct Failure: Error {
        let what: String
        var files: [String] = []
    }

    struct Totals {
        var rounds = 0
        var films = 0
        var layouts = 0
        var requests = 0
        var commandLines = 0
        var troubles = 0
        var mostMemory = 0

        mutating func add(_ other: Totals) {
            rounds += other.rounds
            films += other.films
            layouts += other.layouts
            requests += other.requests
            commandLines += other.commandLines
            troubles += other.troubles
            mostMemory = max(mostMemory, other.mostMemory)
        }

        var text: String {
            "\(rounds) rounds, \(films) films (\(troubles) told as trouble), \(layouts) layouts, \(requests) requests, "
                + "\(commandLines) command lines: none ended the program, the good tile missed nothing; at most \(mostMemory >> 20) MiB"
        }
    }

    private static func keep(_ files: [String], seed: UInt64) throws -> String {
        let folder = "\(FileManager.default.currentDirectoryPath)/.build/fuzz/\(seed)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in files {
            let copy = "\(folder)/\((file as NSString).lastPathComponent)"
            try? FileManager.default.removeItem(atPath: copy)
            try? FileManager.default.copyItem(atPath: file, toPath: copy)
        }
        return folder
    }

    static func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
