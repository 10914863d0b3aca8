/// Computes the sums of blocks for one sample depth.
protocol Blocks {
    associatedtype Sample: FixedWidthInteger
    associatedtype Sum: SIMDScalar & FixedWidthInteger

    /// Returns the sums of the four blocks in four rows of 16 samples.
    static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Sum>>
    /// Returns the SSIM of four windows.
    static func similarity(_ windows: BlockSums<SIMD4<Sum>>, _ stability: Stability) -> SIMD4<Float>
}

/// Samples of 8 bits.
enum ByteBlocks: Blocks {
    typealias Sample = UInt8

    @inline(__always) static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Int32>> {
        var lanes = Lanes()
        @inline(__always) func add(_ row: Int) {
            // Two samples a lane: a block is two lanes.
            let x = a.loadUnaligned(fromByteOffset: row &* aStride, as: SIMD8<UInt16>.self)
            let y = b.loadUnaligned(fromByteOffset: row &* bStride, as: SIMD8<UInt16>.self)
            lanes.add(signed(x & 0xFF), signed(y & 0xFF))
            lanes.add(signed(x &>> 8), signed(y &>> 8))
        }
        add(0)
        add(1)
        add(2)
        add(3)
        return lanes.pairs
    }

    /// Computes in integers without overflow: the sums of a window even fit into 16 bits.
    @inline(__always) static func similarity(
        _ windows: BlockSums<SIMD4<Int32>>, _ stability: Stability
    ) -> SIMD4<Float> {
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

    @inline(__always) static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Int32>> {
        // A block is four lanes.
        var left = Lanes(), right = Lanes()
        @inline(__always) func add(_ row: Int, _ column: Int, to lanes: inout Lanes) {
            let place = column &* 2
            lanes.add(
                a.loadUnaligned(fromByteOffset: row &* aStride &+ place, as: SIMD8<Int16>.self),
                b.loadUnaligned(fromByteOffset: row &* bStride &+ place, as: SIMD8<Int16>.self))
        }
        add(0, 0, to: &left)
        add(1, 0, to: &left)
        add(2, 0, to: &left)
        add(3, 0, to: &left)
        add(0, 8, to: &right)
        add(1, 8, to: &right)
        add(2, 8, to: &right)
        add(3, 8, to: &right)
        let (first, second) = (left.pairs, right.pairs)
        return BlockSums(
            sums: joined(first.sums, second.sums), differences: joined(first.differences, second.differences),
            sumSquares: joined(first.sumSquares, second.sumSquares),
            differenceSquares: joined(first.differenceSquares, second.differenceSquares))
    }

    @inline(__always) static func similarity(
        _ windows: BlockSums<SIMD4<Int32>>, _ stability: Stability
    ) -> SIMD4<Float> {
        similarityInDoubles(
            SIMD4<Double>(windows.sums), SIMD4<Double>(windows.differences),
            SIMD4<Double>(SIMD4<UInt32>(truncatingIfNeeded: windows.sumSquares)),
            SIMD4<Double>(SIMD4<UInt32>(truncatingIfNeeded: windows.differenceSquares)), stability)
    }
}

/// Samples of up to 16 bits.
enum DeepBlocks: Blocks {
    typealias Sample = UInt16

    @inline(__always) static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Int64>> {
        var four = BlockSums<SIMD4<Int64>>(sums: .zero, differences: .zero, sumSquares: .zero, differenceSquares: .zero)
        for block in 0..<4 {
            var sums = SIMD4<Int32>(), differences = SIMD4<Int32>()
            var sumSquares = SIMD4<UInt64>(), differenceSquares = SIMD4<UInt64>()
            for row in 0..<4 {
                let x = a.loadUnaligned(fromByteOffset: row * aStride + block * 8, as: SIMD4<UInt16>.self)
                let y = b.loadUnaligned(fromByteOffset: row * bStride + block * 8, as: SIMD4<UInt16>.self)
                let (p, q) = (SIMD4<Int32>(truncatingIfNeeded: x), SIMD4<Int32>(truncatingIfNeeded: y))
                sums &+= p &+ q
                differences &+= p &- q
                let sum = SIMD4<UInt64>(truncatingIfNeeded: SIMD4<UInt32>(truncatingIfNeeded: p &+ q))
                let distance = p &- q, size = distance.replacing(with: 0 &- distance, where: distance .< 0)
                let difference = SIMD4<UInt64>(truncatingIfNeeded: SIMD4<UInt32>(truncatingIfNeeded: size))
                sumSquares &+= sum &* sum
                differenceSquares &+= difference &* difference
            }
            four.sums[block] = Int64(sums.wrappedSum())
            four.differences[block] = Int64(differences.wrappedSum())
            four.sumSquares[block] = Int64(truncatingIfNeeded: sumSquares.wrappedSum())
            four.differenceSquares[block] = Int64(truncatingIfNeeded: differenceSquares.wrappedSum())
        }
        return four
    }

    @inline(__always) static func similarity(
        _ windows: BlockSums<SIMD4<Int64>>, _ stability: Stability
    ) -> SIMD4<Float> {
        similarityInDoubles(
            SIMD4<Double>(windows.sums), SIMD4<Double>(windows.differences), SIMD4<Double>(windows.sumSquares),
            SIMD4<Double>(windows.differenceSquares), stability)
    }
}

extension Blocks {
    /// Returns the sums of one block, for the blocks left at the end of a row.
    @inline(__always) static func one(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<Sum> {
        var one = BlockSums<Sum>(sums: 0, differences: 0, sumSquares: 0, differenceSquares: 0)
        for row in 0..<4 {
            for column in 0..<4 {
                let place = column * MemoryLayout<Sample>.size
                let x = Sum(truncatingIfNeeded: a.loadUnaligned(fromByteOffset: row * aStride + place, as: Sample.self))
                let y = Sum(truncatingIfNeeded: b.loadUnaligned(fromByteOffset: row * bStride + place, as: Sample.self))
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
@inline(__always) private func similarityInDoubles(
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

    @inline(__always) init() {}

    @inline(__always) mutating func add(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) {
        let (sum, difference) = (a &+ b, a &- b)
        sums &+= sum
        differences &+= difference
        sumSquares &+= productSums(sum, sum)
        differenceSquares &+= productSums(difference, difference)
    }

    /// Sums of two neighbouring lanes each.
    @inline(__always) var pairs: BlockSums<SIMD4<Int32>> {
        let ones = SIMD8<Int16>(repeating: 1)
        return BlockSums(
            sums: productSums(sums, ones), differences: productSums(differences, ones), sumSquares: sumSquares,
            differenceSquares: differenceSquares)
    }
}

@inline(__always) private func signed(_ lanes: SIMD8<UInt16>) -> SIMD8<Int16> {
    unsafeBitCast(lanes, to: SIMD8<Int16>.self)
}

/// Returns the sums of neighbouring products: one instruction (pmaddwd) on processors that have it.
@inline(__always) private func productSums(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    SIMD4<Int32>(truncatingIfNeeded: a.evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.evenHalf)
        &+ SIMD4<Int32>(truncatingIfNeeded: a.oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.oddHalf)
}

@inline(__always) private func joined(_ left: SIMD4<Int32>, _ right: SIMD4<Int32>) -> SIMD4<Int32> {
    let all = SIMD8<Int32>(lowHalf: left, highHalf: right)
    return all.evenHalf &+ all.oddHalf
}
