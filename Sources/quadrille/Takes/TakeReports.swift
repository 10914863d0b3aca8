import Base
import Scene
import Threads

/// Lines for the user on the microphone of a recording. Each is printed once. Used only by the recorder's thread.
struct TakeReports {
    private let printLine: @Sendable (String) -> Void
    /// Reason for the present silence; nil while samples come.
    private var loss: String?
    private var hasReportedMonitor = false
    private var hasReportedMending = false

    init(printLine: @escaping @Sendable (String) -> Void) { self.printLine = printLine }

    mutating func lost(_ reason: String) {
        if loss != reason { printLine("quadrille: nothing is recorded: \(reason)") }
        loss = reason
    }

    mutating func samplesCame() { loss = nil }

    /// The microphone sent samples that were no numbers or absurd. `device`: the server's name of the microphone.
    mutating func mended(_ device: @autoclosure () -> String?) {
        guard !hasReportedMending else { return }
        hasReportedMending = true
        printLine("quadrille: \(device() ?? "the microphone"): \(FilmDamage.wrongSamples.trouble.what)")
    }

    /// `device`: default input of the server.
    mutating func recordsDefault(_ device: @autoclosure () -> String?) {
        guard !hasReportedMonitor, device()?.hasSuffix(".monitor") == true else { return }
        hasReportedMonitor = true
        printLine("quadrille: no microphone found: recording an output's sound; audio.input names a microphone")
    }
}

/// The level of the microphone of a recording, as often as a change of it can be seen. Used only by the recorder's
/// thread.
struct TakeMeter {
    private var shown: InputLevel?
    private var nextReport: Int64 = 0

    /// Time after which an unchanged level is reported again, in nanoseconds.
    private static let interval: Int64 = 500_000_000

    /// Returns the greatest sample of the blocks; nil if the wall need not know it.
    mutating func peak(of blocks: [TakeRecorder.Block]) -> Float? {
        if blocks.isEmpty { return nil }
        let peak = blocks.reduce(Float(0)) { peak, block in
            block.samples.reduce(peak) { $1.isFinite ? max($0, $1.magnitude) : $0 }
        }
        let level = InputLevel(peak: peak), now = monotonicNanoseconds()
        guard level != shown || now >= nextReport else { return nil }
        (shown, nextReport) = (level, now + Self.interval)
        return peak
    }
}
