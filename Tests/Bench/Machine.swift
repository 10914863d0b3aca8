import Foundation
import TestKit

/// The machine, and the versions of all programs.
struct Machine {
    var table: Table {
        var table = Table(["machine", ""])
        let model = Machine.field("model name", of: "/proc/cpuinfo")
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let kibibytes = Double(Machine.field("MemTotal", of: "/proc/meminfo").prefix { $0.isNumber }) ?? 0
        table.rows = [
            ["processor", "\(model), \(cores) cores"],
            ["memory", "\((kibibytes / 1_048_576).text(1)) GiB"],
            ["GPU", Machine.hasGPU ? "present" : "none"],
            ["system", Machine.system],
            ["quadrille", Machine.version([Program.path ?? "quadrille", "--version"])],
            ["FFmpeg", Machine.version(["ffmpeg", "-version"])],
            ["mpv", Machine.version(["mpv", "--version"])],
            ["GStreamer", Machine.version(["gst-launch-1.0", "--version"])],
            ["X server", "Xvfb, 1280x720x24"],
        ]
        return table
    }

    private static var hasGPU: Bool {
        let nodes = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri")) ?? []
        return nodes.contains { $0.hasPrefix("renderD") } || access("/dev/nvidiactl", F_OK) == 0
    }

    private static var system: String {
        let name = field("PRETTY_NAME", of: "/etc/os-release").replacingOccurrences(of: "\"", with: "")
        let kernel = (try? TestKit.run(["uname", "-r"]))?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return "\(name), Linux \(kernel)"
    }

    /// Value after ':' or '=' of the first line that begins with `name`.
    private static func field(_ name: String, of path: String) -> String {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        let value = line.drop { $0 != ":" && $0 != "=" }.dropFirst()
        return value.trimmingCharacters(in: .whitespaces)
    }

    /// The first word of the command's output that begins with a digit.
    private static func version(_ command: [String]) -> String {
        guard let reported = try? TestKit.run(command) else { return "not installed" }
        let words = reported.split { $0 == " " || $0 == "\n" }
        return words.first { $0.first?.isNumber == true }.map(String.init) ?? "of no known version"
    }
}
