import Foundation

/// The tests' own folders in the temporary folder.
public enum Scratch {
    /// Folder for files that tests write, made once per run and removed at its end. Folders of runs that were killed
    /// are removed by the next run.
    public static let folder: String = {
        let (place, name) = (NSTemporaryDirectory(), "quadrille-tests-")
        for old in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where old.hasPrefix(name) {
            guard let run = pid_t(old.dropFirst(name.count)), kill(run, 0) != 0, errno == ESRCH else { continue }
            try? FileManager.default.removeItem(atPath: "\(place)/\(old)")
        }
        let path = "\(place)/\(name)\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: Scratch.folder) }
        return path
    }()

    /// Folder of the witness clips, named by their content and kept between runs.
    public static let cache: String = {
        let path = NSTemporaryDirectory() + "/quadrille-witness-\(getuid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()

    private static let counter = Counter()

    /// Returns a path that no other test uses.
    public static func path(_ name: String) -> String { "\(folder)/\(counter.next())-\(name)" }

    /// Creates an empty folder that no other test uses.
    public static func newFolder(_ name: String) throws -> String {
        let path = path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Writes `text` to a new file with this name and returns its path.
    public static func file(_ name: String, _ text: String) throws -> String {
        let path = path(name)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

}

/// Counts from one. Any thread may call any method.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var last = 0

    @discardableResult
    func next() -> Int {
        lock.withLock {
            last += 1
            return last
        }
    }

    var count: Int { lock.withLock { last } }
}
