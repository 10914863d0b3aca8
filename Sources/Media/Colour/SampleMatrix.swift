import Base

/// Converts the samples of a frame to three signals from 0 to 1: to red, green and blue, or to the responses of cones.
struct SampleMatrix: Hashable {
    /// For samples of which black is 0, white is 1, and chroma runs from -0.5 to 0.5.
    let toSignals: Matrix3
    /// Matrix from the linear light of cones to that of red, green and blue; nil if the signals are colours.
    let fromCones: Matrix3?
    private let range: SourceColorimetry.Range
    private let isRGB: Bool
    /// True for chroma that is made of quantized red, green and blue, and has their steps.
    private let hasStepsOfRGB: Bool

    /// nil for a matrix that is unknown.
    init?(_ colorimetry: SourceColorimetry) {
        range = colorimetry.range
        isRGB = colorimetry.matrix == .rgb
        hasStepsOfRGB = [.rgb, .other("ycgco")].contains(colorimetry.matrix)
        switch colorimetry.matrix {
        case .rgb: (toSignals, fromCones) = (.identity, nil)
        case .other("ictcp"):
            toSignals = colorimetry.transfer == .hlg ? Cones.fromICtCpOfHLG : Cones.fromICtCp
            fromCones = Cones.toBT2020
        case .other(SourceColorimetry.Matrix.dolbyVision):
            (toSignals, fromCones) = (Cones.fromDolbyVision, Cones.dolbyVisionToBT2020)
        case .other("ycgco"):
            (toSignals, fromCones) = (Matrix3(rows: [[1, -1, 1], [1, 1, 0], [1, -1, -1]]), nil)
        default:
            guard let weights = colorimetry.matrix.weights(colorimetry.primaries) else { return nil }
            (toSignals, fromCones) = (Self.colours(red: weights.red, blue: weights.blue), nil)
        }
    }

    private static func colours(red: Double, blue: Double) -> Matrix3 {
        let green = 1 - red - blue
        return Matrix3(rows: [
            [1, 0, 2 * (1 - red)], [1, -2 * blue * (1 - blue) / green, -2 * red * (1 - red) / green],
            [1, 2 * (1 - blue), 0],
        ])
    }

    /// Returns the factors and the addends that turn stored samples of so many bits into signals.
    func stored(bits: Int) -> (matrix: Matrix3, addends: [Double]) {
        let step = Double(1 << (bits - 8)), most = Double(1 << bits - 1)
        var (black, white, chroma) = (0.0, most, most)
        if range == .limited { (black, white, chroma) = (16 * step, 219 * step, 224 * step) }
        if hasStepsOfRGB { chroma = white }
        let middle = isRGB ? black : 128 * step
        let matrix = toSignals.scalingColumns(by: [1 / white, 1 / chroma, 1 / chroma])
        return (matrix, (matrix * [black, middle, middle]).map { -$0 })
    }
}

extension SourceColorimetry.Matrix {
    /// Weights of red and blue in the luma; nil for a matrix that has none, or that is unknown.
    fileprivate func weights(_ primaries: SourceColorimetry.Primaries) -> (red: Double, blue: Double)? {
        switch self {
        case .bt601: return (0.299, 0.114)
        case .bt709: return (0.2126, 0.0722)
        // With constant luminance, colours come out nearly right.
        case .bt2020, .other("bt2020c"): return (0.2627, 0.0593)
        case .other("fcc"): return (0.30, 0.11)
        case .other("smpte240m"): return (0.212, 0.087)
        case .other("chroma-derived-nc"):
            return primaries.chromaticities.map { ($0.toXYZ.rows[1][0], $0.toXYZ.rows[1][2]) }
        case .rgb, .other: return nil
        }
    }
}

/// Matrices of the formats whose signals are the responses of cones.
private enum Cones {
    /// BT.2100, table 7: from the signals of cones to intensity and two differences.
    static let fromICtCp = in4096ths([[2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]).inverse
    static let fromICtCpOfHLG = in4096ths([[2048, 2048, 0], [3625, -7465, 3840], [9500, -9212, -288]]).inverse
    static let toBT2020 = in4096ths([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]).inverse

    /// The standard states its matrices in 4096ths. Debian's compilers take too long for rows of quotients.
    private static func in4096ths(_ rows: [[Double]]) -> Matrix3 {
        Matrix3(rows: rows.map { $0.map { $0 / 4096 } })
    }

    /// Ebner and Fairchild's IPT, and the cones of Dolby Vision's profile 5.
    static let fromDolbyVision = Matrix3(rows: [
        [0.4, 0.4, 0.2], [4.455, -4.851, 0.396], [0.8056, 0.3572, -1.1628],
    ]).inverse
    static let dolbyVisionToBT2020 = Matrix3(rows: [
        [3.06441879, -2.16597676, 0.10155818], [-0.65612108, 1.78554118, -0.12943749],
        [0.01736321, -0.04725154, 1.03004253],
    ])
}

/// Everything that decides what samples become.
struct ColourPlan: Hashable {
    let samples: SampleMatrix
    /// Bits of a stored sample.
    let bits: Int
    let goal: Goal

    enum Goal: Hashable {
        /// Colours of the display, with the curve of the source.
        case colours
        /// Colours of the display, of HDR or of another gamut.
        case mapped(ColourMapping)
        /// Luminance in PQ, of the source or of an SDR display.
        case luminance(ColourMapping)
    }

    /// Throws for a matrix that is unknown.
    init(_ colorimetry: SourceColorimetry, bits: Int, to goal: Goal) throws(SourceTrouble) {
        guard let samples = SampleMatrix(colorimetry) else {
            throw SourceTrouble(.unsupported, "the colour matrix \(colorimetry.matrix.words) can't be converted")
        }
        (self.samples, self.bits, self.goal) = (samples, bits, goal)
    }
}

extension ColourPlan.Goal {
    /// Goal for the display. nil if libyuv or swscale shows these colours as they are meant.
    init?(_ colorimetry: SourceColorimetry, _ toneMapping: ToneMapping) {
        if let mapping = ColourMapping(colorimetry, toneMapping) {
            self = .mapped(mapping)
        } else if !colorimetry.matrix.isCommon || colorimetry.matrix == .rgb && colorimetry.range == .limited {
            self = .colours
        } else {
            return nil
        }
    }
}
