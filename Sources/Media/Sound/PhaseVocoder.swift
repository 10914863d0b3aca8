import Base
import Glibc
import Measurement

/// Makes stereo sound longer or shorter and keeps its pitch. One thread; never blocks.
///
/// Each frame of the sound is moved to its new place, and the phases of its spectrum are turned so that it continues the
/// frame before. A peak of the spectrum goes on at its own frequency, and the bins around it are turned as it is, so
/// that a steady tone keeps its level (identity phase locking, Laroche and Dolson). Both channels are turned alike, so
/// that a centred sound stays in the centre. Where the sound begins at once, nothing is turned.
final class PhaseVocoder {
    /// Length of a frame, in samples. Shorter frames do not tell the notes of a low chord apart.
    static let window = 4096
    private static let half = window / 2
    /// Longest distance of two frames, in the input and in the output.
    private static let longestHop = window / 8
    /// Growth of the power from one frame to the next with which a sound begins at once.
    private static let onset: Float = 20

    /// Length of the output relative to the input.
    private let stretch: Double
    /// Distance of two frames in the output.
    private let hop: Int
    private let fourier = FourierTransform(size: PhaseVocoder.window)
    private let weights: [Float]
    /// Factor of the output: the overlapping frames add up to 1.
    private let scale: Float

    /// Interleaved samples that later frames need.
    private var input = [Float](repeating: 0, count: PhaseVocoder.window)
    /// Number of the first of them. The first frame is centred at sample 0.
    private var inputStart = -Int64(PhaseVocoder.half)
    private var frame: Int64 = 0
    /// Sum of the frames so far, where later frames add to it.
    private var output = [Float](repeating: 0, count: PhaseVocoder.window * 2)
    /// Output samples before sample 0, which are dropped.
    private var surplus = PhaseVocoder.half

    private var spectrum = Spectrum()
    private var former = (spectrum: Spectrum(), power: Float(0), place: Int64?.none)
    /// Angle by which each bin of the last frame was turned, in radians.
    private var angles = [Float](repeating: 0, count: PhaseVocoder.half + 1)
    private var power = [Float](repeating: 0, count: PhaseVocoder.half + 1)

    init(stretch: Double) {
        self.stretch = stretch
        hop = max(1, Int(Double(Self.longestHop) * min(1, stretch)))
        weights = (0..<Self.window).map { Float(0.5 - 0.5 * cosine(ofTurns: Double($0) / Double(Self.window))) }
        // The mean of the squared weights is 3/8.
        scale = Float(Double(hop) / (Double(Self.window) * 0.375) / Double(Self.window))
    }

    /// Takes interleaved samples. Returns those that no later frame changes.
    func push(_ samples: [Float]) -> [Float] {
        input += samples
        var result: [Float] = []
        while true {
            let place = Int64((Double(frame) * Double(hop) / stretch).rounded())
            let first = Int(place - Int64(Self.half) - inputStart)
            guard first + Self.window <= input.count / 2 else {
                // The next frame needs no earlier samples.
                let unneeded = min(first, input.count / 2)
                input.removeFirst(unneeded * 2)
                inputStart += Int64(unneeded)
                return result
            }
            analyse(from: first, at: place)
            synthesise()
            let dropped = min(surplus, hop)
            surplus -= dropped
            result += output[(dropped * 2)..<(hop * 2)]
            output.removeFirst(hop * 2)
            output += repeatElement(0, count: hop * 2)
            frame += 1
        }
    }

    // MARK: a frame

    /// Computes the spectrum of a frame, and the angles by which it is turned.
    private func analyse(from first: Int, at place: Int64) {
        for index in 0..<Self.window {
            spectrum.real[index] = input[(first + index) * 2] * weights[index]
            spectrum.imaginary[index] = input[(first + index) * 2 + 1] * weights[index]
        }
        spectrum.transform(by: fourier)
        var total: Float = 0
        for bin in 0...Self.half {
            power[bin] = spectrum.power(.left, bin) + spectrum.power(.right, bin)
            total += power[bin]
        }
        if let formerPlace = former.place, total > 0, total <= former.power * Self.onset {
            turn(by: hop, after: Int(place - formerPlace))
        } else {
            for bin in angles.indices { angles[bin] = 0 }
        }
        former = (spectrum, total, place)
    }

    /// Computes the angles of a frame that lies `advance` samples after the one before in the output, and `distance`
    /// samples in the input.
    private func turn(by advance: Int, after distance: Int) {
        var last: (peak: Int, angle: Float)?
        var begin = 0
        for bin in 2..<(Self.half - 1) where isPeak(bin) {
            let angle = angleOfPeak(bin, advance, distance)
            if let last {
                // The bins between two peaks belong to the nearer one.
                let border = (last.peak + bin + 1) / 2
                for index in begin..<border { angles[index] = last.angle }
                begin = border
            }
            last = (bin, angle)
        }
        for index in begin...Self.half { angles[index] = last?.angle ?? 0 }
    }

    private func isPeak(_ bin: Int) -> Bool {
        let own = power[bin]
        return own > power[bin - 1] && own >= power[bin + 1] && own > power[bin - 2] && own >= power[bin + 2]
    }

    private func angleOfPeak(_ bin: Int, _ advance: Int, _ distance: Int) -> Float {
        let usual = 2 * Double.pi * Double(bin) / Double(Self.window)
        var frequency = usual
        if distance > 0 {
            let isLeft = spectrum.power(.left, bin) >= spectrum.power(.right, bin)
            let channel: Spectrum.Channel = isLeft ? .left : .right
            let change = spectrum.phase(channel, bin) - former.spectrum.phase(channel, bin)
            frequency += Self.wrapped(change - usual * Double(distance)) / Double(distance)
        }
        return Float(Self.wrapped(Double(angles[bin]) + frequency * Double(advance - distance)))
    }

    /// Turns the spectrum and adds the frame to the output.
    private func synthesise() {
        var (angle, cosine, sine): (Float, Float, Float) = (0, 1, 0)
        // The lowest and the highest bin are real, and stay.
        for bin in 1..<Self.half {
            if angles[bin] != angle { (angle, cosine, sine) = (angles[bin], cosf(angles[bin]), sinf(angles[bin])) }
            spectrum.turn(bin, cosine, sine)
        }
        spectrum.invert(by: fourier)
        for index in 0..<Self.window {
            output[index * 2] += spectrum.real[index] * weights[index] * scale
            output[index * 2 + 1] += spectrum.imaginary[index] * weights[index] * scale
        }
    }

    private static func wrapped(_ angle: Double) -> Double {
        angle - 2 * Double.pi * (angle / (2 * Double.pi)).rounded()
    }
}

/// Spectrum of two real channels in one transform: the left one is the real part, the right one the imaginary part.
private struct Spectrum {
    var real = [Float](repeating: 0, count: PhaseVocoder.window)
    var imaginary = [Float](repeating: 0, count: PhaseVocoder.window)

    enum Channel { case left, right }

    mutating func transform(by fourier: FourierTransform) { fourier.transform(&real, &imaginary) }

    /// With both parts exchanged, the transform is the inverse.
    mutating func invert(by fourier: FourierTransform) { fourier.transform(&imaginary, &real) }

    /// Value of one channel, times 2.
    private func value(_ channel: Channel, _ bin: Int) -> (real: Float, imaginary: Float) {
        let mirror = (PhaseVocoder.window - bin) % PhaseVocoder.window
        return switch channel {
        case .left: (real[bin] + real[mirror], imaginary[bin] - imaginary[mirror])
        case .right: (imaginary[bin] + imaginary[mirror], real[mirror] - real[bin])
        }
    }

    func power(_ channel: Channel, _ bin: Int) -> Float {
        let value = value(channel, bin)
        return value.real * value.real + value.imaginary * value.imaginary
    }

    func phase(_ channel: Channel, _ bin: Int) -> Double {
        let value = value(channel, bin)
        return Double(atan2f(value.imaginary, value.real))
    }

    /// Turns a bin of both channels by the angle with this cosine and sine.
    mutating func turn(_ bin: Int, _ cosine: Float, _ sine: Float) {
        let mirror = PhaseVocoder.window - bin
        let (a, b, c, d) = (real[bin], imaginary[bin], real[mirror], imaginary[mirror])
        (real[bin], imaginary[bin]) = (a * cosine - b * sine, a * sine + b * cosine)
        (real[mirror], imaginary[mirror]) = (c * cosine + d * sine, d * cosine - c * sine)
    }
}
