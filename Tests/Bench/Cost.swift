import Foundation
import TestKit

/// Cost of a run.
struct Cost: Sendable {
    /// CPU seconds of the program, and of the X server in the same time.
    var program = 0.0
    var server = 0.0
    /// Seconds from its start to its end.
    var elapsed = 0.0
    /// In bytes, of all its processes.
    var peak = 0
    /// Frames that were due and not shown; nil if the program does not report them.
    var dropped: Double?
    var output = ""
    var errors = ""

    var cpu: Double { program + server }

    /// Runs commands at once until all have ended. Throws where one fails, or takes more than `limit` seconds.
    static func of(
        _ commands: [[String]], on display: Display? = nil, environment: [String: String?] = [:],
        atMost limit: Double = 120
    ) throws -> Cost {
        var cost = Cost()
        let before = display.flatMap { Ledger.cpu($0.process) } ?? 0
        let began = RealTime.now
        let names = (display?.environment ?? [:]).merging(environment) { $1 }
        let children = try commands.map { try Child($0, environment: names) }
        var peaks = children.map { _ in 0 }
        // A process that has ended is reaped only after its counters were read.
        var isRunning = true
        while isRunning, RealTime.now < began + limit {
            poll(nil, 0, 20)
            isRunning = false
            for (index, child) in children.enumerated() where !Ledger.hasEnded(child.pid) {
                peaks[index] = max(peaks[index], Ledger.peakMemory(child.pid) ?? 0)
                isRunning = true
            }
        }
        cost.elapsed = RealTime.now - began
        cost.server = (display.flatMap { Ledger.cpu($0.process) } ?? 0) - before
        cost.program = children.reduce(0) { $0 + (Ledger.cpu($1.pid) ?? 0) }
        cost.peak = peaks.reduce(0, +)
        for (command, child) in zip(commands, children) {
            let status = isRunning ? child.end() : child.wait(atMost: 1)
            guard !isRunning, status == 0 else {
                throw CommandFailed(command: command, status: status, errors: String(child.errors.suffix(2000)))
            }
            cost.output += child.output
            cost.errors += child.errors
        }
        return cost
    }
}
