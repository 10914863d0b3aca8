import Base
import Files
import Scene

extension TakePlace {
    private static let longestJSON = 1 << 16

    /// Reads a take's place from the JSON beside its sound file. nil if there is no JSON: the file begins where its
    /// song does. May block as long as the file may.
    static func beside(_ source: String) -> TakePlace? {
        guard let path = SourceName.path(of: source).flatMap(TakeNote.path) else { return nil }
        guard case .success(let read) = bytes(of: path, atMost: longestJSON) else { return nil }
        return TakeNote.place(in: read.bytes)
    }
}
