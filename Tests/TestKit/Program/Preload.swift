import Foundation

/// A preloaded library and the shared memory through which a test controls it.
///
/// Its C source lies beside this file and is built once per run. The library finds the path of the memory in an
/// environment variable.
public final class Preload: @unchecked Sendable {
    private let name: String
    private let variable: String
    private let path: String
    private let memory: UnsafeMutableRawPointer
    private let bytes: Int

    /// Creates memory for `count` values of type `Value`, all zero.
    init<Value>(_ name: String, _ variable: String, of type: Value.Type, count: Int) throws {
        (self.name, self.variable) = (name, variable)
        path = Scratch.path(name)
        bytes = count * MemoryLayout<Value>.stride
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0, ftruncate(file, bytes) == 0 else { throw Child.Failure.notFound(path) }
        memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!
        close(file)
    }

    func values<Value>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
        memory.assumingMemoryBound(to: type)
    }

    /// Returns the environment of a program that is to load these libraries.
    static func environment(_ preloads: [Preload]) throws -> [String: String?] {
        guard !preloads.isEmpty else { return [:] }
        var environment = Dictionary(uniqueKeysWithValues: preloads.map { ($0.variable, Optional($0.path)) })
        environment["LD_PRELOAD"] = try preloads.map { try libraries.path(of: $0.name) }.joined(separator: ":")
        return environment
    }

    deinit { munmap(memory, bytes) }

    /// Returns the path of a library that needs no memory of the test's.
    public static func library(_ name: String) throws -> String { try libraries.path(of: name) }

    private static let libraries = Libraries()

    private final class Libraries: @unchecked Sendable {
        private let lock = NSLock()
        private var built: [String: String] = [:]

        func path(of name: String) throws -> String {
            try lock.withLock {
                if let path = built[name] { return path }
                let source = (#filePath as NSString).deletingLastPathComponent + "/\(name).c"
                let path = Scratch.path("\(name).so")
                try run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", path, source, "-ldl", "-lpthread"])
                built[name] = path
                return path
            }
        }
    }
}
