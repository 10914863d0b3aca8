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
    /// The same for a question that needs no file. Monitors wait for 10 s and more.
    private static let longestQuestion: Int64 = 5_000_000_000

    public init(_ options: CtlOptions) { self.options = options }

    public func run() -> Int32 {
        if options.health == .nagios {
            let report = nagiosReport()
            return printOutput([report.line], status: report.state.rawValue)
        }
        do {
            let reply = try wall().reply(to: options.command, within: Self.longestWait)
            guard reply["error"] == .text("success") else { throw Trouble(Self.reason(of: reply)) }
            // Most commands have no result, and null is a value only of a property.
            guard let data = reply["data"], data != .null || options.isForProperty else { return ExitStatus.done }
            let isIll = options.health != nil && data["healthy"] != .flag(true)
            return printOutput([data.plainText], status: isIll ? ExitStatus.failed : ExitStatus.done)
        } catch {
            printLine("quadrille: ctl: \(error)")
            (error as? Trouble)?.more.forEach { printLine("  \($0)") }
            return ExitStatus.failed
        }
    }

    /// Reason for which no wall is asked, or for which it refused.
    private struct Trouble: Error, CustomStringConvertible {
        let description: String
        /// Further lines.
        let more: [String]

        init(_ text: String, more: [String] = []) { (description, self.more) = (text, more) }
    }

    private func nagiosReport() -> NagiosReport {
        do {
            let reply = try wall().reply(to: options.command, within: Self.longestQuestion)
            return reply["error"] == .text("success")
                ? NagiosReport(of: reply["data"]) : .unknown(Self.reason(of: reply))
        } catch {
            // A wall is there that does not reply.
            let isSilent = (error as? ControlSocketTrouble)?.reason == .late
            return isSilent ? .silent("\(error)") : .unknown("\(error)")
        }
    }

    private static func reason(of reply: PropertyValue) -> String {
        reply["detail"]?.asText ?? reply["error"]?.asText ?? "the wall refused the command"
    }

    /// Connects to the wall that the options name, or else to the one wall of this user.
    private func wall() throws -> WallConnection {
        if let path = options.ipc { return try WallConnection(to: path) }
        guard let folder = RuntimeFolder.ofUser else {
            throw Trouble("XDG_RUNTIME_DIR is not set, so no wall is found; name its socket: --ipc PATH")
        }
        // A wall that was killed has left its socket.
        let walls = folder.entries.compactMap { entry in
            (try? WallConnection(to: entry.socket)).map { (entry.socket, $0) }
        }
        if walls.count == 1 { return walls[0].1 }
        if walls.isEmpty { throw Trouble("no wall of this user is running") }
        let lines = walls.map { socket, wall in
            let title = try? wall.reply(to: [.text("get_property"), .text("layout")], within: Self.longestWait / 30)
            return "--ipc \(socket)  \(title?["data"]?.asText ?? "")"
        }
        throw Trouble("\(walls.count) walls of this user are running; name one:", more: lines)
    }
}

/// The health of a wall as plugins of Nagios, Icinga and their like report it: one line with figures, and a state that
/// is the exit status.
struct NagiosReport: Equatable {
    enum State: Int32 { case ok, warning, critical, unknown }

    let state: State
    let line: String

    private init(_ state: State, _ text: String, _ figures: String = "") {
        // A bar begins the figures.
        let plain = text.split(whereSeparator: \.isNewline).joined(separator: " ").map { $0 == "|" ? "/" : $0 }
        (self.state, line) = (state, "QUADRILLE \("\(state)".uppercased()) - \(String(plain))\(figures)")
    }

    /// There is no wall to ask, or it did not say how it is.
    static func unknown(_ reason: String) -> NagiosReport { NagiosReport(.unknown, reason) }

    /// The wall listens, and does not reply.
    static func silent(_ reason: String) -> NagiosReport { NagiosReport(.critical, reason) }

    /// `health`: the property of that name.
    init(of health: PropertyValue?) {
        guard case .list(let ill)? = health?["ill"], case .list(let skipped)? = health?["skipped"] else {
            self = .unknown("the wall did not report its health")
            return
        }
        // Value, warning above, critical above, minimum.
        let figures = " | ill=\(ill.count);;0;0 skipped=\(skipped.count);0;;0"
        let left = skipped.map { Self.named($0, $0["source"], $0["reason"]) }
        let dark = health?["display"] == .text("off") ? "; the display is off" : ""
        if !ill.isEmpty {
            let tiles = ill.map { Self.named($0, $0["state"], $0["reason"]) }
            self.init(
                .critical, "\(ill.count == 1 ? "1 tile is" : "\(ill.count) tiles are") ill: \(tiles.listed)", figures)
        } else if !left.isEmpty {
            self.init(
                .warning, "\(left.count == 1 ? "1 source is" : "\(left.count) sources are") skipped: \(left.listed)",
                figures)
        } else {
            self.init(.ok, "no tile is ill\(dark)", figures)
        }
    }

    /// "left: failed (no such file)"
    private static func named(_ entry: PropertyValue, _ what: PropertyValue?, _ reason: PropertyValue?) -> String {
        "\(entry["id"]?.asText ?? "?"): \(what?.asText ?? "?") (\(reason?.asText ?? "?"))"
    }
}

extension [String] {
    /// The first texts; the line stays short enough for a pager.
    fileprivate var listed: String {
        prefix(4).joined(separator: "; ") + (count > 4 ? "; and \(count - 4) more" : "")
    }
}
