import Foundation
import TestKit

@testable import Base
@testable import Layout
@testable import SimulatedWall

/// A random walk over the schema and the socket's tables on a simulated wall. A trap ends its process, so walks run in
/// children of this program: `fuzz simulate FIRST-SEED SEEDS` and `fuzz replay FILE`.
enum SimulatedWalk {
    static let actionsPerWalk = 150
    /// A walk that takes longer, in seconds, is a hang.
    private static let longest = 60.0

    // MARK: in the child

    /// Prints each seed before its walk begins.
    static func simulate(from first: UInt64, count: UInt64) {
        var (actions, taken, refused, done) = (0, 0, 0, 0)
        for seed in first..<first + count {
            FileHandle.standardOutput.write(Data("\(seed)\n".utf8))
            var world = WalkWorld()
            for action in drawn(seed) { world.take(action) }
            actions += actionsPerWalk
            (taken, refused) = (taken + world.layoutsTaken, refused + world.layoutsRefused)
            done += world.commandsDone
        }
        let totals = "done \(actions) \(taken) \(refused) \(done)\n"
        FileHandle.standardOutput.write(Data(totals.utf8))
    }

    static func replay(_ path: String) {
        let text = FileManager.default.contents(atPath: path) ?? Data()
        var world = WalkWorld()
        for action in Walk.actions(in: String(decoding: text, as: UTF8.self)) { world.take(action) }
    }

    /// Writes a walk as `replay` reads it, and the mistakes of its layouts to standard error.
    static func draw(_ seed: UInt64) {
        let actions = drawn(seed)
        FileHandle.standardOutput.write(Data(Walk.text(of: actions).utf8))
        for case .layout(let layout) in actions {
            guard
                case .mistakes(let mistakes) = LayoutReader.read(JSONWriter.bytes(of: layout), path: "/w/wall.json")
            else { continue }
            let lines = mistakes.lines(path: "wall.json").joined(separator: "\n")
            FileHandle.standardError.write(Data((lines + "\n").utf8))
        }
    }

    static func drawn(_ seed: UInt64) -> [WalkAction] {
        Walk.actions(actionsPerWalk, schema: Walk.schema, sources: WalkWorld.sources, seed: seed)
    }

    // MARK: in the parent

    struct Totals {
        var actions = 0
        var layoutsTaken = 0
        var layoutsRefused = 0
        var commands = 0
    }

    /// Walks until the time is over or `mostActions` are done. Shrinks and throws a walk that ends a child.
    static func run(from first: UInt64, minutes: Double, mostActions: Int = .max) throws -> Totals {
        let end = RealTime.now + minutes * 60
        var (seed, totals) = (first, Totals())
        let batch: UInt64 = 40
        while RealTime.now < end, totals.actions < mostActions {
            let child = try Child(
                [program, "simulate", "\(seed)", "\(batch)"], environment: ["SWIFT_BACKTRACE": "enable=no"])
            let status = child.wait(atMost: longest * Double(batch) / 4)
            let lines = child.output.split(separator: "\n")
            guard status == 0, let last = lines.last, last.hasPrefix("done") else {
                child.end()
                let found = lines.last.flatMap { UInt64($0) } ?? seed
                throw try failure(of: found)
            }
            let counts = last.split(separator: " ").compactMap { Int($0) }
            totals.actions += counts[0]
            totals.layoutsTaken += counts[1]
            totals.layoutsRefused += counts[2]
            totals.commands += counts[3]
            seed += batch
        }
        return totals
    }

    /// Describes a seed that ends its process, with the shortest walk found that does the same.
    static func failure(of seed: UInt64) throws -> Fuzz.Failure {
        let whole = drawn(seed)
        guard let first = try end(of: whole) else {
            return Fuzz.Failure(what: "simulated walk \(seed): it ended its process, and does not when it is run alone")
        }
        let short = try WalkShrinking.shortened(whole) { try self.end(of: $0) != nil }
        let path = Scratch.path("walk-\(seed).txt")
        try Data(Walk.text(of: short).utf8).write(to: URL(fileURLWithPath: path))
        let last = try end(of: short) ?? first
        return Fuzz.Failure(
            what: "simulated walk \(seed) ends the wall after \(short.count) actions:\n\(Walk.text(of: short))\(last)",
            files: [path])
    }

    /// Plays a walk in a child. Returns the end of its output, with the backtrace; nil if the child ends well.
    private static func end(of actions: [WalkAction]) throws -> String? {
        let path = Scratch.path("walk.txt")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Walk.text(of: actions).utf8).write(to: URL(fileURLWithPath: path))
        let child = try Child([program, "replay", path], environment: ["SWIFT_BACKTRACE": "enable=no"])
        let status = child.wait(atMost: longest)
        if status == 0 { return nil }
        child.end()
        return "\(status.map { "status \($0)" } ?? "no end"): \(child.errors.suffix(2000))"
    }

    private static let program = CommandLine.arguments[0]
}

/// Finds a shorter walk that does the same.
enum WalkShrinking {
    /// `fails` returns true if a walk still ends its process.
    static func shortened(_ actions: [WalkAction], _ fails: ([WalkAction]) throws -> Bool) throws -> [WalkAction] {
        var short = actions
        // Drop the actions after the one that ends the process.
        var (low, high) = (1, short.count)
        while low < high {
            let middle = (low + high) / 2
            if try fails(Array(short[..<middle])) { high = middle } else { low = middle + 1 }
        }
        short = Array(short[..<high])
        var size = max(1, short.count / 2)
        while true {
            var (place, isShorter) = (0, false)
            while place < short.count {
                var without = short
                without.removeSubrange(place..<min(place + size, short.count))
                if !without.isEmpty, try fails(without) {
                    (short, isShorter) = (without, true)
                } else {
                    place += size
                }
            }
            if size == 1, !isShorter { break }
            size = max(1, size / 2)
        }
        // Layouts lose each part that is not needed.
        for place in short.indices {
            guard case .layout(var layout) = short[place] else { continue }
            var isSmaller = true
            while isSmaller {
                isSmaller = false
                for smaller in layout.smaller {
                    var changed = short
                    changed[place] = .layout(smaller)
                    if try fails(changed) {
                        (layout, short, isSmaller) = (smaller, changed, true)
                        break
                    }
                }
            }
        }
        return short
    }
}

extension PropertyValue {
    /// The same without one member or element, at any depth; the largest parts first.
    fileprivate var smaller: [PropertyValue] {
        switch self {
        case .list(let values):
            return values.indices.map { place in .list(values.enumerated().filter { $0.offset != place }.map(\.element))
            }
                + values.indices.flatMap { place in
                    values[place].smaller.map { smaller in
                        var changed = values
                        changed[place] = smaller
                        return .list(changed)
                    }
                }
        case .object(let fields):
            return fields.indices.map { place in
                .object(fields.enumerated().filter { $0.offset != place }.map(\.element))
            }
                + fields.indices.flatMap { place in
                    fields[place].value.smaller.map { smaller in
                        var changed = fields
                        changed[place].value = smaller
                        return .object(changed)
                    }
                }
        default: return []
        }
    }
}
