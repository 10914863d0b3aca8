/// Conversion of colours for an SDR display with the primaries of BT.709.
///
/// HDR is tone-mapped and encoded for a display of gamma 2.4. SDR of a wide gamut keeps its own transfer curve, so that
/// greys stay as they are.
public struct ColourMapping: Hashable, Sendable {
    public let transfer: SourceColorimetry.Transfer
    public let primaries: Chromaticities
    /// Luminance of the source's brightest pixel in nits, for HDR.
    public let peak: Double
    /// Peak in nits of the display for which the source was made, for HDR. HLG's curve of the whole system depends on
    /// it.
    public let displayPeak: Double
    public let toneMapping: ToneMapping

    /// Peak of HDR that states none.
    public static let usualPeak = 1000.0
    /// White of an SDR display by BT.2408, in nits.
    public static let whiteOfSDR = 203.0

    /// nil if the colours can be shown as they are, or if `toneMapping` is off.
    public init?(_ colorimetry: SourceColorimetry, _ toneMapping: ToneMapping) {
        guard colorimetry.isHDR || colorimetry.isWide, toneMapping.curve != .off else { return nil }
        self.init(of: colorimetry, toneMapping)
    }

    /// Conversion of colours that could also be shown as they are, for a comparison with others. nil if their primaries
    /// are unknown.
    public init?(of colorimetry: SourceColorimetry, _ toneMapping: ToneMapping) {
        guard let primaries = colorimetry.primaries.chromaticities else { return nil }
        (transfer, self.primaries) = (colorimetry.transfer, primaries)
        displayPeak = colorimetry.isHDR ? Self.limited(colorimetry.light.masteringPeak ?? Self.usualPeak) : 0
        peak = colorimetry.isHDR ? Self.limited(colorimetry.light.peak ?? Self.usualPeak) : 0
        self.toneMapping = colorimetry.isHDR ? toneMapping : ToneMapping()
    }

    private static func limited(_ nits: Double) -> Double { max(1, min(10_000, nits)) }

    public var isOfHDR: Bool { transfer == .pq || transfer == .hlg }
}

extension SourceColorimetry {
    /// True if the primaries lie outside of BT.709's.
    public var isWide: Bool { primaries.family != .bt709 }

    /// Lines that state how the colours are shown: what is converted, and what is shown wrongly. Each is short enough
    /// for a tile.
    public func remarks(_ toneMapping: ToneMapping) -> [String] {
        var lines = [light.words].compactMap { $0 }
        if let profile = dolbyVision?.profile {
            lines.append("Dolby Vision profile \(profile): shown without its metadata")
        }
        if matrix == .other("bt2020c") { lines.append("constant luminance: shown as if it were not constant") }
        if let mapping = ColourMapping(self, toneMapping) {
            if isHDR {
                let peak = "\(Int(mapping.peak.rounded())) nits\(light.peak == nil ? " (assumed)" : "")"
                let curve = toneMapping.curve == .clip ? "clipped" : "tone-mapped by BT.2390"
                let isBeyond = mapping.peak > Double(toneMapping.targetNits)
                lines.append(
                    isBeyond
                        ? "\(curve): \(peak) to \(toneMapping.targetNits)"
                        : "not compressed: \(peak), white has \(toneMapping.targetNits)")
            }
            if isWide { lines.append("\(primaries.words) mapped to BT.709") }
            return lines
        }
        guard isHDR || isWide else {
            if case .other = transfer { lines.append("\(transfer.words): shown as code values") }
            return lines
        }
        let names = isHDR ? "\(transfer.words), \(primaries.words)" : primaries.words
        lines.append("\(names): shown without \(isHDR ? "tone mapping" : "gamut mapping")")
        return lines
    }
}

/// Selects the frames that keep the decoded frame they were scaled from, with its original samples.
///
/// All frames keep it while figures are on. Those that are shown with less than they have also keep it while they are
/// compared (`DeepColours`).
public enum FrameKeeping: Sendable, Hashable {
    case none
    /// Frames with more than 8 bits a sample, and those of HDR or of a wide gamut: scaled frames have 8 bits, and colours
    /// for the display.
    case reduced
    case all

    /// Returns true if a frame with samples of so many bits is among them.
    public func includes(bits: Int, _ colorimetry: SourceColorimetry?) -> Bool {
        switch self {
        case .none: false
        case .reduced: bits > 8 || colorimetry.map { $0.isHDR || $0.isWide } ?? false
        case .all: true
        }
    }
}
