import Base
import Commands
import Engine
import Player

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
