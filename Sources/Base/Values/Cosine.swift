import func Glibc.cos
import func Glibc.sin

/// Cosine of an angle in full turns. Whole turns are taken off first: they are exact in turns, and not in radians.
public func cosine(ofTurns turns: Double) -> Double { cos((turns - turns.rounded()) * 2 * Double.pi) }

/// Sine of an angle in full turns.
public func sine(ofTurns turns: Double) -> Double { sin((turns - turns.rounded()) * 2 * Double.pi) }
