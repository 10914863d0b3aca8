import Base
import Commands
import Console

/// The command line of `ctl`. Options stand before the command, whose words may begin with a dash.
public struct CtlOptions {
    /// Path of the wall's socket; nil for the one wall of this user.
    private(set) var ipc: String?
    private(set) var command: [PropertyValue] = []
    /// True if the command asks for the value of a property.
    var isForProperty: Bool { command.first == Self.read }
    /// Form in which the health of the wall is asked for; nil for another command.
    private(set) var health: Health?

    /// The exit status states whether the wall is healthy. `nagios`: as Nagios and its successors read it.
    enum Health { case property, nagios }

    private static let read = PropertyValue.text("get_property")
    private static let nagios = "--nagios"

    public static let options: [Option<CtlOptions>] = [
        Option(
            "ipc", .text("PATH", names: .file), "the wall's socket",
            into: \.ipc
        ).default("of the one wall of this user"),
        Option("input-ipc-server", .text("PATH", names: .file), "the same as --ipc", into: \.ipc),
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
}
