import Foundation
import TestKit

/// Plays a wall for a long time and disturbs it round after round. After each round it lets the wall rest, and checks
/// memory, threads, open files, and the one tile that is never disturbed.
enum Soak {
    static func run(_ arguments: [String]) throws {
        guard (1...2).contains(arguments.count), let minutes = Double(arguments[0]), minutes > 0 else {
            printLine("soak MINUTES [SEED]")
            exit(2)
        }
        let seed = arguments.count > 1 ? UInt64(arguments[1]) ?? 1 : UInt64(Date().timeIntervalSince1970)
        // A short run still has enough rounds to be judged: a dozen, each with a rest of 18 s on average.
        let round = min(20, max(2, minutes * 60 / 12 - 18))
        let stage = try SoakStage(seed: seed)
        printLine("seed \(seed)")
        printLine("second memory-KiB alone-KiB alone-heap-KiB display-KiB threads files missed excused done")
        let end = RealTime.now + minutes * 60
        let began = RealTime.now
        var samples: [SoakSample] = []
        var failure: String?
        do {
            while RealTime.now < end {
                let done = try stage.disturb(for: round)
                samples.append(try stage.rest(since: began, isAlone: samples.count % 2 == 1))
                printLine("\(samples.last!.line) \(done)")
            }
        } catch let error as SoakStage.Failure {
            failure = error.what
        }
        let verdict = SoakVerdict(samples, failure ?? stage.end())
        printLine(verdict.text)
        if !verdict.isGood {
            let path = "\(FileManager.default.currentDirectoryPath)/.build/soak/trace"
            try stage.keepTrace(path)
            printLine("its last events are kept in \(path)")
        }
        exit(verdict.isGood ? 0 : 1)
    }
}

func printLine(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
