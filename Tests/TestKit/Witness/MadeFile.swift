import Foundation

/// Files that the `ffmpeg` tool makes for tests, each of them once in a run.
///
/// Many tests make the same film, and a start of the tool takes a tenth of a second. MADE_MEDIA names the folder in which
/// the processes of a run keep what they made. Each test gets a copy, which it may change. Any thread may call any method.
public enum MadeFile {
    /// A copy that was handed out: the digest of what made it, and its state at that time.
    private struct Copy {
        let digest: String
        let state: State
    }

    private struct State: Equatable {
        let file: UInt64
        let size: Int64
        let changed: [Int]

        init?(_ path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            (file, size) = (UInt64(facts.st_ino), Int64(facts.st_size))
            changed = [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec]
        }
    }

    private static let folder: String = {
        let path = ProcessInfo.processInfo.environment["MADE_MEDIA"] ?? Scratch.folder + "/made"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()
    private static let lock = NSLock()
    /// By path.
    nonisolated(unsafe) private static var copies: [String: Copy] = [:]

    /// Returns a new file with this name that `ffmpeg` makes with these arguments.
    public static func named(_ name: String, _ arguments: [String]) throws -> String {
        let path = Scratch.path(name)
        try make(path, arguments)
        return path
    }

    /// Makes a file at `path` by `ffmpeg` with these arguments.
    public static func make(_ path: String, _ arguments: [String]) throws {
        guard let digest = digest(arguments, ending: (path as NSString).pathExtension) else {
            return try runTool(arguments, path)
        }
        let kept = "\(folder)/\(digest).\((path as NSString).pathExtension)"
        if access(kept, R_OK) != 0 {
            let unfinished = "\(folder)/\(UUID().uuidString).\((path as NSString).pathExtension)"
            try runTool(arguments, unfinished)
            guard rename(unfinished, kept) == 0 else { throw Child.Failure.notFound(kept) }
        }
        unlink(path)
        try FileManager.default.copyItem(atPath: kept, toPath: path)
        guard let state = State(path) else { throw Child.Failure.notFound(path) }
        lock.withLock { copies[path] = Copy(digest: digest, state: state) }
    }

    private static func runTool(_ arguments: [String], _ path: String) throws {
        try run(["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments + [path])
    }

    /// Names what the arguments make; nil if it is not the same in each process of the run, or more than one file. The
    /// arguments may name witness clips and unchanged copies, and no other file.
    private static func digest(_ arguments: [String], ending: String) -> String? {
        guard !["", "m3u8", "mpd"].contains(ending) else { return nil }
        var names: [String] = []
        for argument in arguments {
            if let copy = lock.withLock({ copies[argument] }) {
                guard copy.state == State(argument) else { return nil }
                names.append(copy.digest)
            } else {
                let isFile = argument.hasPrefix("/") || argument.contains(NSTemporaryDirectory())
                guard !isFile || argument.hasPrefix(Scratch.cache) else { return nil }
                names.append(argument)
            }
        }
        return Digest.of(names.joined(separator: "\n") + "\n.\(ending)")
    }
}
