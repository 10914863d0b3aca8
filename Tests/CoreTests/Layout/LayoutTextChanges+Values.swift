@testable import Base
@testable import Commands
@testable import Layout

// Changes of a layout's text, by the properties of the model.
extension LayoutTextChanges {
    var volume: Int? {
        get { fields[.audio]?["volume"]?.asInteger }
        set {
            var changed = AudioLayout()
            changed.volume = newValue!
            add(FieldChanges(of: changed, ["volume"]), to: .audio)
        }
    }
    var audioMode: AudioMode? {
        fields[.audio]?["mode"]?.asText.flatMap(AudioMode.init)
    }

    /// Changes of tiles, by index.
    var tiles: [Int: TileChange] {
        get {
            fields.reduce(into: [:]) { tiles, change in
                guard case .tile(let place, let part) = change.key else { return }
                if part == .itself { tiles[place, default: TileChange()].fields = change.value }
                if case .compared(let source) = part {
                    tiles[place, default: TileChange()].compared[source] = change.value
                }
            }
        }
        set {
            for place in fields.keys { if case .tile = place { fields[place] = nil } }
            for (place, change) in newValue { add(change.fields, to: .tile(place)) }
        }
    }
}

/// Changes of a tile, and of the sources that it compares.
struct TileChange {
    var fields = FieldChanges()
    var compared: [Int: FieldChanges] = [:]

    init(offset: Time? = nil, isMuted: Bool? = nil, volume: Int? = nil) {
        var changed = TileLayout.initial
        var keys: [String] = []
        if let offset { (changed.offset, keys) = (offset, keys + ["offset"]) }
        if let isMuted { (changed.isMuted, keys) = (isMuted, keys + ["mute"]) }
        if let volume { (changed.volume, keys) = (volume, keys + ["volume"]) }
        fields = FieldChanges(of: changed, keys)
    }

    var offset: Time? { fields["offset"]?.asTime }
    var isMuted: Bool? { fields["mute"]?.asFlag }
    var volume: Int? { fields["volume"]?.asInteger }
    var loop: Loop? { fields["loop"].map { $0 == .flag(true) ? .forever : .iterations($0.asInteger ?? 1) } }
    var comparedOffsets: [Int: Time] { compared.mapValues { $0["offset"]!.asTime! } }
}
