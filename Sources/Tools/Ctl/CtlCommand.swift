import Base
import Commands
import Console
import Glibc
import Socket

/// `quadrille ctl`: sends one command to a running wall, and prints the reply.
public struct CtlCommand {
    private let options: CtlOptions

    /// Nanoseconds within which a wall replies, also to a command that reads or writes a file.
    private static let longestWait: Int64 = 30_000_000_000

    public init(_ options: CtlOptions) { self.options = options }

    public func run() -> Int32 {
        do throws(ControlSocketTrouble) {
            guard let wall = try wall() else { return ExitStatus.failed }
            let reply = try wall.reply(to: options.command, within: Self.longestWait)
            guard reply["error"] == .text("success") else {
                let reason = reply["detail"]?.asText ?? reply["error"]?.asText ?? "the wall refused the command"
                printLine("quadrille: ctl: \(reason)")
                return ExitStatus.failed
            }
            // Most commands have no result, and null is a value only of a property.
            guard let data = reply["data"], data != .null || options.isForProperty else { return ExitStatus.done }
            let isIll = options.asksForHealth && data["healthy"] != .flag(true)
            return printOutput([data.plainText], status: isIll ? ExitStatus.failed : ExitStatus.done)
        } catch {
            printLine("quadrille: ctl: \(error)")
            return ExitStatus.failed
        }
    }

    /// Connects to the wall that the options name, or else to the one wall of this user. Prints why not, and returns
    /// nil, if there is none or more than one.
    private func wall() throws(ControlSocketTrouble) -> WallConnection? {
        if let path = options.ipc { return try WallConnection(to: path) }
        guard let folder = RuntimeFolder.ofUser else {
            printLine("quadrille: ctl: XDG_RUNTIME_DIR is not set, so no wall is found; name its socket: --ipc PATH")
            return nil
        }
        // A wall that was killed has left its socket.
        let walls = folder.entries.compactMap { entry in
            (try? WallConnection(to: entry.socket)).map { (entry.socket, $0) }
        }
        if walls.count == 1 { return walls[0].1 }
        if walls.isEmpty {
            printLine("quadrille: ctl: no wall of this user is running")
        } else {
            printLine("quadrille: ctl: \(walls.count) walls of this user are running; name one:")
            for (socket, wall) in walls {
                let title = try? wall.reply(
                    to: [.text("get_property"), .text("layout")], within: Self.longestWait / 30)
                printLine("  --ipc \(socket)  \(title?["data"]?.asText ?? "")")
            }
        }
        return nil
    }
}
