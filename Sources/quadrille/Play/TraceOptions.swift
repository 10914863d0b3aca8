import Console

/// The trace of a wall.
struct TraceOptions {
    /// nil if no trace is written.
    private(set) var file: String?
    private(set) var events = TraceEvents.usual
    /// Largest size of one trace file, in MiB; nil if it was not given.
    private var most: Int?

    static let specs = [
        OptionSpec(name: "trace", value: "FILE", help: "write events to FILE as JSON lines"),
        OptionSpec(name: "trace-events", value: "LIST|all", help: "events to trace (all but picture)"),
        OptionSpec(
            name: "trace-max", value: "MIB",
            help: "start a new file at this size; FILE.1 and FILE.2 are those before (64)"),
    ]

    mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "trace": file = value
        case "trace-events": events = try TraceEvents(value)
        case "trace-max": most = try Values.whole(value, 1...1_048_576, "--trace-max")
        default: return .another
        }
        return .taken
    }

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
