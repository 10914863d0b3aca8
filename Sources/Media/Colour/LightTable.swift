/// Index of a light in a table. Each octave has 256 places, so that dark lights are as exact as bright ones.
enum LightIndex {
    /// Lights below 2 to the power of -26 have the first place.
    static let octaves: Int32 = 26
    static let last = octaves << placeBits
    private static let placeBits: Int32 = 8
    private static let shift: Int32 = 23 - placeBits
    private static let base = (127 - octaves) << 23

    /// Light is 1 at most. A negative light counts as none.
    @inline(__always)
    static func place(of light: Float) -> Int {
        let place = (Int32(bitPattern: light.bitPattern) &- base) >> shift
        return Int(place < 0 ? 0 : place > last ? last : place)
    }

    /// Returns the light in the middle of a place.
    private static func light(at place: Int32) -> Double {
        switch place {
        case 0: 0
        case last: 1
        default: Double(Float(bitPattern: UInt32(bitPattern: base + place << shift + 1 << (shift - 1))))
        }
    }

    /// Returns a table of a function of light.
    static func table<Value>(_ value: (Double) -> Value) -> [Value] { (0...last).map { value(light(at: $0)) } }
}

/// Index of a signal from 0 to 1 in a table.
enum SignalIndex {
    static let last: Float = 4095

    /// Returns a table of a function of signals.
    static func table(_ value: (Double) -> Double) -> [Float] {
        (0...Int(last)).map { Float(value(Double($0) / Double(last))) }
    }
}
