import Base
import Glibc

/// Tables for a plan of colours. Converts rows of samples. Belongs to one thread.
///
/// A pixel costs a matrix, three looks into tables for its light, a second matrix for the gamut, and three looks for its
/// code values. HLG, and formats whose signals belong to cones, need a further step (`middle`).
final class ColourTables {
    let plan: ColourPlan
    /// From stored samples to places in `light`.
    private let toPlaces: FloatMatrix
    private let addends: (Float, Float, Float)
    private let light: [Float]
    private let middle: Middle?
    private let output: Output

    /// Steps between the light of signals and the light of the display.
    private struct Middle {
        var fromCones: FloatMatrix?
        /// Factor for a luminance of the scene, for HLG's curve of the whole system.
        var system: (weights: (Float, Float, Float), factors: [Float])?
        var tones: [Float]
    }

    private enum Output {
        /// `toGamut`: from the source's primaries to BT.709's; nil if they are the same. `dims`: true if colours that
        /// are too bright for one primary keep their hue; false if they are clipped.
        case codes([UInt8], toGamut: FloatMatrix?, dims: Bool)
        case luminance([UInt16], weights: (Float, Float, Float))
    }

    init(_ plan: ColourPlan) {
        self.plan = plan
        let stored = plan.samples.stored(bits: plan.bits), last = Double(SignalIndex.last)
        toPlaces = FloatMatrix(stored.matrix, times: last)
        addends = (Float(stored.addends[0] * last), Float(stored.addends[1] * last), Float(stored.addends[2] * last))
        let mapping: ColourMapping, shown: Light
        switch plan.goal {
        case .colours:
            light = SignalIndex.table { $0 }
            middle = nil
            output = .codes(LightIndex.table { UInt8(($0 * 255).rounded()) }, toGamut: nil, dims: false)
            return
        case .mapped(let given):
            mapping = given
            let tones = ToneCurve(mapping)
            shown = mapping.isOfHDR ? Light { tones.mapped($0) } : Light { $0 / ColourMapping.whiteOfSDR }
            let transfer = mapping.isOfHDR ? .bt1886 : mapping.transfer
            let codes = LightIndex.table { UInt8((min(1, transfer.displaySignal($0)) * 255).rounded()) }
            let gamut = mapping.primaries.matrix(to: .bt709)
            output = .codes(
                codes, toGamut: gamut == .identity ? nil : FloatMatrix(gamut), dims: mapping.toneMapping.curve != .clip)
        case .luminance(let given):
            mapping = given
            shown = Light { $0 / PQ.nits }
            let weights = FloatMatrix(mapping.primaries.toXYZ).b
            output = .luminance(LightIndex.table { UInt16((PQ.signal($0) * 65535).rounded()) }, weights: weights)
        }
        let fromCones = plan.samples.fromCones.map { FloatMatrix($0) }
        switch mapping.transfer {
        case .hlg:
            light = SignalIndex.table(HLG.light)
            let weights = HLG.weights.map { Float($0) }, exponent = HLG.gamma(peak: mapping.peak) - 1
            middle = Middle(
                fromCones: fromCones,
                system: ((weights[0], weights[1], weights[2]), LightIndex.table { Float(pow($0, exponent)) }),
                tones: LightIndex.table { Float(shown.of($0 * mapping.peak)) })
        case .pq where fromCones != nil:
            light = SignalIndex.table(PQ.light)
            middle = Middle(fromCones: fromCones, tones: LightIndex.table { Float(shown.of($0 * PQ.nits)) })
        case .pq:
            light = SignalIndex.table { shown.of(PQ.light($0) * PQ.nits) }
            middle = nil
        default:
            light = SignalIndex.table { shown.of(mapping.transfer.displayLight($0) * ColourMapping.whiteOfSDR) }
            middle = nil
        }
    }

    /// A function of luminance in nits.
    private struct Light { let of: (Double) -> Double }

    /// Rows of the three planes, in the order of the matrix, and the row of BGRA or of 16-bit luminance that they become.
    struct Row<Sample: FixedWidthInteger & UnsignedInteger> {
        let samples: (UnsafePointer<Sample>, UnsafePointer<Sample>, UnsafePointer<Sample>)
        let target: UnsafeMutableRawPointer
    }

    /// Converts rows of `width` pixels. `row`: returns the row of a number.
    func convert<Sample>(_ rows: Range<Int>, width: Int, _ row: (Int) -> Row<Sample>) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * width) { lights in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * width) { places in
                let signals = Signals(places.baseAddress!, width), colours = Colours(lights.baseAddress!, width)
                for number in rows { convert(row(number), signals, colours) }
            }
        }
    }

    private func convert<Sample>(_ row: Row<Sample>, _ signals: Signals, _ colours: Colours) {
        find(row, signals)
        light.withUnsafeBufferPointer { look($0.baseAddress!, signals, colours) }
        if let middle { pass(colours, middle) }
        switch output {
        case .codes(let codes, let toGamut, let dims):
            if let toGamut, multiply(colours, toGamut), dims { fit(colours) }
            codes.withUnsafeBufferPointer {
                encode($0.baseAddress!, colours, row.target.assumingMemoryBound(to: UInt32.self))
            }
        case .luminance(let codes, let weights):
            codes.withUnsafeBufferPointer {
                weigh($0.baseAddress!, weights, colours, row.target.assumingMemoryBound(to: UInt16.self))
            }
        }
    }

    private func pass(_ colours: Colours, _ middle: Middle) {
        if let cones = middle.fromCones { _ = multiply(colours, cones) }
        if let system = middle.system {
            system.factors.withUnsafeBufferPointer { apply($0.baseAddress!, system.weights, colours) }
        }
        middle.tones.withUnsafeBufferPointer { table in
            map(table.baseAddress!, colours.red, colours.width)
            map(table.baseAddress!, colours.green, colours.width)
            map(table.baseAddress!, colours.blue, colours.width)
        }
    }

    private func look(_ table: UnsafePointer<Float>, _ signals: Signals, _ colours: Colours) {
        look(table, signals.red, colours.red, colours.width)
        look(table, signals.green, colours.green, colours.width)
        look(table, signals.blue, colours.blue, colours.width)
    }
}

// The steps. Each loop does one thing, so that the compiler vectorizes those that only compute.
extension ColourTables {
    private func find<Sample>(_ row: Row<Sample>, _ signals: Signals) {
        if toPlaces.hasOneLuma { findFromLuma(row, signals) } else { findFromAny(row, signals) }
    }

    /// Every signal has the same share of luma, red has nothing of U, and blue nothing of V.
    private func findFromLuma<Sample>(_ row: Row<Sample>, _ signals: Signals) {
        let (m, a) = (toPlaces, addends), (first, second, third) = row.samples
        for x in 0..<signals.width {
            let luma = m.a.0 * Self.number(first[x])
            let (u, v) = (Self.number(second[x]), Self.number(third[x]))
            signals.red[x] = Self.place(luma + (m.a.2 * v + a.0))
            signals.green[x] = Self.place(luma + (m.b.1 * u + m.b.2 * v + a.1))
            signals.blue[x] = Self.place(luma + (m.c.1 * u + a.2))
        }
    }

    private func findFromAny<Sample>(_ row: Row<Sample>, _ signals: Signals) {
        let (m, a) = (toPlaces, addends), (first, second, third) = row.samples
        for x in 0..<signals.width {
            let (p, q, r) = (Self.number(first[x]), Self.number(second[x]), Self.number(third[x]))
            signals.red[x] = Self.place(m.a.0 * p + m.a.1 * q + m.a.2 * r + a.0)
            signals.green[x] = Self.place(m.b.0 * p + m.b.1 * q + m.b.2 * r + a.1)
            signals.blue[x] = Self.place(m.c.0 * p + m.c.1 * q + m.c.2 * r + a.2)
        }
    }

    @inline(__always)
    private static func number<Sample: FixedWidthInteger>(_ sample: Sample) -> Float {
        Float(Int32(truncatingIfNeeded: sample))
    }

    /// Returns the place of a signal that is given in places. Adding 2 to the power of 23 leaves the rounded number in
    /// the lowest bits.
    @inline(__always)
    private static func place(_ signal: Float) -> Int32 {
        let last = SignalIndex.last
        let place = (signal < 0 ? 0 : signal > last ? last : signal) + 8_388_608
        return Int32(bitPattern: place.bitPattern & 0xFFFF)
    }

    private func look(
        _ table: UnsafePointer<Float>, _ places: UnsafePointer<Int32>, _ lights: UnsafeMutablePointer<Float>,
        _ width: Int
    ) {
        for x in 0..<width { lights[x] = table[Int(places[x])] }
    }

    private func map(_ table: UnsafePointer<Float>, _ lights: UnsafeMutablePointer<Float>, _ width: Int) {
        for x in 0..<width { lights[x] = table[LightIndex.place(of: lights[x])] }
    }

    /// Multiplies colours by a factor for their luminance.
    private func apply(_ factors: UnsafePointer<Float>, _ weights: (Float, Float, Float), _ colours: Colours) {
        let (red, green, blue) = (colours.red, colours.green, colours.blue)
        for x in 0..<colours.width {
            let luminance = weights.0 * red[x] + weights.1 * green[x] + weights.2 * blue[x]
            let factor = factors[LightIndex.place(of: luminance)]
            red[x] *= factor
            green[x] *= factor
            blue[x] *= factor
        }
    }

    /// Returns true if any light is above 1, by more than rounding.
    private func multiply(_ colours: Colours, _ m: FloatMatrix) -> Bool {
        let (red, green, blue) = (colours.red, colours.green, colours.blue)
        // Bits of numbers above 0 compare like the numbers.
        var most: Int32 = 0
        for x in 0..<colours.width {
            let (p, q, r) = (red[x], green[x], blue[x])
            let a = m.a.0 * p + m.a.1 * q + m.a.2 * r
            let b = m.b.0 * p + m.b.1 * q + m.b.2 * r
            let c = m.c.0 * p + m.c.1 * q + m.c.2 * r
            (red[x], green[x], blue[x]) = (a, b, c)
            let (i, j, k) = (
                Int32(bitPattern: a.bitPattern), Int32(bitPattern: b.bitPattern), Int32(bitPattern: c.bitPattern)
            )
            let larger = i > j ? i : j
            let largest = larger > k ? larger : k
            most = largest > most ? largest : most
        }
        return most > Int32(bitPattern: Float(1.001).bitPattern)
    }

    /// Dims colours that are brighter than the display in one of its primaries, so that their hue stays. A colour that
    /// BT.709 can't show has a negative light, which counts as none.
    private func fit(_ colours: Colours) {
        let (red, green, blue) = (colours.red, colours.green, colours.blue)
        for x in 0..<colours.width {
            let larger = red[x] > green[x] ? red[x] : green[x]
            let most = larger > blue[x] ? larger : blue[x]
            let factor = most > 1 ? 1 / most : 1
            red[x] *= factor
            green[x] *= factor
            blue[x] *= factor
        }
    }

    private func encode(_ codes: UnsafePointer<UInt8>, _ colours: Colours, _ target: UnsafeMutablePointer<UInt32>) {
        let (red, green, blue) = (colours.red, colours.green, colours.blue)
        for x in 0..<colours.width {
            let high = UInt32(codes[LightIndex.place(of: red[x])]) &<< 16
            let middle = UInt32(codes[LightIndex.place(of: green[x])]) &<< 8
            target[x] = 0xFF00_0000 | high | middle | UInt32(codes[LightIndex.place(of: blue[x])])
        }
    }

    private func weigh(
        _ codes: UnsafePointer<UInt16>, _ weights: (Float, Float, Float), _ colours: Colours,
        _ target: UnsafeMutablePointer<UInt16>
    ) {
        let (red, green, blue) = (colours.red, colours.green, colours.blue)
        for x in 0..<colours.width {
            let luminance = weights.0 * red[x] + weights.1 * green[x] + weights.2 * blue[x]
            target[x] = codes[LightIndex.place(of: luminance)]
        }
    }
}

/// Places in a table of signals, for a row of pixels.
private struct Signals {
    let red: UnsafeMutablePointer<Int32>
    let green: UnsafeMutablePointer<Int32>
    let blue: UnsafeMutablePointer<Int32>
    let width: Int

    init(_ base: UnsafeMutablePointer<Int32>, _ width: Int) {
        (red, green, blue, self.width) = (base, base + width, base + 2 * width, width)
    }
}

/// Lights of a row of pixels.
private struct Colours {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>
    let width: Int

    init(_ base: UnsafeMutablePointer<Float>, _ width: Int) {
        (red, green, blue, self.width) = (base, base + width, base + 2 * width, width)
    }
}

private struct FloatMatrix {
    let a: (Float, Float, Float)
    let b: (Float, Float, Float)
    let c: (Float, Float, Float)

    init(_ matrix: Matrix3, times factor: Double = 1) {
        func row(_ index: Int) -> (Float, Float, Float) {
            let row = matrix.rows[index].map { Float($0 * factor) }
            return (row[0], row[1], row[2])
        }
        (a, b, c) = (row(0), row(1), row(2))
    }

    /// True for Y, U and V of which red has no U, and blue no V.
    var hasOneLuma: Bool { a.0 == b.0 && b.0 == c.0 && a.1 == 0 && c.2 == 0 }
}

/// Maps luminance in nits to the light of the display, of which 1 is white. The curve `clip` leaves light above 1 to the
/// gamut's conversion: red, green and blue are clipped after it.
private struct ToneCurve {
    private let curve: BT2390?
    private let target: Double

    init(_ mapping: ColourMapping) {
        target = Double(mapping.toneMapping.targetNits)
        curve = mapping.toneMapping.curve == .clip ? nil : BT2390(peak: mapping.peak, target: target)
    }

    func mapped(_ nits: Double) -> Double {
        guard let curve else { return nits / target }
        return min(1, PQ.light(curve.mapped(PQ.signal(nits: nits))) * PQ.nits / target)
    }
}
