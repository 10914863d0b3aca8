import Base

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
