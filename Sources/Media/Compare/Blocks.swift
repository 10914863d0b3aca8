/// Computes the sums of blocks for one sample depth.
///
/// On one core of a busy AMD EPYC a plane of 1280x720 samples of 8 bits takes 0.38 ms, of 10 bits 0.42 ms, of 16 bits
/// 1.5 ms. With no function always inlined, 8 and 10 bits take 0.69 and 0.78 ms; with `Lanes.add` and `productSums`
/// alone 0.47 and 0.54 ms; with `four` and its rows, too, 0.46 and 0.50 ms.
protocol Blocks {
    associatedtype Sample: FixedWidthInteger
    associatedtype Sum: SIMDScalar & FixedWidthInteger

    /// Returns the sums of the four blocks in the first four rows of 16 samples.
    static func four(_ pair: PlanePair) -> BlockSums<SIMD4<Sum>>
    /// Returns the SSIM of four windows.
    static func similarity(_ windows: BlockSums<SIMD4<Sum>>, _ stability: Stability) -> SIMD4<Float>
}

/// Samples of 8 bits.
enum ByteBlocks: Blocks {
    typealias Sample = UInt8

    @inline(__always) static func four(_ pair: PlanePair) -> BlockSums<SIMD4<Int32>> {
        var lanes = Lanes()
        @inline(__always) func add(row: Int) {
            // Two samples a lane: a block is two lanes.
            let (x, y) = pair.load(SIMD8<UInt16>.self, row)
            lanes.add(SIMD8(truncatingIfNeeded: x & 0xFF), SIMD8(truncatingIfNeeded: y & 0xFF))
            lanes.add(SIMD8(truncatingIfNeeded: x &>> 8), SIMD8(truncatingIfNeeded: y &>> 8))
        }
        add(row: 0)
        add(row: 1)
        add(row: 2)
        add(row: 3)
        return lanes.pairs
    }

    /// Computes in integers without overflow: the sums of a window even fit into 16 bits.
    static func similarity(_ windows: BlockSums<SIMD4<Int32>>, _ stability: Stability) -> SIMD4<Float> {
        let sums = unsafeBitCast(windows.sums, to: SIMD8<Int16>.self)
        let both = unsafeBitCast(windows.sums | windows.differences &<< 16, to: SIMD8<Int16>.self)
        let powers = productSums(both, both), means = productSums(sums, sums) &<< 1 &- powers
        let squares = (windows.sumSquares &+ windows.differenceSquares) &<< 6
        let products = (windows.sumSquares &- windows.differenceSquares) &<< 6
        let mean = SIMD4<Int32>(repeating: Int32(stability.mean))
        let variance = SIMD4<Int32>(repeating: Int32(stability.variance))
        let likeness = SIMD4<Float>(means &+ mean) * SIMD4<Float>(products &- means &+ variance)
        return likeness / (SIMD4<Float>(powers &+ mean) * SIMD4<Float>(squares &- powers &+ variance))
    }
}

/// Samples of up to 12 bits: sums of squares fit into 32 bits.
enum WordBlocks: Blocks {
    typealias Sample = UInt16

    @inline(__always) static func four(_ pair: PlanePair) -> BlockSums<SIMD4<Int32>> {
        // A block is four lanes.
        var left = Lanes(), right = Lanes()
        @inline(__always) func add(row: Int) {
            let (x, y) = pair.load(SIMD8<Int16>.self, row), (u, v) = pair.load(SIMD8<Int16>.self, row, byte: 16)
            left.add(x, y)
            right.add(u, v)
        }
        add(row: 0)
        add(row: 1)
        add(row: 2)
        add(row: 3)
        let (first, second) = (left.pairs, right.pairs)
        return BlockSums(
            sums: joined(first.sums, second.sums), differences: joined(first.differences, second.differences),
            sumSquares: joined(first.sumSquares, second.sumSquares),
            differenceSquares: joined(first.differenceSquares, second.differenceSquares))
    }

    static func similarity(_ windows: BlockSums<SIMD4<Int32>>, _ stability: Stability) -> SIMD4<Float> {
        similarityInDoubles(
            SIMD4<Double>(windows.sums), SIMD4<Double>(windows.differences),
            SIMD4<Double>(SIMD4<UInt32>(truncatingIfNeeded: windows.sumSquares)),
            SIMD4<Double>(SIMD4<UInt32>(truncatingIfNeeded: windows.differenceSquares)), stability)
    }
}

/// Samples of up to 16 bits.
enum DeepBlocks: Blocks {
    typealias Sample = UInt16

    static func four(_ pair: PlanePair) -> BlockSums<SIMD4<Int64>> {
        var four = BlockSums<SIMD4<Int64>>(sums: .zero, differences: .zero, sumSquares: .zero, differenceSquares: .zero)
        for block in 0..<4 {
            let one = one(pair.from(0, byte: block * 8))
            (four.sums[block], four.differences[block]) = (one.sums, one.differences)
            (four.sumSquares[block], four.differenceSquares[block]) = (one.sumSquares, one.differenceSquares)
        }
        return four
    }

    static func similarity(_ windows: BlockSums<SIMD4<Int64>>, _ stability: Stability) -> SIMD4<Float> {
        similarityInDoubles(
            SIMD4<Double>(windows.sums), SIMD4<Double>(windows.differences), SIMD4<Double>(windows.sumSquares),
            SIMD4<Double>(windows.differenceSquares), stability)
    }
}

extension Blocks {
    /// Returns the sums of the first block, for the blocks left at the end of a row.
    static func one(_ pair: PlanePair) -> BlockSums<Sum> {
        var one = BlockSums<Sum>(sums: 0, differences: 0, sumSquares: 0, differenceSquares: 0)
        for row in 0..<4 {
            for column in 0..<4 {
                let (a, b) = pair.load(Sample.self, row, byte: column * MemoryLayout<Sample>.size)
                let (x, y) = (Sum(truncatingIfNeeded: a), Sum(truncatingIfNeeded: b))
                one.sums &+= x &+ y
                one.differences &+= x &- y
                one.sumSquares &+= (x &+ y) &* (x &+ y)
                one.differenceSquares &+= (x &- y) &* (x &- y)
            }
        }
        return one
    }
}

/// Exact up to the division: no sum has more than 52 bits.
private func similarityInDoubles(
    _ sums: SIMD4<Double>, _ differences: SIMD4<Double>, _ sumSquares: SIMD4<Double>,
    _ differenceSquares: SIMD4<Double>, _ stability: Stability
) -> SIMD4<Float> {
    let (p, m) = (sums * sums, differences * differences)
    let means = p - m, powers = p + m
    let variances = (sumSquares + differenceSquares) * 64 - powers
    let covariance = (sumSquares - differenceSquares) * 64 - means
    let likeness = (means + stability.mean) * (covariance + stability.variance)
    return SIMD4<Float>(likeness / ((powers + stability.mean) * (variances + stability.variance)))
}

/// Sums of eight samples of each frame at a time.
private struct Lanes {
    private var sums = SIMD8<Int16>()
    private var differences = SIMD8<Int16>()
    private var sumSquares = SIMD4<Int32>()
    private var differenceSquares = SIMD4<Int32>()

    @inline(__always) mutating func add(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) {
        let (sum, difference) = (a &+ b, a &- b)
        sums &+= sum
        differences &+= difference
        sumSquares &+= productSums(sum, sum)
        differenceSquares &+= productSums(difference, difference)
    }

    /// Sums of two neighbouring lanes each.
    var pairs: BlockSums<SIMD4<Int32>> {
        let ones = SIMD8<Int16>(repeating: 1)
        return BlockSums(
            sums: productSums(sums, ones), differences: productSums(differences, ones), sumSquares: sumSquares,
            differenceSquares: differenceSquares)
    }
}

/// Returns the sums of neighbouring products: one instruction (pmaddwd) on processors that have it.
@inline(__always) private func productSums(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    SIMD4<Int32>(truncatingIfNeeded: a.evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.evenHalf)
        &+ SIMD4<Int32>(truncatingIfNeeded: a.oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.oddHalf)
}

private func joined(_ left: SIMD4<Int32>, _ right: SIMD4<Int32>) -> SIMD4<Int32> {
    let all = SIMD8<Int32>(lowHalf: left, highHalf: right)
    return all.evenHalf &+ all.oddHalf
}
