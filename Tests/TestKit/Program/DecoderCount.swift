import Foundation

/// How many video decoders a program has open, counted from outside by a preloaded library.
///
/// Left out: decoders that FFmpeg opens for itself while probing, and those of still images
/// (PNG, JPEG, BMP, WebP, TIFF; so Motion JPEG is not counted either).
public final class DecoderCount: @unchecked Sendable {
    private let path: String
    private let tally: UnsafeMutablePointer<Int32>

    public init() throws {
        path = Scratch.path("decoders")
        _ = try DecoderCount.library.get()
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0, ftruncate(file, 12) == 0 else { throw Child.Failure.notFound(path) }
        let memory = mmap(nil, 12, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!
        close(file)
        tally = memory.bindMemory(to: Int32.self, capacity: 3)
    }

    public var now: Int { Int(tally[0]) }
    public var most: Int { Int(tally[1]) }
    public var opened: Int { Int(tally[2]) }

    /// For the program that is to be counted.
    public var environment: [String: String?] {
        get throws { ["LD_PRELOAD": try DecoderCount.library.get(), "QUADRILLE_DECODERS": path] }
    }

    /// Built once per run.
    private static let library: Result<String, any Error> = Result {
        let source = (#filePath as NSString).deletingLastPathComponent + "/decoder-count.c"
        let path = Scratch.path("decoder-count.so")
        try TestKit.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", path, source, "-ldl", "-lpthread"])
        return path
    }

    deinit { munmap(tally, 12) }
}
