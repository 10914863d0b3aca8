import Base
import Commands
import Console
import Glibc
import Layout
import Screen
import Socket

/// Facts of the machine that completions read.
struct CompletionEnvironment: Sendable {
    /// Reads a layout's file; nil if it can't be read or has mistakes.
    let layout: @Sendable (_ path: String) -> Layout?
    /// Names of the connected displays, in the order of their numbers.
    let displays: @Sendable () -> [String]
    /// The layout of a running wall; nil if none answers. `socket`: its path; nil for the one wall of this user.
    let runningLayout: @Sendable (_ socket: String?) -> Layout?

    /// The layout that a command line is about: the one that it names, the one that its media make, or that of the wall
    /// to which its command goes.
    func layout(of line: CompletedLine) -> Layout? {
        if line.takesCommand { return runningLayout(line.values["ipc"] ?? line.values["input-ipc-server"]) }
        if let path = line.layout { return layout(path) }
        return line.operands.isEmpty ? nil : Layout.ofMedia(line.operands)
    }

    static let system = CompletionEnvironment(
        layout: { read($0) }, displays: { ConnectedDisplays.names() }, runningLayout: { layout(ofWallAt: $0) })

    /// Nanoseconds within which a running wall replies.
    private static let longestWait: Int64 = 200_000_000

    private static func layout(ofWallAt socket: String?) -> Layout? {
        let sockets = socket.map { [$0] } ?? RuntimeFolder.ofUser?.entries.map(\.socket) ?? []
        let walls = sockets.compactMap { try? WallConnection(to: $0) }
        guard walls.count == 1 else { return nil }
        let path = PropertyValue.text("layout-path")
        let reply = try? walls[0].reply(to: [.text("get_property"), path], within: longestWait)
        return reply?["data"]?.asText.flatMap(read)
    }

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
