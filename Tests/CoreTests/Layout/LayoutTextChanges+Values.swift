@testable import Base
@testable import Layout

// Changes of a layout's text, by the properties of the model.
extension LayoutTextChanges {
    var volume: Int? {
        get { fields[.audio]?["volume"].flatMap { Int(text($0)) } }
        set {
            var changed = AudioLayout()
            changed.volume = newValue!
            add(FieldChanges(of: changed, ["volume"]), to: .audio)
        }
    }
    var audioMode: AudioMode? {
        fields[.audio]?["mode"].flatMap { AudioMode(rawValue: text($0).replacing("\"", with: "")) }
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

    var offset: Time? { fields["offset"].map(time) }
    var isMuted: Bool? { fields["mute"].map { text($0) == "true" } }
    var volume: Int? { fields["volume"].flatMap { Int(text($0)) } }
    var loop: Loop? { fields["loop"].map { text($0) == "true" ? .forever : .iterations(Int(text($0)) ?? 1) } }
    var comparedOffsets: [Int: Time] { compared.mapValues { time($0["offset"]!) } }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// The number of seconds as a layout is read.
private func time(_ bytes: [UInt8]) -> Time { Time(seconds: Double(text(bytes))!) }
