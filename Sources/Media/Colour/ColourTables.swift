import Base
import CColours
import Glibc

/// Tables for a plan of colours. Converts rows of samples. Belongs to one thread.
///
/// A pixel costs a matrix, three looks into tables for its light, a second matrix for the gamut, and three looks for its
/// code values. HLG, and formats whose signals belong to cones, need a further step (`middle`).
final class ColourTables {
    let plan: ColourPlan
    /// From stored samples to places in `light`.
    private let toPlaces: qd_matrix
    private let hasOneLuma: Bool
    let steps: qd_colour_steps
    private let light: [Float]
    private let middle: Middle?
    private let output: Output

    /// Steps between the light of signals and the light of the display.
    private struct Middle {
        var fromCones: qd_matrix?
        /// Factor for a luminance of the scene, for HLG's curve of the whole system.
        var system: (weights: [Float], factors: [Float])?
        var tones: [Float]
    }

    private enum Output {
        /// `toGamut`: from the source's primaries to BT.709's; nil if they are the same. `dims`: true if colours that
        /// are too bright for one primary keep their hue; false if they are clipped.
        case codes([UInt8], toGamut: qd_matrix?, dims: Bool)
        case luminance([UInt16], weights: [Float])
    }

    /// `steps`: those of the fastest instruction set of this processor, unless a test says otherwise.
    init(_ plan: ColourPlan, steps: qd_colour_steps = qd_colour_steps().pointee) {
        (self.plan, self.steps) = (plan, steps)
        let stored = plan.samples.stored(bits: plan.bits)
        toPlaces = qd_matrix(stored.matrix, times: Double(QD_LAST_SIGNAL), adding: stored.addends)
        hasOneLuma = toPlaces.hasOneLuma
        let mapping: ColourMapping
        // Light of the display for a luminance in nits.
        let shown: (Double) -> Double
        switch plan.goal {
        case .colours:
            light = signalTable { $0 }
            middle = nil
            output = .codes(lightTable { UInt8(($0 * 255).rounded()) }, toGamut: nil, dims: false)
            return
        case .mapped(let given):
            mapping = given
            shown = mapping.isOfHDR ? toneCurve(mapping) : { $0 / ColourMapping.whiteOfSDR }
            let transfer = mapping.isOfHDR ? .bt1886 : mapping.transfer
            let codes = lightTable { UInt8((min(1, transfer.displaySignal($0)) * 255).rounded()) }
            let gamut = mapping.primaries.matrix(to: .bt709)
            output = .codes(
                codes, toGamut: gamut == .identity ? nil : qd_matrix(gamut), dims: mapping.toneMapping.curve != .clip)
        case .luminance(let given):
            mapping = given
            shown = { $0 / PQ.nits }
            let weights = mapping.primaries.toXYZ.rows[1].map { Float($0) }
            output = .luminance(lightTable { UInt16((PQ.signal($0) * 65535).rounded()) }, weights: weights)
        }
        let fromCones = plan.samples.fromCones.map { qd_matrix($0) }
        switch mapping.transfer {
        case .hlg:
            light = signalTable(HLG.light)
            let weights = HLG.weights.map { Float($0) }, exponent = HLG.gamma(peak: mapping.displayPeak) - 1
            middle = Middle(
                fromCones: fromCones,
                system: (weights, lightTable { Float(pow($0, exponent)) }),
                tones: lightTable { Float(shown($0 * mapping.displayPeak)) })
        case .pq where fromCones != nil:
            light = signalTable(PQ.light)
            middle = Middle(fromCones: fromCones, tones: lightTable { Float(shown($0 * PQ.nits)) })
        case .pq:
            light = signalTable { shown(PQ.light($0) * PQ.nits) }
            middle = nil
        default:
            light = signalTable { shown(mapping.transfer.displayLight($0) * ColourMapping.whiteOfSDR) }
            middle = nil
        }
    }

    /// Rows of the three planes, in the order of the matrix, and the row of BGRA or of 16-bit luminance that they become.
    struct Row<Sample: FixedWidthInteger & UnsignedInteger> {
        let samples: (UnsafePointer<Sample>, UnsafePointer<Sample>, UnsafePointer<Sample>)
        let target: UnsafeMutableRawPointer
    }

    typealias Find<Sample> = (
        UnsafePointer<Sample>?, UnsafePointer<Sample>?, UnsafePointer<Sample>?, UnsafePointer<qd_matrix>?, Bool,
        qd_places
    ) -> Void

    /// Converts rows of `width` pixels. `find`: the step for samples of their size. `row`: returns the row of a number.
    func convert<Sample>(_ rows: Range<Int>, width: Int, _ find: Find<Sample>, _ row: (Int) -> Row<Sample>) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * width) { lights in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * width) { places in
                let signals = qd_places(places.baseAddress!, width), colours = qd_lights(lights.baseAddress!, width)
                for number in rows {
                    let row = row(number)
                    withUnsafePointer(to: toPlaces) {
                        find(row.samples.0, row.samples.1, row.samples.2, $0, hasOneLuma, signals)
                    }
                    steps.look(light, signals, colours)
                    finish(colours, row.target)
                }
            }
        }
    }

    private func finish(_ colours: qd_lights, _ target: UnsafeMutableRawPointer) {
        if let middle {
            if let cones = middle.fromCones { _ = multiply(colours, cones) }
            if let system = middle.system { steps.apply(system.factors, system.weights, colours) }
            steps.map(middle.tones, colours)
        }
        switch output {
        case .codes(let codes, let toGamut, let dims):
            if let toGamut, multiply(colours, toGamut), dims { steps.fit(colours) }
            steps.encode(codes, colours, target.assumingMemoryBound(to: UInt32.self))
        case .luminance(let codes, let weights):
            steps.weigh(codes, weights, colours, target.assumingMemoryBound(to: UInt16.self))
        }
    }

    private func multiply(_ colours: qd_lights, _ matrix: qd_matrix) -> Bool {
        withUnsafePointer(to: matrix) { steps.multiply($0, colours) }
    }
}

extension qd_places {
    fileprivate init(_ base: UnsafeMutablePointer<Int32>, _ width: Int) {
        self.init(red: base, green: base + width, blue: base + 2 * width, width: Int32(width))
    }
}

extension qd_lights {
    fileprivate init(_ base: UnsafeMutablePointer<Float>, _ width: Int) {
        self.init(red: base, green: base + width, blue: base + 2 * width, width: Int32(width))
    }
}

extension qd_matrix {
    fileprivate init(_ matrix: Matrix3, times factor: Double = 1, adding addends: [Double] = [0, 0, 0]) {
        let (a, b, c) = (matrix.rows[0], matrix.rows[1], matrix.rows[2])
        func number(_ value: Double) -> Float { Float(value * factor) }
        self.init(
            rows: (
                number(a[0]), number(a[1]), number(a[2]), number(b[0]), number(b[1]), number(b[2]), number(c[0]),
                number(c[1]), number(c[2])
            ),
            addends: (number(addends[0]), number(addends[1]), number(addends[2])))
    }

    /// True for Y, U and V of which red has no U, and blue no V.
    fileprivate var hasOneLuma: Bool {
        rows.0 == rows.3 && rows.3 == rows.6 && rows.1 == 0 && rows.8 == 0
    }
}

/// Returns the map from luminance in nits to the light of the display, of which 1 is white. The curve `clip` leaves
/// light above 1 to the gamut's conversion: red, green and blue are clipped after it.
private func toneCurve(_ mapping: ColourMapping) -> (Double) -> Double {
    let target = Double(mapping.toneMapping.targetNits)
    if mapping.toneMapping.curve == .clip { return { $0 / target } }
    let curve = BT2390(peak: mapping.peak, target: target)
    return { min(1, PQ.light(curve.mapped(PQ.signal(nits: $0))) * PQ.nits / target) }
}

/// Returns a table of a function of light. The index is the upper half of the light's bits. Each octave has 128 places,
/// so that dark lights are as exact as bright ones, and no light needs a comparison. Light above 1 counts as 1, and light
/// below 0 as none.
private func lightTable<Value>(_ value: (Double) -> Value) -> [Value] {
    let darkest: Float = 0x1p-26, none = value(0), most = value(1)
    return (0..<UInt32(1 << 16)).map { place in
        // The middle of the place.
        let light = Float(bitPattern: place << 16 | 0x8000)
        return light > 1 ? most : light > darkest ? value(Double(light)) : none
    }
}

/// Returns a table of a function of signals from 0 to 1.
private func signalTable(_ value: (Double) -> Double) -> [Float] {
    (0...QD_LAST_SIGNAL).map { Float(value(Double($0) / Double(QD_LAST_SIGNAL))) }
}
