import CYUV
import Decoded

/// Returns libyuv's constants for converting YUV of this kind to RGB. They live as long as the program. Any thread may
/// call it.
///
/// On x86, libyuv's own limited-range tables clip the factor of blue at 128/64. Blue is then up to 16 of 255 too low in
/// BT.709 and BT.2020. These tables have the exact factor.
public func yuvConstants(_ colorimetry: Colorimetry) -> UnsafePointer<YuvConstants> {
    switch (colorimetry.matrix, colorimetry.range) {
    case (.bt601, .limited): limited.bt601
    case (.bt601, .full): qd_bt601_full()
    case (.bt709, .limited): limited.bt709
    case (.bt709, .full): qd_bt709_full()
    case (.bt2020, .limited): limited.bt2020
    case (.bt2020, .full): qd_bt2020_full()
    }
}

/// The factor of blue for U is 255/224 * 2 * (1 - Kb), in sixty-fourths.
nonisolated(unsafe) private let limited = (
    bt601: table(qd_bt601_limited(), blue: 129), bt709: table(qd_bt709_limited(), blue: 135),
    bt2020: table(qd_bt2020_limited(), blue: 137)
)

/// Returns a copy, aligned as libyuv's own, with this factor of blue for U.
private func table(_ original: UnsafePointer<YuvConstants>, blue: UInt8) -> UnsafePointer<YuvConstants> {
    #if arch(x86_64)
        let bytes = MemoryLayout<YuvConstants>.size
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        copy.copyMemory(from: original, byteCount: bytes)
        // kUVToB comes first: 32 bytes, alternately for U and for V.
        for index in stride(from: 0, to: 32, by: 2) { copy.storeBytes(of: blue, toByteOffset: index, as: UInt8.self) }
        return UnsafePointer(copy.assumingMemoryBound(to: YuvConstants.self))
    #else
        return original
    #endif
}
