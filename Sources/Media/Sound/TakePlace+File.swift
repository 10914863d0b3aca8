import Base
import Glibc
import Scene

extension TakePlace {
    private static let longestJSON = 1 << 16

    /// Reads a take's place from the JSON beside its sound file. nil if there is no JSON: the file begins where its
    /// song does. May block as long as the file may.
    static func beside(_ source: String) -> TakePlace? {
        guard let path = SourceName.path(of: source).flatMap(TakeNote.path) else { return nil }
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= longestJSON else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(file, &bytes, bytes.count)
        return count == bytes.count ? TakeNote.place(in: bytes) : nil
    }
}
