import Console

/// The trace of a wall.
struct TraceOptions {
    /// nil if no trace is written.
    private(set) var file: String?
    private(set) var events = TraceEvents.usual
    /// Largest size of one trace file, in MiB; nil if it was not given.
    private var most: Int?

    static let options: [Option<TraceOptions>] = [
        Option("trace", .file("FILE"), "write events to FILE as JSON lines", into: \.file),
        Option("trace-events", .events, "events to trace", default: "all but picture", into: \.events),
        Option(
            "trace-max", .whole(1...1_048_576, "MIB"),
            "start a new file at this size; FILE.1 and FILE.2 are those before", default: "\(TraceOutput.usualMost)",
            into: \.most),
    ]

    func check() throws(UsageMistake) {
        if most != nil, file == nil { throw UsageMistake("--trace-max needs --trace FILE") }
    }

    /// Opens the trace; nil if none is written. Throws if it would replace a file that the wall plays.
    func open(_ played: PlayedFiles) throws(UsageMistake) -> TraceOutput? {
        guard let file else { return nil }
        for path in [file] + TraceOutput.earlier(than: file) { try played.check(path, "--trace") }
        return try TraceOutput(path: file, mebibytes: most ?? TraceOutput.usualMost)
    }
}

extension OptionValue where Value == TraceEvents {
    fileprivate static var events: OptionValue {
        OptionValue(.list, "LIST|all", names: .event) { text, _ throws(UsageMistake) in try TraceEvents(text) }
    }
}
