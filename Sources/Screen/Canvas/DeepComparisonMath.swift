import Base
import Media

/// Compares rows of 16-bit colours, as `ComparisonMath` does for 8 bits. Differences too small for 8 bits become
/// visible if the gain is large enough.
struct DeepComparisonMath {
    private let mode: ComparisonMode
    /// Gain, times the factor from 16 bits to 8.
    private let scale: Float
    /// Colour for each value of the scaled largest difference.
    private let heat: [UInt32]

    init(mode: ComparisonMode, gain: Double) {
        self.mode = mode
        scale = Float(gain / 256)
        heat = mode == .heat ? (0...255).map { heatPixel(Double($0) / 255) } : []
    }

    /// `frames`: the first is the reference.
    func combine(_ frames: [DeepColours.Planes], into raster: Raster) {
        for y in 0..<raster.size.height {
            let row = raster.at(0, y), width = raster.size.width, colours = Self.rows(y, of: frames)
            for (place, rows) in colours.enumerated() {
                switch mode {
                case .difference: differences(rows, width, row + place)
                case .signed: signs(rows, width, row + place)
                case .overlay: means(rows, width, row + place)
                // Wipe and blink show frames as they are.
                case .wipe, .blink, .heat: break
                }
            }
            for x in 0..<width { row[4 * x + 3] = 255 }
            if mode == .heat { sizes(colours, width, row) }
        }
    }

    private typealias Row = UnsafePointer<UInt16>

    /// Returns the frames' rows in each colour: blue, green and red.
    private static func rows(_ y: Int, of frames: [DeepColours.Planes]) -> [[Row]] {
        [\DeepColours.Planes.blue, \.green, \.red].map { colour in
            frames.map { $0[keyPath: colour] + y * $0.stride }
        }
    }

    /// Returns the gain that suits these frames.
    static func automaticGain(of frames: [DeepColours.Planes], _ size: Size) -> Double {
        var automatic = AutomaticGain()
        for y in stride(from: 0, to: size.height, by: AutomaticGain.step(ofHeight: size.height)) {
            let colours = rows(y, of: frames)
            for x in 0..<size.width { automatic.add(colours.reduce(0) { max($0, apart($1, x)) }) }
        }
        return automatic.gain
    }

    /// Returns the largest difference from the reference.
    private static func apart(_ rows: [Row], _ x: Int) -> UInt16 {
        var most: UInt16 = 0
        for place in 1..<rows.count {
            most = max(most, max(rows[0][x], rows[place][x]) - min(rows[0][x], rows[place][x]))
        }
        return most
    }

    private func differences(_ rows: [Row], _ width: Int, _ result: UnsafeMutablePointer<UInt8>) {
        for x in 0..<width { result[4 * x] = UInt8(min(255, Float(Self.apart(rows, x)) * scale + 0.5)) }
    }

    private func signs(_ rows: [Row], _ width: Int, _ result: UnsafeMutablePointer<UInt8>) {
        for x in 0..<width {
            let first = Int32(rows[0][x])
            var apart: Int32 = 0
            for place in 1..<rows.count {
                let one = first - Int32(rows[place][x])
                if one.magnitude > apart.magnitude { apart = one }
            }
            result[4 * x] = UInt8(max(0, min(255, 128 + Float(apart) / 2 * scale + 0.5)))
        }
    }

    private func means(_ rows: [Row], _ width: Int, _ result: UnsafeMutablePointer<UInt8>) {
        let count = UInt32(rows.count) * 256
        for x in 0..<width {
            var sum = count / 2
            for row in rows { sum += UInt32(row[x]) }
            result[4 * x] = UInt8(min(255, sum / count))
        }
    }

    private func sizes(_ colours: [[Row]], _ width: Int, _ result: UnsafeMutablePointer<UInt8>) {
        for x in 0..<width {
            let most = colours.reduce(0) { max($0, Self.apart($1, x)) }
            let pixel = heat[Int(min(255, Float(most) * scale + 0.5))]
            UnsafeMutableRawPointer(result).storeBytes(of: pixel, toByteOffset: 4 * x, as: UInt32.self)
        }
    }
}
