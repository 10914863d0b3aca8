import Base
import Decoded
import Opened

/// Judges if a live source still shows the same frame. Used by one thread.
///
/// Each frame is compared with the first one that looked like it. Changes by coding alone are ignored, since a frozen
/// frame that is encoded repeatedly is never quite the same. A live scene without motion looks frozen too, unless its
/// camera adds noise. A clock in the scene tells a live scene from a frozen frame.
public final class StillnessWatch {
    private var size = Size(0, 0)
    private var format: Frame.Format?
    /// First plane of the frame that others are compared with, without padding between rows.
    private var reference: [UInt8] = []

    /// Largest mean difference over all samples, in 1/256 of a step. A camera's noise causes a larger one, and coding a
    /// smaller one.
    private static let mostOfAll = 64
    /// Largest mean difference in a block of `side` by `side` samples, in steps: a clock's digit changes few pixels.
    private static let mostOfBlock = 3
    private static let side = 16

    public init() {}

    public func judge(_ frame: Frame) -> Stillness {
        let isComparable = frame.size == size && frame.format == format
        if isComparable, isSame(frame) { return .same }
        keep(frame)
        return isComparable ? .moved : .unknown
    }

    private func width(of frame: Frame) -> Int {
        if case .bgra = frame.format { frame.size.width * 4 } else { frame.size.width }
    }

    private func keep(_ frame: Frame) {
        (size, format) = (frame.size, frame.format)
        let width = width(of: frame), plane = frame.planes[0]
        reference.removeAll(keepingCapacity: true)
        for row in 0..<frame.size.height {
            reference.append(contentsOf: UnsafeBufferPointer(start: plane.base + row * plane.stride, count: width))
        }
    }

    private func isSame(_ frame: Frame) -> Bool {
        let width = width(of: frame), height = frame.size.height, plane = frame.planes[0]
        let most = width * height * Self.mostOfAll / 256
        return reference.withUnsafeBufferPointer { reference in
            guard let base = reference.baseAddress else { return false }
            var all = 0
            var sums = [Int](repeating: 0, count: (width + Self.side - 1) / Self.side)
            for top in stride(from: 0, to: height, by: Self.side) {
                let rows = min(Self.side, height - top)
                for index in sums.indices { sums[index] = 0 }
                for row in top..<top + rows {
                    addDifferences(base + row * width, plane.base + row * plane.stride, width, &sums)
                }
                for sum in sums {
                    // The last block of a row or column may be smaller.
                    if sum > Self.mostOfBlock * Self.side * Self.side { return false }
                    all += sum
                }
                if all > most { return false }
            }
            return true
        }
    }

    private func addDifferences(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ width: Int, _ sums: inout [Int]
    ) {
        let whole = width / Self.side
        sums.withUnsafeMutableBufferPointer { sums in
            for block in 0..<whole {
                let x = UnsafeRawPointer(a + block * Self.side).loadUnaligned(as: SIMD16<UInt8>.self)
                let y = UnsafeRawPointer(b + block * Self.side).loadUnaligned(as: SIMD16<UInt8>.self)
                let difference = pointwiseMax(x, y) &- pointwiseMin(x, y)
                sums[block] += Int(SIMD16<UInt16>(truncatingIfNeeded: difference).wrappedSum())
            }
            for x in whole * Self.side..<width { sums[whole] += abs(Int(a[x]) - Int(b[x])) }
        }
    }
}
