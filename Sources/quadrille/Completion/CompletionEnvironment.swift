import Console
import Glibc
import Layout
import Screen

/// Facts of the machine that completions read.
struct CompletionEnvironment: Sendable {
    /// Reads a layout's file; nil if it can't be read or has mistakes.
    let layout: @Sendable (_ path: String) -> Layout?
    /// Names of the connected displays, in the order of their numbers.
    let displays: @Sendable () -> [String]

    /// The layout that a command line plays: the one that it names, or the one that its media make.
    func layout(of line: CompletedLine) -> Layout? {
        if let path = line.layout { return layout(path) }
        return line.operands.isEmpty ? nil : Layout.ofMedia(line.operands)
    }

    static let system = CompletionEnvironment(layout: { read($0) }, displays: { ConnectedDisplays.names() })

    /// A shell hands on a tilde as it was typed.
    private static func read(_ path: String) -> Layout? {
        let home = path.hasPrefix("~/") ? getenv("HOME").map { String(cString: $0) } : nil
        let file = home.map { $0 + path.dropFirst() } ?? path
        // A pipe would block, and must not be emptied.
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return LayoutFile.read(file).result.written
    }
}
