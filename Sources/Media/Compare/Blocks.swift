/// The sums of a row of blocks, each kind side by side.
struct BlockRow<Sum: SIMDScalar> {
    let first: UnsafeMutablePointer<Sum>
    let second: UnsafeMutablePointer<Sum>
    let squares: UnsafeMutablePointer<Sum>
    let products: UnsafeMutablePointer<Sum>

    @inline(__always) init(_ base: UnsafeMutablePointer<Sum>, _ capacity: Int) {
        (first, second) = (base, base + capacity)
        (squares, products) = (base + 2 * capacity, base + 3 * capacity)
    }

    @inline(__always) func store(_ sums: BlockSums<SIMD4<Sum>>, at block: Int) {
        UnsafeMutableRawPointer(first + block).storeBytes(of: sums.first, as: SIMD4<Sum>.self)
        UnsafeMutableRawPointer(second + block).storeBytes(of: sums.second, as: SIMD4<Sum>.self)
        UnsafeMutableRawPointer(squares + block).storeBytes(of: sums.squares, as: SIMD4<Sum>.self)
        UnsafeMutableRawPointer(products + block).storeBytes(of: sums.products, as: SIMD4<Sum>.self)
    }
}

/// Of one block or several: the samples of the first picture, of the second, the squares of both, the products.
struct BlockSums<Value> {
    var first: Value
    var second: Value
    var squares: Value
    var products: Value
}

/// How the sums of four blocks that lie side by side are made of four rows of 16 samples.
protocol Blocks {
    associatedtype Sum: SIMDScalar & FixedWidthInteger
    static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Sum>>
    static func doubles(_ sums: SIMD4<Sum>) -> SIMD4<Double>
}

/// Samples of 8 bits.
enum ByteBlocks: Blocks {
    @inline(__always) static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Int32>> {
        fourBlocks { column, row in
            let x = a.loadUnaligned(fromByteOffset: row * aStride + column, as: SIMD8<UInt8>.self)
            let y = b.loadUnaligned(fromByteOffset: row * bStride + column, as: SIMD8<UInt8>.self)
            return (SIMD8<Int16>(truncatingIfNeeded: x), SIMD8<Int16>(truncatingIfNeeded: y))
        }
    }
    @inline(__always) static func doubles(_ sums: SIMD4<Int32>) -> SIMD4<Double> { SIMD4<Double>(sums) }
}

/// Up to 12 bits: their sums of squares fit into 32.
enum WordBlocks: Blocks {
    @inline(__always) static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Int32>> {
        fourBlocks { column, row in
            let x = a.loadUnaligned(fromByteOffset: row * aStride + column * 2, as: SIMD8<Int16>.self)
            let y = b.loadUnaligned(fromByteOffset: row * bStride + column * 2, as: SIMD8<Int16>.self)
            return (x, y)
        }
    }
    @inline(__always) static func doubles(_ sums: SIMD4<Int32>) -> SIMD4<Double> { SIMD4<Double>(sums) }
}

/// Up to 16 bits.
enum DeepBlocks: Blocks {
    @inline(__always) static func four(
        _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int
    ) -> BlockSums<SIMD4<Int64>> {
        var sums = BlockSums<SIMD4<Int64>>(first: .zero, second: .zero, squares: .zero, products: .zero)
        for block in 0..<4 {
            var first = SIMD4<UInt32>(), second = SIMD4<UInt32>()
            var squares = SIMD4<UInt64>(), products = SIMD4<UInt64>()
            for row in 0..<4 {
                let x = a.loadUnaligned(fromByteOffset: row * aStride + block * 8, as: SIMD4<UInt16>.self)
                let y = b.loadUnaligned(fromByteOffset: row * bStride + block * 8, as: SIMD4<UInt16>.self)
                first &+= SIMD4<UInt32>(truncatingIfNeeded: x)
                second &+= SIMD4<UInt32>(truncatingIfNeeded: y)
                let (p, q) = (SIMD4<UInt64>(truncatingIfNeeded: x), SIMD4<UInt64>(truncatingIfNeeded: y))
                squares &+= p &* p &+ q &* q
                products &+= p &* q
            }
            sums.first[block] = Int64(first.wrappedSum())
            sums.second[block] = Int64(second.wrappedSum())
            sums.squares[block] = Int64(truncatingIfNeeded: squares.wrappedSum())
            sums.products[block] = Int64(truncatingIfNeeded: products.wrappedSum())
        }
        return sums
    }
    @inline(__always) static func doubles(_ sums: SIMD4<Int64>) -> SIMD4<Double> { SIMD4<Double>(sums) }
}

@inline(__always) private func fourBlocks(
    _ load: (_ column: Int, _ row: Int) -> (SIMD8<Int16>, SIMD8<Int16>)
) -> BlockSums<SIMD4<Int32>> {
    let left = twoBlocks { load(0, $0) }, right = twoBlocks { load(8, $0) }
    return BlockSums(
        first: joined(left.first, right.first), second: joined(left.second, right.second),
        squares: joined(left.squares, right.squares), products: joined(left.products, right.products))
}

/// Two numbers for each block.
@inline(__always) private func twoBlocks(
    _ load: (_ row: Int) -> (SIMD8<Int16>, SIMD8<Int16>)
) -> BlockSums<SIMD4<Int32>> {
    var first = SIMD8<Int16>(), second = SIMD8<Int16>()
    var squares = SIMD4<Int32>(), products = SIMD4<Int32>()
    for row in 0..<4 {
        let (a, b) = load(row)
        first &+= a
        second &+= b
        squares &+= multiplied(a, a) &+ multiplied(b, b)
        products &+= multiplied(a, b)
    }
    let ones = SIMD8<Int16>(repeating: 1)
    return BlockSums(
        first: multiplied(first, ones), second: multiplied(second, ones), squares: squares, products: products)
}

/// The sums of neighbours' products: one instruction (pmaddwd) where the processor has it.
@inline(__always) private func multiplied(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    SIMD4<Int32>(truncatingIfNeeded: a.evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.evenHalf)
        &+ SIMD4<Int32>(truncatingIfNeeded: a.oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.oddHalf)
}

@inline(__always) private func joined(_ left: SIMD4<Int32>, _ right: SIMD4<Int32>) -> SIMD4<Int32> {
    let all = SIMD8<Int32>(lowHalf: left, highHalf: right)
    return all.evenHalf &+ all.oddHalf
}

@inline(__always) func oneBlock<Sample: FixedWidthInteger, Sum: FixedWidthInteger>(
    _ a: UnsafeRawPointer, _ aStride: Int, _ b: UnsafeRawPointer, _ bStride: Int, _: Sample.Type, _: Sum.Type
) -> BlockSums<Sum> {
    var sums = BlockSums<Sum>(first: 0, second: 0, squares: 0, products: 0)
    for row in 0..<4 {
        for column in 0..<4 {
            let place = column * MemoryLayout<Sample>.size
            let x = Sum(truncatingIfNeeded: a.loadUnaligned(fromByteOffset: row * aStride + place, as: Sample.self))
            let y = Sum(truncatingIfNeeded: b.loadUnaligned(fromByteOffset: row * bStride + place, as: Sample.self))
            sums.first &+= x
            sums.second &+= y
            sums.squares &+= x &* x &+ y &* y
            sums.products &+= x &* y
        }
    }
    return sums
}
