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
        let square = rest * rest
        // Taylor's series; within an eighth of a turn the next term is below 1e-12.
        let sine =
            rest * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))))
        let cosine =
            1 - square / 2
            * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90 * (1 - square / 132)))))
        switch Int(turns.truncatingRemainder(dividingBy: 4) + 4) % 4 {
        case 0: return sine
        case 1: return cosine
        case 2: return -sine
        default: return -cosine
        }
    }
}
