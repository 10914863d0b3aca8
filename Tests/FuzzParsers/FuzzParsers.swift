import Glibc

/// Parsers that libFuzzer feeds; libFuzzer brings `main`. They fail by a crash, by a hang, or by taking too much
/// memory.
enum FuzzParsers {
    typealias Target = @Sendable (UnsafeBufferPointer<UInt8>) -> Void

    private static let all: [String: Target] = [
        "layouts": feedLayouts, "requests": feedRequests, "lyrics": feedLyrics, "zips": feedZips,
    ]
    nonisolated(unsafe) fileprivate static var target: Target = { _ in }

    /// The target's name precedes libFuzzer's own arguments.
    fileprivate static func choose(_ name: String) {
        guard let named = all[name] else {
            print("fuzz-parsers \(all.keys.sorted().joined(separator: "|")) [CORPUS...] [-OPTION=VALUE...]")
            exit(2)
        }
        target = named
    }
}

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    FuzzParsers.choose(count.pointee > 1 ? String(cString: arguments.pointee[1]!) : "")
    arguments.pointee[1] = arguments.pointee[0]
    arguments.pointee += 1
    count.pointee -= 1
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzParsers.target(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
