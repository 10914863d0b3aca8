import func Glibc.cos
import func Glibc.sin

/// An angle in degrees, clockwise on the screen.
public struct Angle: Hashable, Sendable {
    public let degrees: Double

    public init(degrees: Double) { self.degrees = degrees }

    public var sine: Double { Angle.sine(ofDegrees: degrees) }
    public var cosine: Double { Angle.sine(ofDegrees: degrees + 90) }

    /// Exact for multiples of 90 degrees.
    private static func sine(ofDegrees degrees: Double) -> Double {
        let turns = (degrees / 90).rounded()
        let rest = (degrees - turns * 90) * .pi / 180
        switch Int(turns.truncatingRemainder(dividingBy: 4) + 4) % 4 {
        case 0: return sin(rest)
        case 1: return cos(rest)
        case 2: return -sin(rest)
        default: return -cos(rest)
        }
    }
}

/// Cosine of an angle in full turns. Whole turns are taken off first: they are exact in turns, and not in radians.
public func cosine(ofTurns turns: Double) -> Double { cos((turns - turns.rounded()) * 2 * Double.pi) }

/// Sine of an angle in full turns.
public func sine(ofTurns turns: Double) -> Double { sin((turns - turns.rounded()) * 2 * Double.pi) }
