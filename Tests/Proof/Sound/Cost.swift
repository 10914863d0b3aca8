import Foundation
import TestKit

/// Processor time of a wall with sound over that of the same wall with --no-audio.
enum Cost {
    static func measure(seconds: Double) throws {
        let files = try [2, 5, 8, 11].map { try Formats.clip($0).with { $0.sound = .aac }.file() }
        let silent = try spent(["--no-audio"] + files, seconds)
        let sounding = try spent(files, seconds)
        printLine(
            String(
                format: "cost: %.2f s of processor time in %.0f s with sound, %.2f without: ratio %.3f", sounding,
                seconds, silent, sounding / silent))
    }

    private static func spent(_ arguments: [String], _ seconds: Double) throws -> Double {
        let server = try SoundServer()
        let display = try Display()
        let program = try Program(["--position", "0,0"] + arguments, on: display, sound: server)
        RealTime.pass(2)
        let before = processorTime(of: program.child.pid)
        RealTime.pass(seconds)
        let after = processorTime(of: program.child.pid)
        program.child.end()
        return after - before
    }

    /// User and system time, in seconds.
    private static func processorTime(of pid: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
