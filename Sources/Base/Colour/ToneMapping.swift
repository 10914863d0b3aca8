/// The way in which frames of HDR and of a wide gamut are shown on a display of SDR.
public struct ToneMapping: Hashable, Sendable {
    public var curve = Curve.bt2390
    /// Luminance of the display's white, in nits.
    public var targetNits = 203

    public enum Curve: String, CaseIterable, Sendable {
        /// The curve of BT.2390 compresses what is brighter than the display.
        case bt2390
        /// Light above the display's white is shown as white.
        case clip
        /// Code values are shown as if they were SDR.
        case off
    }

    public static let nits = 10...10_000

    public init() {}
}

/// Tone mapping as a layout, a tile or an item states it. nil for what it does not state.
public struct StatedToneMapping: Hashable, Sendable {
    public var curve: ToneMapping.Curve?
    public var targetNits: Int?

    public init() {}

    /// Returns what both state. Where both state a value, this one's is taken.
    public func over(_ outer: StatedToneMapping) -> StatedToneMapping {
        var both = self
        both.curve = curve ?? outer.curve
        both.targetNits = targetNits ?? outer.targetNits
        return both
    }

    /// The tone mapping, with the usual values where nothing is stated.
    public var resolved: ToneMapping {
        var result = ToneMapping()
        if let curve { result.curve = curve }
        if let targetNits { result.targetNits = targetNits }
        return result
    }
}

/// Light levels that a source states, in nits. nil for those that it does not state.
public struct LightLevels: Hashable, Sendable {
    /// Peak and black of the display on which the content was mastered.
    public var masteringPeak: Double?
    public var masteringBlack: Double?
    /// Primaries and white of that display.
    public var masteringPrimaries: Chromaticities?
    /// The brightest pixel of the content, and the highest average of a frame.
    public var maxCLL: Int?
    public var maxFALL: Int?

    public init() {}

    /// For people: `mastered at 0.0050 to 1000 nits, MaxCLL 800, MaxFALL 200`. nil if nothing is stated.
    public var words: String? {
        let black = masteringBlack.map { "\(fixed($0, 4)) to " } ?? ""
        let mastered = masteringPeak.map { "mastered at \(black)\(Int($0.rounded())) nits" }
        let content = [maxCLL.map { "MaxCLL \($0)" }, maxFALL.map { "MaxFALL \($0)" }]
        let parts = ([mastered] + content).compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Peak of the content: its brightest pixel, else the display's peak.
    public var peak: Double? { maxCLL.map(Double.init) ?? masteringPeak }
}
