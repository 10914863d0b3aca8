import Files
import Glibc
import WallCore

/// What play --trace wrote.
enum TraceFile {
    struct Trouble: Error { var what: String }

    static func read(_ path: String, tiles: [String]) -> Result<TraceSummary, Trouble> {
        switch bytes(of: path) {
        case .failure(let code): return .failure(Trouble(what: code.description))
        case .success((let last, _)):
            var traces = [last]
            // The run goes on from the file before, until one begins it.
            for name in TraceOutput.earlier(than: path) {
                guard !beginsTheRun(traces[0]), case .success((let bytes, _)) = bytes(of: name) else { break }
                traces.insert(bytes, at: 0)
            }
            return TraceSummary.read(traces, tiles: tiles).map { .success($0) }
                ?? .failure(Trouble(what: "not a trace: one JSON object a line would be right"))
        }
    }

    /// What stands in another file is not of this run.
    private static func beginsTheRun(_ trace: [UInt8]) -> Bool {
        let first = trace.prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: first, as: UTF8.self).contains("\"event\":\"start\"")
    }
}
