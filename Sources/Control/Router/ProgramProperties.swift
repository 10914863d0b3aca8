import Base
import Commands
import Engine
import Glibc
import Player

/// A property of the program around the wall, with the functions that read and set it.
public struct ProgramProperty: Sendable {
    typealias Getter = @Sendable (CommandRouter) -> PropertyValue?
    /// Returns nil if the property was changed.
    typealias Setter = @Sendable (CommandRouter, Change.PropertyChange) -> ControlError?

    let spec: PropertySpec
    /// Returns nil if the property is not available.
    let get: Getter
    /// nil if the property can only be read.
    let set: Setter?

    init(
        _ name: String, takes: PropertyKind? = nil, _ help: String, get: @escaping Getter, set: Setter? = nil
    ) { (spec, self.get, self.set) = (PropertySpec(name, .program, takes: takes, help), get, set) }
}

extension ProgramProperty {
    static let all: [ProgramProperty] = [
        ProgramProperty(
            "layout-path", "the file of the layout that plays", get: { $0.program.facts.layoutPath.map { .text($0) } }),
        ProgramProperty(
            "fullscreen", takes: .flag, "the window fills the display", get: { .flag($0.program.facts.isFullscreen) },
            set: { router, change in
                let switching: Change.Switching
                switch change {
                case .set(let value):
                    guard let isOn = value.asFlag else { return .propertyFormat }
                    switching = isOn ? .on : .off
                case .cycle, .cycleValues: switching = .toggle
                case .add, .multiply: return .propertyError
                }
                return router.applyToWall(.window(.fullscreen(switching)), .focused)
            }),
        ProgramProperty("pid", "number of this process", get: { _ in .integer(Int(getpid())) }),
        ProgramProperty(
            "mpv-version", "this program's name and version", get: { .text("Quadrille \($0.program.facts.version)") }),
        ProgramProperty(
            "input-bindings", "the keys with their commands, and where they are bound",
            get: { router in
                .list(
                    router.boundKeys().map { press, text, source in
                        ["key": .text(press.name), "cmd": .text(text), "section": .text(source)]
                    })
            }),
        ProgramProperty(
            "command-list", "the commands with their arguments",
            get: { _ in .list(CommandTable.specs.map(\.described)) }),
        ProgramProperty(
            "property-list", "the names of all properties that are no path",
            get: { _ in .list((Wall.properties.names + ProgramProperty.names).sorted().map { .text($0) }) }),
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.spec.name, $0) })
    static var names: [String] { all.map(\.spec.name) }
    public static var specs: [PropertySpec] { all.map(\.spec) }
}

extension CommandSpec {
    fileprivate var described: PropertyValue {
        let arguments = arguments.map { argument -> PropertyValue in
            [
                "name": .text(argument.name), "type": .text(argument.type),
                "optional": .flag(argument.isOptional),
            ]
        }
        return ["name": .text(name), "args": .list(arguments), "vararg": .flag(takesMore)]
    }
}
