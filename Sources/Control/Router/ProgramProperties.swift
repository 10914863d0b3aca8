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
                switch change {
                case .set(let value):
                    guard let isOn = value.asFlag else { return .propertyFormat }
                    return router.applyToWall(.window(.fullscreen(isOn ? .on : .off)), .focused)
                case .cycle, .cycleValues: return router.applyToWall(.window(.fullscreen(.toggle)), .focused)
                case .add, .multiply: return .propertyError
                }
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
        ["name": .text(name), "args": argumentList, "vararg": .flag(takesMore)]
    }

    /// The arguments as objects, for clients and for `quadrille --registry`.
    public var argumentList: PropertyValue {
        .list(
            arguments.map {
                ["name": .text($0.name), "type": .text($0.type), "optional": .flag($0.isOptional)]
            })
    }
}

// Properties by name: those of the program (`ProgramProperty`), else those of the wall (`Property` in Player).
extension CommandRouter {
    public func property(_ name: String) -> Result<PropertyValue, ControlError> {
        let parts = name.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard let property = ProgramProperty.byName[parts[0]] else {
            return runner.read { wall, now in WallReport(wall, at: now).value(at: name, of: nil) }
        }
        guard let value = property.get(self) else { return .failure(.propertyUnavailable) }
        return value.part(at: parts.dropFirst())
    }

    public func setProperty(_ name: String, _ value: PropertyValue) -> ControlError? {
        change(name, .set(value), for: .focused, .group)
    }

    /// Returns nil if the property was changed.
    func change(
        _ name: String, _ step: Change.PropertyChange, for target: Target, _ scope: Change.Scope
    ) -> ControlError? {
        if target.isOfWall, let property = ProgramProperty.byName[name] {
            return property.set.map { $0(self, step) } ?? .propertyError
        }
        return applyToWall(.property(name, step, scope), target)
    }

    /// Returns the message for a command that has the name of a property; nil if there is such a command, or no such
    /// property.
    func words(onProperty name: String) -> String? {
        if CommandTable.contains(name) { return nil }
        let specs = [ProgramProperty.byName[name]?.spec].compactMap { $0 } + Wall.properties.specs
        let named = specs.filter { $0.name == name }
        return (named.first { $0.path == name } ?? named.first)?.asCommand
    }

    public func reason(_ error: ControlError, of property: String) -> String? { reason(error, of: property, on: nil) }

    /// `tile`: the tile that the command named before the property; nil if it named none.
    func reason(_ error: ControlError, of property: String, on tile: TileID?) -> String? {
        if tile == nil, let spec = ProgramProperty.byName[String(property.prefix { $0 != "/" })]?.spec {
            switch error.word {
            case .propertyUnavailable: return "no layout file is loaded"
            case .propertyError, .propertyFormat: return spec.refusal
            default: break
            }
        }
        return runner.read { wall, now in
            WallReport(wall, at: now).reason(error, of: property, on: tile, among: ProgramProperty.names)
        }
    }
}
