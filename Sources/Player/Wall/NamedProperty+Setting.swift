import Base
import Commands

// Values that setters of properties read: the tile or group that is set, and its state.
extension NamedProperty {
    /// The tile that is meant; nil without a focused tile, or if the tile is gone.
    var reader: PropertyReader<TileID>? {
        (owner.tile ?? report.snapshot.focus).flatMap {
            report.snapshot.tiles.contains($0) ? PropertyReader(report: report, owner: $0) : nil
        }
    }

    /// Returns the change for a value that `read` can read. Refuses the value if `change` returns nil.
    func change<Value>(_ read: (PropertyValue) -> Value?, _ change: (Value) -> Change?) -> Outcome {
        guard let wanted = read(value) else { return .refused(value.refusal) }
        return change(wanted).map { .change($0) } ?? .refused(.propertyError)
    }

    /// Returns the change that chooses a track by its number, from 1, or none for the value `no`. Refuses a number that
    /// the tile's item does not have. `automatic`: the change for the value `auto`. `count`: returns the number of its
    /// tracks; nil while unknown. `kind`: "sound" or "subtitle".
    func track(
        _ kind: String, automatic: Change, among count: (PropertyReader<TileID>) -> Int?, _ choose: (Int?) -> Change
    ) -> Outcome {
        if value.asFlag == false { return .change(choose(nil)) }
        if value.asText == "auto" { return .change(automatic) }
        guard let number = value.asInteger else { return .refused(value.refusal) }
        guard number > 0 else { return .refused(.propertyError) }
        guard let reader, let count = count(reader), number > count else { return .change(choose(number)) }
        let tracks = count == 0 ? "none" : "\(count) \(kind) track\(count == 1 ? "" : "s")"
        let reason = "there is no \(kind) track \(number); \(reader.tile.name) has \(tracks)"
        return .refused(ControlError(.propertyUnavailable, because: reason))
    }
}
