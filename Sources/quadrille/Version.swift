import Base
import Console
import Files
import Glibc
import Media
import Screen
import Speaker

/// The lines of `--version`.
enum Version {
    static var short: [String] { ["quadrille \(version)"] }

    /// With the libraries and the system, for reports of errors.
    static var full: [String] {
        let libraries = LinkedLibrary.ofMedia + LinkedLibrary.ofScreen + LinkedLibrary.ofSpeaker + LinkedLibrary.ofFiles
        return short + libraries.map { "\($0.name) \($0.version)" } + ["\(distribution), \(kernel)"]
    }

    private static var distribution: String {
        let fields = ["/etc/os-release", "/usr/lib/os-release"].lazy.compactMap { path -> [Substring]? in
            guard case .success(let read) = bytes(of: path) else { return nil }
            return String(decoding: read.bytes, as: UTF8.self).split(separator: "\n")
        }.first
        let name = fields?.first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
        return name.map { String($0.drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) }) } ?? "unknown system"
    }

    private static var kernel: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown kernel" }
        let text = { (bytes: UnsafeRawBufferPointer) in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        return [
            withUnsafeBytes(of: &names.sysname, text), withUnsafeBytes(of: &names.release, text),
            withUnsafeBytes(of: &names.machine, text),
        ].joined(separator: " ")
    }
}
