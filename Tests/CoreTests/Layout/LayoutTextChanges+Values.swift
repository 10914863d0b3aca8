@testable import Base
@testable import Layout

// Changes of a layout's text, by the properties of the model.
extension LayoutTextChanges {
    var volume: Int? {
        get { audio["volume"].flatMap { Int(text($0)) } }
        set {
            var changed = AudioLayout()
            changed.volume = newValue!
            audio = audio.merging(FieldChanges(of: changed, ["volume"]))
        }
    }
    var audioMode: AudioMode? {
        audio["mode"].flatMap { AudioMode(rawValue: text($0).replacing("\"", with: "")) }
    }
}

extension LayoutTextChanges.TileChange {
    init(offset: Time? = nil, isMuted: Bool? = nil, volume: Int? = nil) {
        var changed = TileLayout.initial
        var keys: [String] = []
        if let offset { (changed.offset, keys) = (offset, keys + ["offset"]) }
        if let isMuted { (changed.isMuted, keys) = (isMuted, keys + ["mute"]) }
        if let volume { (changed.volume, keys) = (volume, keys + ["volume"]) }
        self.init(fields: FieldChanges(of: changed, keys))
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
