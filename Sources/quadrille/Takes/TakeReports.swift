import Base

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
