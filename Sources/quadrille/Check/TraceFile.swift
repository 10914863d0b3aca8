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
            let traces = (beginsTheRun(last) ? [] : [earlier(than: path)].compactMap { $0 }) + [last]
            return TraceSummary.read(traces, tiles: tiles).map { .success($0) }
                ?? .failure(Trouble(what: "not a trace: one JSON object a line would be right"))
        }
    }

    /// The one before, of a trace that went on in a new file.
    private static func earlier(than path: String) -> [UInt8]? {
        if case .success((let bytes, _)) = bytes(of: path + ".1") { bytes } else { nil }
    }

    /// What stands in another file is not of this run.
    private static func beginsTheRun(_ trace: [UInt8]) -> Bool {
        let first = trace.prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: first, as: UTF8.self).contains("\"event\":\"start\"")
    }
}
