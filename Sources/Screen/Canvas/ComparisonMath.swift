import WallCore

/// What a comparison makes of rows of opaque pixels: B, G, R and A, a byte each.
struct ComparisonMath {
    typealias Row = UnsafePointer<UInt8>
    private let mode: ComparisonMode
    /// In 1/256.
    private let gain: UInt16
    /// Differences above it are white.
    private let most: UInt8
    /// By the difference plus 255.
    private let signed: [UInt8]
    /// By the largest difference of the three colours.
    private let heat: [UInt32]

    init(mode: ComparisonMode, gain: Double) {
        self.mode = mode
        self.gain = UInt16((gain * 256).rounded())
        most = UInt8(min(255, (255 / gain).rounded(.down)))
        signed = mode == .signed ? (-255...255).map { clamped(128 + Double($0) / 2 * gain) } : []
        heat = mode == .heat ? (0...255).map { heatPixel(min(1, Double($0) * gain / 255)) } : []
    }

    /// Rows of equal length; the first is the reference's. `pixels`: how many each has.
    func combine(_ rows: [Row], into result: UnsafeMutablePointer<UInt8>, pixels: Int) {
        switch mode {
        case .difference: differences(rows, result, pixels * 4)
        case .signed: signs(rows, result, pixels)
        case .heat: sizes(rows, result, pixels)
        case .overlay: means(rows, result, pixels * 4)
        // They show pictures as they are.
        case .wipe, .blink: break
        }
    }

    private func differences(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ bytes: Int) {
        for (place, other) in rows.dropFirst().enumerated() {
            difference(rows[0], other, result, bytes, place == 0 ? .replacing : .keepingLarger)
        }
    }

    private enum Manner { case replacing, keepingLarger }

    private func difference(
        _ first: Row, _ second: Row, _ result: UnsafeMutablePointer<UInt8>, _ bytes: Int, _ manner: Manner
    ) {
        let most = SIMD16<UInt8>(repeating: self.most), white = SIMD16<UInt8>(repeating: 255)
        let gain = SIMD16<UInt16>(repeating: self.gain), half = SIMD16<UInt16>(repeating: 128)
        let eight = SIMD16<UInt16>(repeating: 8)
        let opaque = SIMD16<UInt8>(0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255)
        // A row's end that is no multiple of four pixels is done once more with the pixels before it.
        for start in stride(from: 0, to: bytes, by: 16) {
            let place = bytes >= 16 ? min(start, bytes - 16) : 0
            guard bytes >= 16 else { return short(first, second, result, bytes, manner) }
            let a = UnsafeRawPointer(first + place).loadUnaligned(as: SIMD16<UInt8>.self)
            let b = UnsafeRawPointer(second + place).loadUnaligned(as: SIMD16<UInt8>.self)
            let apart = pointwiseMax(a, b) &- pointwiseMin(a, b)
            let scaled = (SIMD16<UInt16>(truncatingIfNeeded: pointwiseMin(apart, most)) &* gain &+ half) &>> eight
            var made = SIMD16<UInt8>(truncatingIfNeeded: scaled).replacing(with: white, where: apart .> most) | opaque
            if manner == .keepingLarger {
                made = pointwiseMax(made, UnsafeRawPointer(result + place).loadUnaligned(as: SIMD16<UInt8>.self))
            }
            UnsafeMutableRawPointer(result + place).storeBytes(of: made, as: SIMD16<UInt8>.self)
        }
    }

    /// Of fewer than four pixels.
    private func short(
        _ first: Row, _ second: Row, _ result: UnsafeMutablePointer<UInt8>, _ bytes: Int, _ manner: Manner
    ) {
        for place in 0..<bytes {
            let apart = max(first[place], second[place]) - min(first[place], second[place])
            let made: UInt8 =
                place % 4 == 3 || apart > most ? 255 : UInt8(truncatingIfNeeded: (UInt16(apart) * gain + 128) >> 8)
            result[place] = manner == .keepingLarger ? max(made, result[place]) : made
        }
    }

    /// Of more than two, what is furthest from the first.
    private func signs(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ pixels: Int) {
        signed.withUnsafeBufferPointer { table in
            for place in 0..<pixels * 4 {
                let first = Int(rows[0][place])
                var apart = first - Int(rows[1][place])
                for other in rows.dropFirst(2) where abs(first - Int(other[place])) > abs(apart) {
                    apart = first - Int(other[place])
                }
                result[place] = place % 4 == 3 ? 255 : table[apart + 255]
            }
        }
    }

    private func sizes(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ pixels: Int) {
        heat.withUnsafeBufferPointer { table in
            for place in 0..<pixels {
                var most = 0
                for other in rows.dropFirst() {
                    for colour in place * 4..<place * 4 + 3 {
                        most = max(most, abs(Int(rows[0][colour]) - Int(other[colour])))
                    }
                }
                UnsafeMutableRawPointer(result).storeBytes(of: table[most], toByteOffset: place * 4, as: UInt32.self)
            }
        }
    }

    private func means(_ rows: [Row], _ result: UnsafeMutablePointer<UInt8>, _ bytes: Int) {
        let count = UInt16(rows.count)
        for place in 0..<bytes {
            var sum = count / 2
            for row in rows { sum += UInt16(row[place]) }
            result[place] = UInt8(truncatingIfNeeded: sum / count)
        }
    }
}

func clamped(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }

/// From black where nothing differs over blue, green, yellow and red to white.
func heatPixel(_ share: Double) -> UInt32 {
    let scale: [(red: Double, green: Double, blue: Double)] = [
        (0, 0, 0), (0, 0, 255), (0, 255, 255), (0, 255, 0), (255, 255, 0), (255, 0, 0), (255, 255, 255),
    ]
    let place = share * Double(scale.count - 1), lower = min(Int(place), scale.count - 2)
    let (a, b, way) = (scale[lower], scale[lower + 1], place - Double(lower))
    func mixed(_ a: Double, _ b: Double) -> UInt32 { UInt32(clamped(a + (b - a) * way)) }
    return 0xFF00_0000 | mixed(a.red, b.red) << 16 | mixed(a.green, b.green) << 8 | mixed(a.blue, b.blue)
}
