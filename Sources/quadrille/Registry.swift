import Base
import Commands
import Console
import Control
import Feeds
import Layout
import Player

/// Names that the program takes and gives, as `quadrille --registry` prints them: the subcommands and their options,
/// the text commands, the properties, the keys, the fields of layouts and the events. Each list is made from the table
/// that the program itself uses.
enum Registry {
    static var json: String {
        JSONWriter.text(
            .object([
                PropertyField("subcommands", .list(Subcommand.allCases.map(subcommand))),
                PropertyField("options", .list(Subcommand.allCases.flatMap(options))),
                PropertyField("commands", .list(CommandTable.specs.map(command))),
                PropertyField("properties", .list((Wall.properties.specs + ProgramProperty.specs).map(property))),
                PropertyField("keys", .list(tables.flatMap { keys($0.key, $0.value) })),
                PropertyField("key-names", .list(KeyNames.table.map(keyName))),
                PropertyField("layout", .list(LayoutSchema.fields)),
                PropertyField("events", .list(EventName.allCases.map(event))),
            ]), escaping: .unprintable)
    }

    private static func subcommand(_ subcommand: Subcommand) -> PropertyValue {
        .object([PropertyField("name", .text(subcommand.rawValue))] + subcommand.help.fields)
    }

    private static func options(of subcommand: Subcommand) -> [PropertyValue] {
        subcommand.options.map { spec in
            .object([PropertyField("subcommand", .text(subcommand.rawValue))] + spec.fields)
        }
    }

    private static func command(_ spec: CommandSpec) -> PropertyValue {
        let arguments = spec.arguments.map { argument in
            PropertyValue.object([
                PropertyField("name", .text(argument.name)), PropertyField("type", .text(argument.type)),
                PropertyField("optional", .flag(argument.isOptional)),
            ])
        }
        return .object([
            PropertyField("name", .text(spec.name)), PropertyField("arguments", .list(arguments)),
            PropertyField("takes-more", .flag(spec.takesMore)), PropertyField("help", .text(spec.help)),
        ])
    }

    private static func property(_ spec: PropertySpec) -> PropertyValue {
        .object([
            PropertyField("name", .text(spec.name)), PropertyField("path", .text(spec.path)),
            PropertyField("scope", .text("\(spec.scope)")),
            PropertyField("takes", spec.takes.map { .text($0.words) } ?? .null),
            PropertyField("help", .text(spec.help)),
        ])
    }

    /// Tables of keys, by the subcommand or option that uses them.
    private static let tables: KeyValuePairs = [
        "play": KeyTable.wall, "blind": KeyTable.blind, "calibrate --by-eye": KeyTable.byEye,
    ]

    private static func keys(_ user: String, _ table: KeyTable) -> [PropertyValue] {
        table.lines.map { line in
            .object([
                PropertyField("for", .text(user)), PropertyField("keys", .text(line.keys)),
                PropertyField("help", .text(line.description)),
            ])
        }
    }

    private static func keyName(_ name: String, _ others: [String]) -> PropertyValue {
        .object([
            PropertyField("name", .text(name)), PropertyField("others", .list(others.map(PropertyValue.text))),
        ])
    }

    private static func event(_ name: EventName) -> PropertyValue {
        .object([
            PropertyField("name", .text(name.text)), PropertyField("sent", .text("\(name.sending)")),
            PropertyField("help", .text(name.help)),
        ])
    }
}
