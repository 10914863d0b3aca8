import Base

/// Compares rows of opaque pixels: B, G, R and A, a byte each.
struct ComparisonMath {
    typealias Row = UnsafePointer<UInt8>
    private let mode: ComparisonMode
    /// Gain, in 1/256.
    private let gain: UInt16
    /// Largest difference that is scaled. Larger ones are white.
    private let most: UInt8
    /// Colour for each value of the largest difference among the three colours.
    private let heat: [UInt32]

    init(mode: ComparisonMode, gain: Double) {
        self.mode = mode
        self.gain = UInt16((gain * 256).rounded())
        most = UInt8(min(255, (255 / gain).rounded(.down)))
        heat = mode == .heat ? (0...255).map { heatPixel(min(1, Double($0) * gain / 255)) } : []
    }

    /// `rows`: rows of equal length, the reference first. `pixels`: number of pixels in each.
    func combine(_ rows: [Row], into result: UnsafeMutablePointer<UInt8>, pixels: Int) {
        switch mode {
        case .difference: differences(rows, result, pixels * 4)
        case .signed: signs(rows, result, pixels * 4)
        case .heat: sizes(rows, result, pixels)
        case .overlay: means(rows, result, pixels * 4)
        // These modes show frames as they are.
        case .wipe, .blink: break
        }
    }

    // Loops over bytes, one operation after the other, so that the compiler vectorizes them.

    private func differences(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ bytes: Int) {
        for (place, other) in rows.dropFirst().enumerated() {
            if place == 0 {
                for byte in 0..<bytes { result[byte] = difference(rows[0][byte], other[byte]) }
            } else {
                for byte in 0..<bytes {
                    let one = difference(rows[0][byte], other[byte]), before = result[byte]
                    result[byte] = one > before ? one : before
                }
            }
        }
        makeOpaque(result, bytes)
    }

    private func difference(_ a: UInt8, _ b: UInt8) -> UInt8 {
        let apart = a > b ? a &- b : b &- a
        let scaled = (UInt16(apart < most ? apart : most) &* gain &+ 128) &>> 8
        return apart > most ? 255 : UInt8(truncatingIfNeeded: scaled)
    }

    private func makeOpaque(_ result: UnsafeMutablePointer<UInt8>, _ bytes: Int) {
        result.withMemoryRebound(to: UInt32.self, capacity: bytes / 4) { pixels in
            for pixel in 0..<bytes / 4 { pixels[pixel] |= 0xFF00_0000 }
        }
    }

    /// With more than two frames, shows the one that differs most from the first.
    private func signs(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ bytes: Int) {
        let gain = Int32(gain)
        if rows.count == 2 {
            let (first, second) = (rows[0], rows[1])
            for byte in 0..<bytes { result[byte] = signed(Int32(first[byte]) &- Int32(second[byte]), gain) }
        } else {
            for byte in 0..<bytes {
                let first = Int32(rows[0][byte])
                var apart = first - Int32(rows[1][byte])
                for other in rows.dropFirst(2) where abs(first - Int32(other[byte])) > abs(apart) {
                    apart = first - Int32(other[byte])
                }
                result[byte] = signed(apart, gain)
            }
        }
        makeOpaque(result, bytes)
    }

    private func signed(_ apart: Int32, _ gain: Int32) -> UInt8 {
        let value = (apart &* gain &+ 128 &* 512 &+ 256) &>> 9
        return UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
    }

    private func sizes(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ pixels: Int) {
        Self.findLargest(rows, result, pixels)
        heat.withUnsafeBufferPointer { table in
            for place in stride(from: 0, to: pixels * 4, by: 4) {
                let color = table[Int(result[place])]
                UnsafeMutableRawPointer(result).storeBytes(of: color, toByteOffset: place, as: UInt32.self)
            }
        }
    }

    /// Writes the largest difference from the reference among a pixel's three colours to the pixel's first byte.
    static func findLargest(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ pixels: Int) {
        for pixel in stride(from: 0, to: pixels * 4, by: 4) {
            var most = 0
            for other in rows.dropFirst() {
                for colour in pixel..<pixel + 3 { most = max(most, abs(Int(rows[0][colour]) - Int(other[colour]))) }
            }
            result[pixel] = UInt8(most)
        }
    }

    private func means(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ bytes: Int) {
        if rows.count == 2 {
            let (first, second) = (rows[0], rows[1])
            for byte in 0..<bytes {
                result[byte] = UInt8(truncatingIfNeeded: (UInt16(first[byte]) &+ UInt16(second[byte]) &+ 1) &>> 1)
            }
            return
        }
        let count = UInt16(rows.count)
        for place in 0..<bytes {
            var sum = count / 2
            for row in rows { sum += UInt16(row[place]) }
            result[place] = UInt8(truncatingIfNeeded: sum / count)
        }
    }
}

func clamped(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }

/// Returns the colour of a difference: from black for none over blue, cyan, green, yellow and red to white.
func heatPixel(_ share: Double) -> UInt32 {
    let scale: [(red: Double, green: Double, blue: Double)] = [
        (0, 0, 0), (0, 0, 255), (0, 255, 255), (0, 255, 0), (255, 255, 0), (255, 0, 0), (255, 255, 255),
    ]
    let place = share * Double(scale.count - 1), lower = min(Int(place), scale.count - 2)
    let (a, b, way) = (scale[lower], scale[lower + 1], place - Double(lower))
    func mixed(_ a: Double, _ b: Double) -> UInt32 { UInt32(clamped(a + (b - a) * way)) }
    return 0xFF00_0000 | mixed(a.red, b.red) << 16 | mixed(a.green, b.green) << 8 | mixed(a.blue, b.blue)
}

/// Chooses the gain of a difference from the frame: the largest power of two with which almost all of the pixels that
/// differ stay below white.
struct AutomaticGain {
    private var counts = [Int](repeating: 0, count: 1 << 12)
    private var sum = 0

    /// Share of the pixels that stay below white.
    private static let share = 0.99
    private static let range = 1.0...64.0
    /// Rows of which the gain is chosen, at least, if the frame has them.
    private static let rows = 256

    /// Distance between the rows of which the gain is chosen.
    static func step(ofHeight height: Int) -> Int { max(1, height / rows) }

    /// Adds the largest difference of a pixel among its colours, of 16 bits. Pixels that are equal don't count.
    mutating func add(_ apart: UInt16) {
        guard apart > 0 else { return }
        counts[Int(apart >> 4)] += 1
        sum += 1
    }

    var gain: Double {
        guard sum > 0 else { return Self.range.upperBound }
        let least = Int((Double(sum) * Self.share).rounded(.up))
        var (place, count) = (0, counts[0])
        while count < least {
            place += 1
            count += counts[place]
        }
        // Upper end of the differences that are counted in this place.
        let apart = Double((place + 1) << 4)
        var gain = Self.range.lowerBound
        while gain < Self.range.upperBound, apart * gain * 2 <= 65536 { gain *= 2 }
        return gain
    }
}
