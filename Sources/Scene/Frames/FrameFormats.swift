/// Frame formats that a canvas accepts. Every canvas accepts opaque and translucent BGRA.
public enum FrameFormats: Sendable, Hashable {
    /// Every format that a scaler makes.
    case all
    /// The formats of SDL's YUV textures: 4:2:0 in BT.601 limited, BT.601 full and BT.709 limited.
    case textures
    /// No YUV.
    case bgra

    public func takes(_ format: Frame.Format) -> Bool {
        switch (self, format) {
        case (.all, _), (_, .bgra): true
        case (.textures, .i420(let colorimetry)):
            colorimetry.matrix == .bt601 || colorimetry == Colorimetry(.bt709, .limited)
        case (.textures, .i444), (.bgra, _): false
        }
    }
}
