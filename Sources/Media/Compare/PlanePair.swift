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

    /// Returns a value of either plane, from a byte of a row on.
    func load<Value>(_: Value.Type, _ row: Int, byte: Int = 0) -> (first: Value, second: Value) {
        (
            first.loadUnaligned(fromByteOffset: row &* firstStride &+ byte, as: Value.self),
            second.loadUnaligned(fromByteOffset: row &* secondStride &+ byte, as: Value.self)
        )
    }

    /// The planes from a byte of a row on.
    func from(_ row: Int, byte: Int = 0) -> PlanePair {
        var pair = self
        pair.first += row &* firstStride &+ byte
        pair.second += row &* secondStride &+ byte
        return pair
    }
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

private func sums<Kind: Blocks>(_ pair: PlanePair, _: Kind.Type, _ bits: Int) -> PlaneSums {
    let (columns, rows) = (pair.size.width / 4, pair.size.height / 4)
    var result = PlaneSums()
    result.samples = pair.size.width * pair.size.height
    // Samples outside of whole blocks.
    result.squares += squares(pair, Kind.Sample.self, x: columns * 4..<pair.size.width, y: 0..<rows * 4)
    result.squares += squares(pair, Kind.Sample.self, x: 0..<pair.size.width, y: rows * 4..<pair.size.height)
    guard columns > 0, rows > 0 else { return result }
    // Windows are processed four at a time, and need the block after the last.
    let capacity = (columns + 3) / 4 * 4 + 4
    let stability = Stability(bits: bits)
    withUnsafeTemporaryAllocation(of: Kind.Sum.self, capacity: capacity * 8) { memory in
        let base = memory.baseAddress!
        base.initialize(repeating: 0, count: capacity * 8)
        var above = BlockRow(base: base, capacity: capacity)
        var row = BlockRow(base: base + capacity * 4, capacity: capacity)
        for y in 0..<rows {
            swap(&above, &row)
            result.squares &+= fill(row, columns, Kind.self, pair.from(4 * y))
            if y > 0 { result.similarity += similarity(above, row, columns - 1, Kind.self, stability) }
        }
    }
    result.windows = max(0, columns - 1) * (rows - 1)
    return result
}

/// Fills a row with the sums of its blocks. Returns the sum of the squared differences.
private func fill<Kind: Blocks>(
    _ row: BlockRow<Kind.Sum>, _ columns: Int, _: Kind.Type, _ pair: PlanePair
) -> UInt64 {
    let bytes = 4 * MemoryLayout<Kind.Sample>.size, fours = columns / 4 * 4
    var squares = SIMD4<UInt64>()
    var block = 0
    while block < fours {
        let four = Kind.four(pair.from(0, byte: block &* bytes))
        row.store(four, at: block)
        squares &+= SIMD4<UInt64>(truncatingIfNeeded: four.differenceSquares)
        block &+= 4
    }
    var result = squares.wrappedSum()
    while block < columns {
        let one = Kind.one(pair.from(0, byte: block &* bytes))
        row.store(one, at: block)
        result &+= UInt64(truncatingIfNeeded: one.differenceSquares)
        block &+= 1
    }
    return result
}

/// Returns the summed SSIM of `count` windows, each made of two blocks of either row.
private func similarity<Kind: Blocks>(
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

/// Returns the sum of the squared differences of some samples.
private func squares<Sample: FixedWidthInteger>(
    _ pair: PlanePair, _: Sample.Type, x: Range<Int>, y: Range<Int>
) -> UInt64 {
    var result: UInt64 = 0
    for row in y {
        for column in x {
            let (a, b) = pair.load(Sample.self, row, byte: column * MemoryLayout<Sample>.size)
            let difference = UInt64(truncatingIfNeeded: a > b ? a &- b : b &- a)
            result &+= difference &* difference
        }
    }
    return result
}

/// A frame of the reference and its partner of another film. Figures need both in one shape.
public struct FramePair: Sendable {
    public let reference: CodecFrame
    public let other: CodecFrame

    public init(reference: CodecFrame, other: CodecFrame) {
        (self.reference, self.other) = (reference, other)
    }

    /// PSNR and SSIM of the planes.
    public func figures() -> FrameFigures {
        let layout = PlaneLayout(reference.format)!
        return FrameFigures((0..<layout.count).map { sums(ofPlane: $0, layout) }, bits: layout.bits)
    }

    /// Mean squared error of the first plane, which is the luma.
    public func error() -> Double {
        let sums = sums(ofPlane: 0, PlaneLayout(reference.format)!)
        return Double(sums.squares) / Double(max(1, sums.samples))
    }

    private func sums(ofPlane index: Int, _ layout: PlaneLayout) -> PlaneSums {
        let (one, other) = (reference.plane(index, layout)!, other.plane(index, layout)!)
        let pair = PlanePair(
            first: one.base, firstStride: Int(one.stride), second: other.base, secondStride: Int(other.stride),
            size: one.size)
        return planeSums(pair, bits: layout.bits)
    }
}
