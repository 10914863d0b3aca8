import Base

/// Takes samples a little faster or slower than they were made, by a windowed sinc.
///
/// Holds the samples that were appended and not yet taken. Belongs to one thread.
struct Resampler {
    private static let taps = 16
    private static let phases = 256
    private static let kernels = Resampler.makeKernels()

    /// Interleaved stereo; the first `taps / 2 - 1` samples are there for the kernel only.
    private var queue = [Float](repeating: 0, count: (taps / 2 - 1) * 2)
    /// Position of the next sample to be taken, counted from sample `taps / 2 - 1` of the queue.
    private var fraction = 0.0

    /// Number of samples that were appended and not yet taken.
    var pending: Double { Double(queue.count / 2 - (Self.taps / 2 - 1)) - fraction }

    mutating func append(_ samples: [Float]) { queue.append(contentsOf: samples) }

    /// Returns the number of samples to append before `count` can be taken at this pace.
    func missing(for count: Int, at pace: Double) -> Int {
        max(0, Int(fraction + Double(count) * pace) + Self.taps - queue.count / 2)
    }

    /// Takes `count` samples. Enough of them must be in the queue.
    mutating func take(_ count: Int, at pace: Double, to target: UnsafeMutablePointer<Float>) {
        var place = fraction
        queue.withUnsafeBufferPointer { queue in
            if fraction == 0, pace == 1 {
                target.update(from: queue.baseAddress! + (Self.taps / 2 - 1) * 2, count: count * 2)
                place = Double(count)
            } else {
                Self.kernels.withUnsafeBufferPointer { kernels in
                    for index in 0..<count {
                        let whole = Int(place)
                        Self.interpolate(
                            queue.baseAddress! + whole * 2, place - Double(whole), kernels, target + index * 2)
                        place += pace
                    }
                }
            }
        }
        let done = Int(place)
        // Makes a copy without spare capacity. The mixer's snapshots share the array. Appending to a shared array
        // copies its capacity too, and malloc rounds that up a little each time.
        queue = Array(queue[(done * 2)...])
        fraction = place - Double(done)
    }

    private static func interpolate(
        _ samples: UnsafePointer<Float>, _ fraction: Double, _ kernels: UnsafeBufferPointer<Float>,
        _ target: UnsafeMutablePointer<Float>
    ) {
        let exact = fraction * Double(phases)
        let phase = Int(exact)
        let part = Float(exact - Double(phase))
        let kernel = kernels.baseAddress! + phase * taps
        var (left, right): (Float, Float) = (0, 0)
        for tap in 0..<taps {
            let weight = kernel[tap] + (kernel[tap + taps] - kernel[tap]) * part
            left += samples[tap * 2] * weight
            right += samples[tap * 2 + 1] * weight
        }
        (target[0], target[1]) = (left, right)
    }

    /// One kernel for each phase and one more, each with the sum 1.
    private static func makeKernels() -> [Float] {
        (0...phases).flatMap { phase in
            let fraction = Double(phase) / Double(phases)
            let weights = (0..<taps).map { tap -> Double in
                let x = Double(tap - (taps / 2 - 1)) - fraction
                let window = 0.5 + 0.5 * cosine(ofTurns: x / Double(taps))
                return (x == 0 ? 1 : sine(ofTurns: x / 2) / (Double.pi * x)) * window
            }
            let sum = weights.reduce(0, +)
            return weights.map { Float($0 / sum) }
        }
    }
}
