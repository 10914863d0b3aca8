import Foundation

/// The kernel's counters of a process.
enum Ledger {
    /// User and system time in seconds, of ended threads too; nil when nothing is left of the process.
    static func cpu(_ pid: pid_t) -> Double? {
        guard let fields = fields(pid) else { return nil }
        return (Double(fields[11]) ?? 0) / ticks + (Double(fields[12]) ?? 0) / ticks
    }

    /// True if the process has ended, whether or not it was reaped.
    static func hasEnded(_ pid: pid_t) -> Bool { fields(pid).map { $0[0] == "Z" || $0[0] == "X" } ?? true }

    /// Largest resident memory so far, in bytes; nil once the process has ended.
    static func peakMemory(_ pid: pid_t) -> Int? { status("/proc/\(pid)/status", "VmHWM:").map { $0 * 1024 } }

    /// Number of times its threads were switched away from, voluntarily or not.
    static func switches(_ pid: pid_t) -> Int {
        threads(pid).reduce(0) { sum, thread in
            let path = "/proc/\(pid)/task/\(thread)/status"
            return sum + (status(path, "voluntary_ctxt_switches:") ?? 0)
                + (status(path, "nonvoluntary_ctxt_switches:") ?? 0)
        }
    }

    /// Run time of its present threads in seconds, to the nanosecond: finer than `cpu`.
    static func running(_ pid: pid_t) -> Double {
        threads(pid).reduce(0) { sum, thread in
            let text = read("/proc/\(pid)/task/\(thread)/schedstat") ?? ""
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
        }
    }

    /// Seconds of all cores since the machine started: all of them, and those that its host gave to others.
    static var machine: (all: Double, stolen: Double) {
        let line = read("/proc/stat")?.split(separator: "\n").first ?? ""
        let fields = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        return (fields.reduce(0, +) / ticks, (fields.count == 8 ? fields[7] : 0) / ticks)
    }

    private static let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))

    private static func threads(_ pid: pid_t) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    }

    /// Fields from the state on. The name before it may hold blanks.
    private static func fields(_ pid: pid_t) -> [Substring]? {
        guard let text = read("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }

    private static func status(_ path: String, _ name: String) -> Int? {
        guard let line = read(path)?.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
    }

    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
