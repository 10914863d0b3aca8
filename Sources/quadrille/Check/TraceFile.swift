import Glibc
import WallCore

/// What play --trace wrote.
enum TraceFile {
    struct Trouble: Error { var what: String }

    static func read(_ path: String, tiles: [String]) -> Result<[MeasuredSeams], Trouble> {
        switch bytes(of: path) {
        case .failure(let code): return .failure(Trouble(what: code.description))
        case .success((let bytes, _)):
            return MeasuredSeams.read(bytes, tiles: tiles).map { .success($0) }
                ?? .failure(Trouble(what: "not a trace: one JSON object a line would be right"))
        }
    }
}
