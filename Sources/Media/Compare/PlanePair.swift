import Base
import CFFmpeg
import Measurement

/// One plane of two frames of one size and depth. Rows are `stride` bytes apart. Samples of 8 bits are bytes, deeper
/// ones words.
struct PlanePair {
    var first: UnsafeRawPointer
    var firstStride: Int
    var second: UnsafeRawPointer
    var secondStride: Int
    var size: Size
}

/// Computes the sums for PSNR and SSIM as FFmpeg's filters psnr and ssim do. Both use blocks of 4x4 samples, each of
/// which is read once.
///
/// Samples have up to 16 bits. Any thread may call; allocates two rows of blocks once.
func planeSums(_ pair: PlanePair, bits: Int) -> PlaneSums {
    switch bits {
    case ...8: sums(pair, ByteBlocks.self, bits)
    case ...12: sums(pair, WordBlocks.self, bits)
    default: sums(pair, DeepBlocks.self, bits)
    }
}

@inline(__always) private func sums<Kind: Blocks>(_ pair: PlanePair, _: Kind.Type, _ bits: Int) -> PlaneSums {
    let blockBytes = 4 * MemoryLayout<Kind.Sample>.size
    let (columns, rows) = (pair.size.width / 4, pair.size.height / 4)
    var result = PlaneSums()
    result.samples = pair.size.width * pair.size.height
    // Samples outside of whole blocks.
    addSquares(pair, Kind.Sample.self, x: columns * 4..<pair.size.width, y: 0..<rows * 4, &result)
    addSquares(pair, Kind.Sample.self, x: 0..<pair.size.width, y: rows * 4..<pair.size.height, &result)
    guard columns > 0, rows > 0 else { return result }
    // Windows are processed four at a time, and need the block after the last.
    let capacity = (columns + 3) / 4 * 4 + 4
    let stability = Stability(bits: bits)
    withUnsafeTemporaryAllocation(of: Kind.Sum.self, capacity: capacity * 8) { memory in
        let base = memory.baseAddress!
        base.initialize(repeating: 0, count: capacity * 8)
        var (above, row) = (BlockRow(base, capacity), BlockRow(base + capacity * 4, capacity))
        for y in 0..<rows {
            swap(&above, &row)
            let a = pair.first + y * 4 * pair.firstStride, b = pair.second + y * 4 * pair.secondStride
            result.squares &+= fill(row, columns, Kind.self, blockBytes, a, pair.firstStride, b, pair.secondStride)
            if y > 0 { result.similarity += similarity(above, row, columns - 1, Kind.self, stability) }
        }
    }
    result.windows = max(0, columns - 1) * (rows - 1)
    return result
}

/// Fills a row with the sums of its blocks. Returns the sum of the squared differences.
@inline(__always) private func fill<Kind: Blocks>(
    _ row: BlockRow<Kind.Sum>, _ columns: Int, _: Kind.Type, _ bytes: Int, _ a: UnsafeRawPointer, _ aStride: Int,
    _ b: UnsafeRawPointer, _ bStride: Int
) -> UInt64 {
    var squares = SIMD4<UInt64>()
    let fours = columns / 4 * 4
    var block = 0
    while block < fours {
        let four = Kind.four(a + block &* bytes, aStride, b + block &* bytes, bStride)
        row.store(four, at: block)
        squares &+= SIMD4<UInt64>(truncatingIfNeeded: four.differenceSquares)
        block &+= 4
    }
    var result = squares.wrappedSum()
    while block < columns {
        let one = Kind.one(a + block &* bytes, aStride, b + block &* bytes, bStride)
        row.store(one, at: block)
        result &+= UInt64(truncatingIfNeeded: one.differenceSquares)
        block &+= 1
    }
    return result
}

/// Returns the summed SSIM of `count` windows, each made of two blocks of either row.
@inline(__always) private func similarity<Kind: Blocks>(
    _ above: BlockRow<Kind.Sum>, _ row: BlockRow<Kind.Sum>, _ count: Int, _: Kind.Type, _ stability: Stability
) -> Double {
    var total = SIMD4<Float>()
    let fours = count / 4 * 4
    var block = 0
    while block < fours {
        total += Kind.similarity(BlockSums(windowsAt: block, above, row), stability)
        block &+= 4
    }
    if block < count {
        let last = Kind.similarity(BlockSums(windowsAt: block, above, row), stability)
        for lane in 0..<count - block { total[lane] += last[lane] }
    }
    return Double(total.sum())
}

@inline(__always) private func addSquares<Sample: FixedWidthInteger>(
    _ pair: PlanePair, _: Sample.Type, x: Range<Int>, y: Range<Int>, _ result: inout PlaneSums
) {
    for row in y {
        for column in x {
            let place = column * MemoryLayout<Sample>.size
            let a = pair.first.loadUnaligned(fromByteOffset: row * pair.firstStride + place, as: Sample.self)
            let b = pair.second.loadUnaligned(fromByteOffset: row * pair.secondStride + place, as: Sample.self)
            let difference = UInt64(truncatingIfNeeded: a > b ? a &- b : b &- a)
            result.squares &+= difference &* difference
        }
    }
}

/// A frame of the reference and its partner of another film. Figures need both in one shape.
public struct FramePair: Sendable {
    public let reference: CodecFrame
    public let other: CodecFrame

    public init(reference: CodecFrame, other: CodecFrame) {
        (self.reference, self.other) = (reference, other)
    }
}

extension FramePair {
    /// PSNR and SSIM of the planes.
    public func figures() -> FrameFigures {
        let layout = PlaneLayout(reference.av.pointee.format)!
        return FrameFigures((0..<layout.count).map { sums(ofPlane: $0, layout) }, bits: layout.bits)
    }

    /// Mean squared error of the first plane, which is the luma.
    public func error() -> Double {
        let sums = sums(ofPlane: 0, PlaneLayout(reference.av.pointee.format)!)
        return Double(sums.squares) / Double(max(1, sums.samples))
    }

    private func sums(ofPlane index: Int, _ layout: PlaneLayout) -> PlaneSums {
        let size = layout.size(ofPlane: index, in: reference.storage), plane = Int32(index)
        return planeSums(
            PlanePair(
                first: qd_plane(reference.av, plane)!, firstStride: Int(qd_stride(reference.av, plane)),
                second: qd_plane(other.av, plane)!, secondStride: Int(qd_stride(other.av, plane)), size: size),
            bits: layout.bits)
    }
}
