import Analysis
import Console
import Files
import Glibc

/// Reads the files that play --trace wrote.
enum TraceFile {
    static func read(_ path: String, tiles: [String]) throws(Failure) -> TraceSummary {
        func failure(_ text: String) -> Failure { Failure("--trace \(path): \(text)", status: ExitStatus.usage) }
        switch bytes(of: path) {
        case .failure(let code): throw failure(code.description)
        case .success((let last, _)):
            var traces = [last]
            // Earlier files belong to the same run, until one has its start.
            for name in TraceOutput.earlier(than: path) {
                guard !beginsTheRun(traces[0]), case .success((let bytes, _)) = bytes(of: name) else { break }
                traces.insert(bytes, at: 0)
            }
            var bar = ProgressBar(total: Int64(traces.reduce(0) { $0 + $1.count }), .bytes)
            defer { bar.clear() }
            let summary = TraceSummary.read(traces, tiles: tiles) { bar.show(Int64($0)) }
            guard let summary else { throw failure("not a trace: one JSON object a line would be right") }
            return summary
        }
    }

    /// Returns true if the run starts in this file, so that earlier files are of other runs. A run's first lines may
    /// precede its start event.
    private static func beginsTheRun(_ trace: [UInt8]) -> Bool {
        let mark = Array("\"event\":\"start\"".utf8)
        return trace.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes.count >= mark.count else { return false }
            return (0...bytes.count - mark.count).contains { memcmp(start + $0, mark, mark.count) == 0 }
        }
    }
}
