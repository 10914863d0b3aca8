import func Glibc.exp
import func Glibc.log10
import func Glibc.log2
import func Glibc.pow

// The curves of the standards. Light is linear. 1 is a signal's full scale.

/// SMPTE ST 2084, the perceptual quantizer of BT.2100. Its full scale is 10,000 nits.
public enum PQ {
    public static let nits = 10_000.0
    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

    /// Returns the light of a signal.
    public static func light(_ signal: Double) -> Double {
        let power = pow(max(0, signal), 1 / m2)
        return pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
    }

    /// Returns the signal for a light.
    public static func signal(_ light: Double) -> Double {
        let power = pow(max(0, light), m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// Returns the signal for a luminance.
    public static func signal(nits: Double) -> Double { signal(nits / Self.nits) }
}

/// The hybrid log-gamma of BT.2100.
public enum HLG {
    private static let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)

    /// Returns the scene's light for a signal.
    public static func light(_ signal: Double) -> Double {
        let signal = max(0, signal)
        return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    }

    /// Gamma of the display's system for a peak in nits: 1.2 at 1000. The formula of BT.2100 holds from 400 to 2000
    /// nits, and that of BT.2390 beyond.
    public static func gamma(peak: Double) -> Double {
        (400...2000).contains(peak) ? 1.2 + 0.42 * log10(peak / 1000) : 1.2 * pow(1.111, log2(peak / 1000))
    }

    /// Weights of the luminance of the scene's light, for the primaries of BT.2020.
    public static let weights = [0.2627, 0.6780, 0.0593]
}

/// The tone curve of BT.2390, section 5.4.1, for blacks of 0 nits.
public struct BT2390: Sendable {
    private let peak: Double
    /// Target's peak, as a share of the source's.
    private let most: Double
    private let knee: Double

    /// Both in nits.
    public init(peak: Double, target: Double) {
        self.peak = PQ.signal(nits: peak)
        most = PQ.signal(nits: target) / self.peak
        knee = max(0, 1.5 * most - 0.5)
    }

    /// Maps a PQ signal of the source to one of the target.
    public func mapped(_ signal: Double) -> Double {
        // The target shows all of the source.
        if most >= 1 { return signal }
        let share = min(1, signal / peak)
        if share < knee { return share * peak }
        let t = (share - knee) / (1 - knee), (t2, t3) = (t * t, t * t * t)
        let curve = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
        return curve * peak
    }
}

extension SourceColorimetry.Transfer {
    /// Returns the light of an SDR signal on a display. A curve that is unknown is taken for BT.1886's.
    public func displayLight(_ signal: Double) -> Double {
        let signal = max(0, signal)
        return switch self {
        case .srgb: signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
        case .gamma22: pow(signal, 2.2)
        case .gamma28: pow(signal, 2.8)
        case .linear: signal
        case .bt1886, .pq, .hlg, .other: pow(signal, 2.4)
        }
    }

    /// Returns the signal for a light on a display of SDR.
    public func displaySignal(_ light: Double) -> Double {
        let light = max(0, light)
        return switch self {
        case .srgb: light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        case .gamma22: pow(light, 1 / 2.2)
        case .gamma28: pow(light, 1 / 2.8)
        case .linear: light
        case .bt1886, .pq, .hlg, .other: pow(light, 1 / 2.4)
        }
    }
}
