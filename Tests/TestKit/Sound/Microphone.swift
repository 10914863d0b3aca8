import Foundation

/// Records what a private sound server plays, on a thread of its own. Any thread may call any method.
public final class Microphone: @unchecked Sendable {
    public static let rate = 48_000
    private let lock = NSLock()
    private var left: [Int16] = []
    private var right: [Int16] = []
    /// CLOCK_MONOTONIC, and samples per channel so far, after each read.
    private var arrivals: [(time: Double, count: Int)] = []
    private let recorder: Child
    private let server: SoundServer

    /// Starts recording, and returns once the first samples have arrived. `output`: sink whose monitor is recorded.
    public init(_ server: SoundServer, output: String = "wall") throws {
        self.server = server
        let pipe = Conduit()
        recorder = try Child(
            [
                "parec", "--device=\(output).monitor", "--format=s16le", "--rate=\(Microphone.rate)", "--channels=2",
                "--latency-msec=10", "--raw",
            ], environment: server.environment, output: .descriptor(pipe.writing))
        pipe.closeWriting()
        Thread { [self] in listen(pipe) }.start()
        RealTime.wait(atMost: 10) { lock.withLock { !right.isEmpty } || recorder.exitStatus != nil }
    }

    private func listen(_ pipe: Conduit) {
        var buffer = [UInt8](repeating: 0, count: 8192)
        var rest: [UInt8] = []
        while true {
            let count = read(pipe.reading, &buffer, buffer.count)
            guard count > 0 else { return }
            let bytes = rest + buffer[0..<count]
            rest = Array(bytes.suffix(bytes.count % 4))
            func sample(_ index: Int) -> Int16 {
                Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
            }
            lock.withLock {
                for index in stride(from: 0, to: bytes.count - 3, by: 4) {
                    left.append(sample(index))
                    right.append(sample(index + 2))
                }
                arrivals.append((RealTime.now, left.count))
            }
        }
    }

    /// Stops recording and returns all samples.
    @discardableResult
    public func stop() -> Recording {
        recorder.end()
        return recording
    }

    /// All samples so far.
    public var recording: Recording {
        lock.withLock {
            // The server delivers blocks late, never early, so the earliest start that an arrival implies is right.
            let starts = arrivals.map { $0.time - Double($0.count) / Double(Microphone.rate) }
            return Recording(left: left, right: right, began: starts.min() ?? RealTime.now)
        }
    }
}
