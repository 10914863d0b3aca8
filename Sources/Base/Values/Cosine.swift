/// Cosine of an angle in full turns. Halves the angle until a short series is exact, then doubles back.
public func cosine(ofTurns turns: Double) -> Double {
    let angle = (turns - turns.rounded()) * 2 * Double.pi / 64
    let square = angle * angle
    var result = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
    for _ in 0..<6 { result = 2 * result * result - 1 }
    return result
}

/// Sine of an angle in full turns.
public func sine(ofTurns turns: Double) -> Double { cosine(ofTurns: turns - 0.25) }
