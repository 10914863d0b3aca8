import Foundation

/// Hears what a private sound server plays, on a thread of its own. Any thread may call any method.
public final class Microphone: @unchecked Sendable {
    public static let rate = 48_000
    private let lock = NSLock()
    private var samples: [Int16] = []
    /// CLOCK_MONOTONIC and count of samples after each read.
    private var arrivals: [(time: Double, count: Int)] = []
    private let recorder: Child
    private let server: SoundServer

    /// Begins at once; the first samples are here when this returns. `output`: whose sound is heard.
    public init(_ server: SoundServer, output: String = "wall") throws {
        self.server = server
        let pipe = Conduit()
        recorder = try Child(
            [
                "parec", "--device=\(output).monitor", "--format=s16le", "--rate=\(Microphone.rate)", "--channels=1",
                "--latency-msec=10", "--raw",
            ], environment: server.environment, output: .descriptor(pipe.writing))
        pipe.closeWriting()
        Thread { [self] in listen(pipe) }.start()
        Clock.wait(atMost: 10) { lock.withLock { !samples.isEmpty } || recorder.exitStatus != nil }
    }

    private func listen(_ pipe: Conduit) {
        var buffer = [UInt8](repeating: 0, count: 8192)
        var odd: UInt8?
        while true {
            let count = read(pipe.reading, &buffer, buffer.count)
            guard count > 0 else { return }
            let bytes = (odd.map { [$0] } ?? []) + buffer[0..<count]
            odd = bytes.count % 2 == 1 ? bytes.last : nil
            lock.withLock {
                for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                    samples.append(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
                }
                arrivals.append((Clock.now, samples.count))
            }
        }
    }

    /// Ends the hearing and gives what was heard.
    public func stop() -> Recording {
        recorder.end()
        return recording
    }

    /// What has been heard so far.
    public var recording: Recording {
        lock.withLock {
            // The server hands over blocks late, never early: the earliest line through all arrivals is the truth.
            let starts = arrivals.map { $0.time - Double($0.count) / Double(Microphone.rate) }
            return Recording(samples: samples, began: starts.min() ?? Clock.now)
        }
    }
}

/// Sound, with the instant of its first sample.
public struct Recording: Sendable {
    public let samples: [Int16]
    /// CLOCK_MONOTONIC in seconds.
    public let began: Double

    public init(samples: [Int16], began: Double) { (self.samples, self.began) = (samples, began) }

    /// The part between two instants of CLOCK_MONOTONIC.
    public func between(_ first: Double, _ last: Double) -> Recording {
        let rate = Double(Microphone.rate)
        let from = min(max(0, Int((first - began) * rate)), samples.count)
        let to = min(max(from, Int((last - began) * rate)), samples.count)
        return Recording(samples: Array(samples[from..<to]), began: began + Double(from) / rate)
    }

    /// The amplitude of a sine of this frequency (Goertzel), full scale being 1.
    public func amplitude(of frequency: Double) -> Double {
        guard !samples.isEmpty else { return 0 }
        let step = 2 * Double.pi * frequency / Double(Microphone.rate)
        let factor = 2 * cos(step)
        var (one, two) = (0.0, 0.0)
        samples.withUnsafeBufferPointer {
            for sample in $0 { (one, two) = (Double(sample) / 32768 + factor * one - two, one) }
        }
        return (one * one + two * two - factor * one * two).squareRoot() * 2 / Double(samples.count)
    }

    /// The amplitude of a frequency in consecutive windows: when each began (CLOCK_MONOTONIC), and how loud.
    public func course(of frequency: Double, window: Double = 0.02) -> [(time: Double, amplitude: Double)] {
        let size = Int(window * Double(Microphone.rate))
        return stride(from: 0, to: samples.count - size, by: size).map { from in
            let part = Recording(samples: Array(samples[from..<from + size]), began: 0)
            return (began + Double(from) / Double(Microphone.rate), part.amplitude(of: frequency))
        }
    }

    /// The clips whose tones are louder than `threshold`.
    public func clips(among clips: [Int], louderThan threshold: Double = 0.02) -> [Int] {
        clips.filter { amplitude(of: Witness.tone(of: $0)) > threshold }
    }

    /// The longest stretch in seconds in which no sample is louder than `threshold`.
    public func longestSilence(below threshold: Int16 = 300) -> Double {
        var (longest, now) = (0, 0)
        for sample in samples {
            now = abs(Int(sample)) <= Int(threshold) ? now + 1 : 0
            longest = max(longest, now)
        }
        return Double(longest) / Double(Microphone.rate)
    }
}
