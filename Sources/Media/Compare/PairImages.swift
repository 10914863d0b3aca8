import Base
import CFFmpeg
import Decoded
import Measurement

/// Images of a pair of frames, both upright and in colours: a crop where they differ most, and the whole reference.
///
/// The crops are PNGs, with the pixels as they are stored: nothing is scaled.
public struct PairImages: Sendable {
    /// Size of the upright frames, in stored pixels.
    public let frame: Size
    /// Part of the frames that the crops show.
    public let crop: Rect
    public let reference: [UInt8]
    public let other: [UInt8]
    /// |a − b| times `gain` of each colour: brighter means a larger difference.
    public let difference: [UInt8]
    /// The whole reference as a JPEG of `wholeSize`.
    public let whole: [UInt8]
    public let wholeSize: Size

    /// `largest`: largest size of a crop. `longest`: longest side of the whole reference. Returns nil if there is no
    /// memory, or no encoder.
    public init?(_ pair: FramePair, cropping largest: Size, whole longest: Int, gain: Int) {
        guard let other = try? pair.other.described(as: pair.reference) else { return nil }
        let scaler = Scaler(), pool = FrameBufferPool()
        func frame(_ codecFrame: CodecFrame, _ size: Size) -> Frame? {
            try? scaler.frame(from: codecFrame, size: size, formats: .bgra, pool: pool)
        }
        let stored = pair.reference.storage.turned(pair.reference.orientation.turn)
        guard let a = frame(pair.reference, stored), let b = frame(other, stored), a.size == b.size else { return nil }
        let crop = Self.errors(a, b).worst(largest), natural = pair.reference.natural
        let scale = min(1, Double(longest) / Double(max(1, natural.width, natural.height)))
        let small = Size(
            max(1, Int((Double(natural.width) * scale).rounded())),
            max(1, Int((Double(natural.height) * scale).rounded())))
        guard let first = Self.image(of: a, crop, StillEncoder.png),
            let second = Self.image(of: b, crop, StillEncoder.png),
            let difference = Self.difference(a, b, crop, gain: gain), let overview = frame(pair.reference, small),
            let whole = Self.image(of: overview, Rect(overview.size), StillEncoder.jpeg)
        else { return nil }
        (self.frame, self.crop, wholeSize) = (a.size, crop, overview.size)
        (reference, self.other, self.difference, self.whole) = (first, second, difference, whole)
    }

    /// Sums of the squared differences of all colours.
    private static func errors(_ a: Frame, _ b: Frame) -> ErrorBlocks {
        let (one, other) = (a.planes[0], b.planes[0]), size = a.size, side = ErrorBlocks.side
        return withExtendedLifetime((a, b)) {
            ErrorBlocks(of: size) { column, row in
                let left = column * side * 4, right = min((column + 1) * side, size.width) * 4
                var sum: UInt64 = 0
                for y in row * side..<min((row + 1) * side, size.height) {
                    let (first, second) = (one.base + y * one.stride, other.base + y * other.stride)
                    for x in left..<right where x & 3 != 3 {
                        let apart = Int(first[x]) - Int(second[x])
                        sum += UInt64(apart * apart)
                    }
                }
                return sum
            }
        }
    }

    private static func image(
        of frame: Frame, _ part: Rect, _ encode: (UnsafePointer<UInt8>, Int, Size) -> [UInt8]?
    ) -> [UInt8]? {
        withExtendedLifetime(frame) {
            let plane = frame.planes[0]
            return encode(plane.base + part.y * plane.stride + part.x * 4, plane.stride, part.size)
        }
    }

    private static func difference(_ a: Frame, _ b: Frame, _ crop: Rect, gain: Int) -> [UInt8]? {
        let (one, other) = (a.planes[0], b.planes[0]), width = crop.width * 4
        let pixels = withExtendedLifetime((a, b)) {
            [UInt8](unsafeUninitializedCapacity: width * crop.height) { bytes, count in
                for y in 0..<crop.height {
                    let first = one.base + (crop.y + y) * one.stride + crop.x * 4
                    let second = other.base + (crop.y + y) * other.stride + crop.x * 4
                    for x in 0..<width {
                        bytes[y * width + x] = UInt8(min(255, abs(Int(first[x]) - Int(second[x])) * gain))
                    }
                }
                count = width * crop.height
            }
        }
        return pixels.withUnsafeBufferPointer { StillEncoder.png(of: $0.baseAddress!, stride: width, size: crop.size) }
    }
}

/// Returns bytes as Base64, as in an image within a page.
public func base64(_ bytes: [UInt8]) -> String {
    let size = (bytes.count + 2) / 3 * 4 + 1
    return String(unsafeUninitializedCapacity: size) { room in
        room.withMemoryRebound(to: CChar.self) {
            _ = av_base64_encode($0.baseAddress, Int32(size), bytes, Int32(bytes.count))
        }
        return size - 1
    }
}
