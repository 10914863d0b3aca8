import Glibc

/// The formulas of BT.2100, BT.2390 and BT.2087 as they are printed, in double precision.
public enum ColourFormulas {
    public enum Curve: Sendable { case pq, hlg }

    /// Curve of SDR: a power, or that of sRGB.
    public enum SDR: Sendable {
        case gamma(Double)
        case srgb

        public func light(_ signal: Double) -> Double {
            switch self {
            case .gamma(let gamma): pow(signal, gamma)
            case .srgb: signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
            }
        }

        public func signal(_ light: Double) -> Double {
            switch self {
            case .gamma(let gamma): pow(light, 1 / gamma)
            case .srgb: light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            }
        }
    }

    public static let weights2020 = (red: 0.2627, blue: 0.0593)
    /// Linear BT.2020 to BT.709.
    public static let from2020: [[Double]] = [
        [1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187],
    ]
    /// Linear Display P3 to BT.709.
    public static let fromP3: [[Double]] = [
        [1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979],
    ]
    /// Linear BT.2020 to the responses of cones.
    public static let toCones: [[Double]] = [
        [1688 / 4096, 2146 / 4096, 262 / 4096], [683 / 4096, 2951 / 4096, 462 / 4096],
        [99 / 4096, 309 / 4096, 3688 / 4096],
    ]
    public static let toICtCp: [[Double]] = [
        [0.5, 0.5, 0], [6610 / 4096, -13613 / 4096, 7003 / 4096], [17933 / 4096, -17390 / 4096, -543 / 4096],
    ]
    public static let toICtCpOfHLG: [[Double]] = [
        [0.5, 0.5, 0], [3625 / 4096, -7465 / 4096, 3840 / 4096], [9500 / 4096, -9212 / 4096, -288 / 4096],
    ]

    public static func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// Nits of a signal.
    public static func pqLight(_ signal: Double) -> Double {
        let e = pow(signal, 1 / 78.84375)
        return 10_000 * pow(max(e - 0.8359375, 0) / (18.8515625 - 18.6875 * e), 1 / 0.1593017578125)
    }

    public static func pqSignal(_ nits: Double) -> Double {
        let y = pow(nits / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
    }

    /// The scene's light of a signal.
    public static func hlgLight(_ signal: Double) -> Double {
        signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    public static func hlgSignal(_ light: Double) -> Double {
        light <= 1 / 12.0 ? sqrt(3 * light) : 0.17883277 * log(12 * light - 0.28466892) + 0.55991073
    }

    /// Returns linear BT.709 on the display, of which 1 is white. `signal`: red, green and blue of BT.2020.
    public static func shown(_ signal: [Double], _ curve: Curve, _ peak: Double, _ target: Double) -> [Double] {
        times(
            from2020,
            nits(signal, curve, peak).map { min(1, pqLight(compressed(pqSignal($0), peak, target)) / target) })
    }

    /// Returns the light of red, green and blue of BT.2020 on their own display.
    public static func nits(_ signal: [Double], _ curve: Curve, _ peak: Double) -> [Double] {
        if curve == .pq { return signal.map(pqLight) }
        let scene = signal.map(hlgLight)
        let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
        let isUsual = (400...2000).contains(peak)
        let gamma = isUsual ? 1.2 + 0.42 * log10(peak / 1000) : 1.2 * pow(1.111, log2(peak / 1000))
        return scene.map { peak * pow(luminance, gamma - 1) * $0 }
    }

    /// BT.2390, 5.4.1.
    private static func compressed(_ signal: Double, _ peak: Double, _ target: Double) -> Double {
        let source = pqSignal(peak), e1 = min(1, signal / source), most = pqSignal(target) / source
        if most >= 1 { return signal }
        let ks = 1.5 * most - 0.5
        if e1 < ks { return e1 * source }
        let t = (e1 - ks) / (1 - ks), (t2, t3) = (t * t, t * t * t)
        return source * ((2 * t3 - 3 * t2 + 1) * ks + (t3 - 2 * t2 + t) * (1 - ks) + (-2 * t3 + 3 * t2) * most)
    }
}
