import Foundation

/// Makes a program's video decoders slow, as long as it is wanted, by a preloaded library.
public final class SlowDecoder: @unchecked Sendable {
    private let path: String
    private let delay: UnsafeMutablePointer<Int32>

    public init() throws {
        path = Scratch.path("slowness")
        _ = try SlowDecoder.library.get()
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0, ftruncate(file, 4) == 0 else { throw Child.Failure.notFound(path) }
        delay = mmap(nil, 4, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!.bindMemory(to: Int32.self, capacity: 1)
        close(file)
    }

    /// How much longer each picture takes, in seconds.
    public var slowness: Double {
        get { Double(delay.pointee) / 1e6 }
        set { delay.pointee = Int32(newValue * 1e6) }
    }

    /// For the program that is to be slowed.
    public var environment: [String: String?] {
        get throws { ["LD_PRELOAD": try SlowDecoder.library.get(), "QUADRILLE_SLOWNESS": path] }
    }

    /// Built once per run.
    private static let library: Result<String, any Error> = Result {
        let source = (#filePath as NSString).deletingLastPathComponent + "/slow-decoder.c"
        let path = Scratch.path("slow-decoder.so")
        try TestKit.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", path, source, "-ldl"])
        return path
    }

    deinit { munmap(delay, 4) }
}
