import Base
import Commands
import Console
import Socket

/// `quadrille ctl`: sends one command to a running wall, and prints the reply. Options stand before the command, whose
/// words may begin with a dash.
public struct CtlCommand {
    /// Path of the wall's socket; nil for the one wall of this user.
    private var ipc: String?
    private(set) var command: [PropertyValue] = []
    /// True if the command asks for the value of a property.
    var isForProperty: Bool { command.first == Self.read }
    /// Form in which the health of the wall is asked for; nil for another command.
    private(set) var health: Health?

    /// The exit status states whether the wall is healthy. `nagios`: as Nagios and its successors read it.
    enum Health { case property, nagios }

    private static let read = PropertyValue.text("get_property")
    private static let nagios = "--nagios"

    public static let options: [Option<CtlCommand>] = [
        Option(
            "ipc", .text("PATH", names: .file), "the wall's socket"
        ) { $0.ipc = $1 }.default("of the one wall of this user"),
        Option("input-ipc-server", .text("PATH", names: .file), "the same as --ipc") { $0.ipc = $1 },
        .help,
    ]

    /// A word that `ctl` takes in place of a command of the socket.
    public struct Word: Sendable {
        public let name: String
        /// Kind of name that follows; nil if none does.
        public var names: NameKind?
        /// Option that may follow; nil if none may.
        public var option: String?
        public let help: String

        public var usage: String { name + (names == nil ? "" : " NAME") + (option.map { " [\($0)]" } ?? "") }
    }

    public static let words = [
        Word(name: "get", names: .property, help: "prints a property"),
        Word(
            name: "health", option: nagios,
            help: "prints the property health; its exit status is 1 if a tile is ill. \(nagios): for Nagios"),
        Word(name: "pause", help: "stops the group of the focused tile"), Word(name: "play", help: "lets it go on"),
    ]

    /// `folder`: the working folder, where relative names of files begin; nil if it is not known.
    public init(_ arguments: [String], folder: String?) throws(UsageMistake) {
        var words = try Self.options.read(arguments, into: &self, .leading)
        guard let first = words.first else {
            throw UsageMistake("ctl needs a command, such as pause, get NAME or set NAME VALUE")
        }
        for place in CommandTable.files(in: words) { words[place] = Self.whole(words[place], in: folder) }
        let given = words.dropFirst().map(PropertyValue.text)
        switch first {
        case "get":
            guard given.count == 1 else { throw UsageMistake("get takes the name of one property") }
            command = [Self.read] + given
        case "set":
            guard given.count == 2 else { throw UsageMistake("set takes the name of a property and a value") }
            command = [.text("set"), given[0], try Self.value(words[2])]
        case "health":
            guard given.isEmpty || given == [.text(Self.nagios)] else {
                throw UsageMistake("health takes \(Self.nagios) or nothing more")
            }
            (command, health) = ([Self.read, .text(first)], given.isEmpty ? .property : .nagios)
        case "pause", "play":
            guard given.isEmpty else { throw UsageMistake("\(first) takes nothing more") }
            command = [.text("set"), .text("pause"), .flag(first == "pause")]
        default: command = [.text(first)] + given
        }
    }

    /// The wall has a working folder of its own, so the whole path is sent.
    private static func whole(_ name: String, in folder: String?) -> String {
        guard let folder, SourceName.path(of: name) == name, !name.hasPrefix("/"), !name.isEmpty else { return name }
        return "\(folder)/\(name)"
    }

    /// Lists and objects are given as JSON. Everything else is a text, which the wall reads as the property's type.
    private static func value(_ text: String) throws(UsageMistake) -> PropertyValue {
        guard let first = text.first, "[{".contains(first) else { return .text(text) }
        do throws(JSONTrouble) { return PropertyValue(try JSONParser.parse(Array(text.utf8))) } catch {
            throw UsageMistake("\(text): \(error.text), at character \(error.position.column)")
        }
    }

    /// Nanoseconds within which a wall replies, also to a command that reads or writes a file.
    private static let longestWait: Int64 = 30_000_000_000
    /// The same for a question that needs no file. Monitors wait for 10 s and more.
    private static let longestQuestion: Int64 = 5_000_000_000

    public func run() -> Int32 {
        if health == .nagios {
            let report = nagiosReport()
            return printOutput([report.line], status: report.state.rawValue)
        }
        do {
            // Most commands have no result, and null is a value only of a property.
            guard let data = try result(within: Self.longestWait), data != .null || isForProperty else {
                return ExitStatus.done
            }
            let isIll = health != nil && data["healthy"] != .flag(true)
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
        var more: [String] = []
    }

    private func nagiosReport() -> NagiosReport {
        do {
            return NagiosReport(of: try result(within: Self.longestQuestion))
        } catch {
            let isSilent = (error as? ControlSocketTrouble)?.reason == .late
            return NagiosReport(isSilent ? .critical : .unknown, "\(error)")
        }
    }

    /// Sends the command, and returns its result. Throws if no wall is asked, or if it refuses the command.
    private func result(within limit: Int64) throws -> PropertyValue? {
        let reply = try wall().reply(to: command, within: limit)
        if reply["error"] == .text("success") { return reply["data"] }
        throw Trouble(description: reply["detail"]?.asText ?? reply["error"]?.asText ?? "the wall refused the command")
    }

    /// Connects to the wall that the options name, or else to the one wall of this user.
    private func wall() throws -> WallConnection {
        if let path = ipc { return try WallConnection(to: path) }
        guard let folder = RuntimeFolder.ofUser else {
            throw Trouble(description: "XDG_RUNTIME_DIR is not set, so no wall is found; name its socket: --ipc PATH")
        }
        // A wall that was killed has left its socket.
        let walls = folder.entries.compactMap { entry in
            (try? WallConnection(to: entry.socket)).map { (entry.socket, $0) }
        }
        if walls.count == 1 { return walls[0].1 }
        if walls.isEmpty { throw Trouble(description: "no wall of this user is running") }
        let lines = walls.map { socket, wall in
            let title = try? wall.reply(to: [.text("get_property"), .text("layout")], within: Self.longestWait / 30)
            return "--ipc \(socket)  \(title?["data"]?.asText ?? "")"
        }
        throw Trouble(description: "\(walls.count) walls of this user are running; name one:", more: lines)
    }
}
