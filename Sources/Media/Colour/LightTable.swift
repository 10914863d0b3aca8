import CColours

/// Index of a light in a table: the upper half of its bits. Each octave has 128 places, so that dark lights are as exact
/// as bright ones, and no light needs a comparison. Light above 1 counts as 1, and light below 0 as none.
enum LightIndex {
    private static let darkest: Float = 0x1p-26

    /// Returns a table of a function of light.
    static func table<Value>(_ value: (Double) -> Value) -> [Value] {
        let (none, most) = (value(0), value(1))
        return (0..<UInt32(1 << 16)).map { place in
            // The middle of the place.
            let light = Float(bitPattern: place << 16 | 0x8000)
            return light > 1 ? most : light > darkest ? value(Double(light)) : none
        }
    }
}

/// Index of a signal from 0 to 1 in a table.
enum SignalIndex {
    private static let last = QD_LAST_SIGNAL

    /// Returns a table of a function of signals.
    static func table(_ value: (Double) -> Double) -> [Float] {
        (0...last).map { Float(value(Double($0) / Double(last))) }
    }
}
