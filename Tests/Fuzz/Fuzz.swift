import Foundation
import TestKit

/// Feeds the parsers by libFuzzer for a quarter of the time, and then the built program with what is damaged, round after
/// round: media beside a good tile, layouts, requests on the socket, command lines. The first failure ends it with its seed, and what was fed stays in a folder.
enum Fuzz {
    static func run(_ arguments: [String]) throws {
        guard (1...2).contains(arguments.count), let minutes = Double(arguments[0]) else {
            say("fuzz MINUTES [SEED]")
            exit(2)
        }
        var seed = arguments.count > 1 ? UInt64(arguments[1]) ?? 1 : UInt64(Date().timeIntervalSince1970)
        let end = Clock.now + minutes * 60
        do {
            let share = minutes / 4 / Double(Parser.allCases.count)
            for parser in Parser.allCases { try parser.feed(minutes: share, seed: seed) }
        } catch let failure as Failure {
            say(failure.what)
            say("kept in \(try keep(failure.files, seed: seed))")
            exit(1)
        }
        let specimens = try Specimen.all()
        say("\(specimens.count) kinds of media: \(specimens.map(\.name).joined(separator: " "))")
        let round = try Round(specimens)
        var totals = Totals()
        repeat {
            do {
                totals.add(try round.play(seed: seed))
            } catch let failure as Failure {
                say("seed \(seed): \(failure.what)")
                say("kept in \(try keep(failure.files, seed: seed))")
                exit(1)
            }
            seed += 1
        } while Clock.now < end
        say(totals.text)
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

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
