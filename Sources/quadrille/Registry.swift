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
        let options = Subcommand.allCases.flatMap { subcommand in
            subcommand.help.options.map { spec in
                (["subcommand": .text(subcommand.rawValue)] as PropertyValue).adding(spec.json)
            }
        }
        let lists: PropertyValue = [
            "subcommands": .list(Subcommand.allCases.map(subcommand)), "options": .list(options),
            "commands": .list(CommandTable.specs.map(command)),
            "properties": .list((Wall.properties.specs + ProgramProperty.specs).map(property)),
            "keys": .list(tables.flatMap { keys($0.key, $0.value) }),
            "key-names": .list(
                KeyNames.table.map { ["name": .text($0.name), "others": .list($0.others.map(PropertyValue.text))] }),
            "layout": .list(LayoutSchema.fields), "events": .list(EventName.allCases.map(event)),
        ]
        return JSONWriter.text(lists, escaping: .unprintable)
    }

    private static func subcommand(_ subcommand: Subcommand) -> PropertyValue {
        (["name": .text(subcommand.rawValue)] as PropertyValue).adding(subcommand.help.json)
    }

    private static func command(_ spec: CommandSpec) -> PropertyValue {
        [
            "name": .text(spec.name), "arguments": spec.argumentList, "takes-more": .flag(spec.takesMore),
            "help": .text(spec.help),
        ]
    }

    private static func property(_ spec: PropertySpec) -> PropertyValue {
        [
            "name": .text(spec.name), "path": .text(spec.path), "scope": .text("\(spec.scope)"),
            "takes": .textOrNull(spec.takes?.words), "help": .text(spec.help),
        ]
    }

    /// Tables of keys, by the subcommand or option that uses them.
    private static let tables: KeyValuePairs = [
        "play": KeyTable.wall, "blind": KeyTable.blind, "calibrate --by-eye": KeyTable.byEye,
    ]

    private static func keys(_ user: String, _ table: KeyTable) -> [PropertyValue] {
        table.lines.map { ["for": .text(user), "keys": .text($0.keys), "help": .text($0.description)] }
    }

    private static func event(_ name: EventName) -> PropertyValue {
        ["name": .text(name.text), "sent": .text("\(name.sending)"), "help": .text(name.help)]
    }
}
