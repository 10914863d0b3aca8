import WallCore

/// One plane of two pictures of one size and depth. Rows are `stride` bytes apart.
public struct PlanePair {
    public var first: UnsafeRawPointer
    public var firstStride: Int
    public var second: UnsafeRawPointer
    public var secondStride: Int
    public var width: Int
    public var height: Int

    public init(
        _ first: UnsafeRawPointer, stride firstStride: Int, _ second: UnsafeRawPointer, stride secondStride: Int,
        width: Int, height: Int
    ) {
        (self.first, self.firstStride) = (first, firstStride)
        (self.second, self.secondStride) = (second, secondStride)
        (self.width, self.height) = (width, height)
    }
}

/// PSNR's and SSIM's sums, as FFmpeg's filters psnr and ssim make them: both from the sums of blocks of 4x4 samples.
///
/// Samples of 8 bits are bytes, deeper ones (to 16 bits) words. Any thread; allocates two rows of blocks once.
public func planeSums(_ pair: PlanePair, bits: Int) -> PlaneSums {
    switch bits {
    case ...8: sums(pair, UInt8.self, ByteBlocks.self, bits)
    case ...12: sums(pair, UInt16.self, WordBlocks.self, bits)
    default: sums(pair, UInt16.self, DeepBlocks.self, bits)
    }
}

@inline(__always) private func sums<Sample: FixedWidthInteger, Kind: Blocks>(
    _ pair: PlanePair, _: Sample.Type, _: Kind.Type, _ bits: Int
) -> PlaneSums {
    let bytes = MemoryLayout<Sample>.size
    let (columns, rows) = (pair.width / 4, pair.height / 4)
    var result = PlaneSums()
    result.samples = pair.width * pair.height
    // What does not fill a block.
    addSquares(pair, Sample.self, x: columns * 4..<pair.width, y: 0..<rows * 4, &result)
    addSquares(pair, Sample.self, x: 0..<pair.width, y: rows * 4..<pair.height, &result)
    guard columns > 0, rows > 0 else { return result }
    // Windows are looked at four at a time, and need the block behind the last.
    let capacity = (columns + 3) / 4 * 4 + 4
    let stability = Stability(bits: bits)
    withUnsafeTemporaryAllocation(of: Kind.Sum.self, capacity: capacity * 8) { memory in
        memory.initialize(repeating: 0)
        var (above, row) = (
            BlockRow(memory.baseAddress!, capacity), BlockRow(memory.baseAddress! + capacity * 4, capacity)
        )
        for y in 0..<rows {
            swap(&above, &row)
            let a = pair.first + y * 4 * pair.firstStride, b = pair.second + y * 4 * pair.secondStride
            var squares = SIMD4<UInt64>()
            var block = 0
            while block + 4 <= columns {
                let sums = Kind.four(
                    a + block * 4 * bytes, pair.firstStride, b + block * 4 * bytes, pair.secondStride)
                row.store(sums, at: block)
                squares &+= SIMD4<UInt64>(
                    truncatingIfNeeded: sums.squares &- sums.products &- sums.products)
                block += 4
            }
            result.squares &+= squares.wrappedSum()
            while block < columns {
                let sums = oneBlock(
                    a + block * 4 * bytes, pair.firstStride, b + block * 4 * bytes, pair.secondStride, Sample.self,
                    Kind.Sum.self)
                (row.first[block], row.second[block]) = (sums.first, sums.second)
                (row.squares[block], row.products[block]) = (sums.squares, sums.products)
                result.squares &+= UInt64(truncatingIfNeeded: sums.squares &- sums.products &- sums.products)
                block += 1
            }
            if y > 0 { result.similarity += similarity(above, row, columns - 1, Kind.self, stability) }
        }
    }
    result.windows = max(0, columns - 1) * (rows - 1)
    return result
}

/// Keeps windows that are flat or black from dividing by nothing.
private struct Stability {
    let mean: Double
    let variance: Double

    init(bits: Int) {
        let most = Double(1 << bits - 1)
        mean = (0.01 * 0.01 * most * most * 64 + 0.5).rounded(.down)
        variance = (0.03 * 0.03 * most * most * 64 * 63 + 0.5).rounded(.down)
    }
}

/// The SSIM of so many windows, each made of two blocks of either row.
@inline(__always) private func similarity<Kind: Blocks>(
    _ above: BlockRow<Kind.Sum>, _ row: BlockRow<Kind.Sum>, _ count: Int, _: Kind.Type, _ stability: Stability
) -> Double {
    @inline(__always) func window(
        _ above: UnsafeMutablePointer<Kind.Sum>, _ row: UnsafeMutablePointer<Kind.Sum>, _ x: Int
    ) -> SIMD4<Double> {
        @inline(__always) func four(_ base: UnsafeMutablePointer<Kind.Sum>) -> SIMD4<Kind.Sum> {
            UnsafeRawPointer(base).loadUnaligned(as: SIMD4<Kind.Sum>.self)
        }
        return Kind.doubles(four(above + x) &+ four(above + x + 1) &+ four(row + x) &+ four(row + x + 1))
    }
    var total = SIMD4<Double>()
    var x = 0
    while x < count {
        let first = window(above.first, row.first, x), second = window(above.second, row.second, x)
        let squares = window(above.squares, row.squares, x), products = window(above.products, row.products, x)
        let means = first * second, powers = first * first + second * second
        let variances = squares * 64 - powers, covariance = products * 64 - means
        let likeness = (means * 2 + stability.mean) * (covariance * 2 + stability.variance)
        let size = (powers + stability.mean) * (variances + stability.variance)
        var ratio = likeness / size
        if x + 4 > count {
            for lane in count - x..<4 { ratio[lane] = 0 }
        }
        total += ratio
        x += 4
    }
    return total.sum()
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
