/// Sums over the samples of one block or of several; a and b are the samples of the two frames. PSNR and SSIM follow
/// from these sums: a² + b² is half of (a + b)² + (a − b)², and ab is a quarter of (a + b)² − (a − b)².
struct BlockSums<Value> {
    /// Sum of a + b.
    var sums: Value
    /// Sum of a − b.
    var differences: Value
    /// Sum of (a + b)².
    var sumSquares: Value
    /// Sum of (a − b)².
    var differenceSquares: Value
}

/// The sums of a row of blocks. Each kind of sum is contiguous.
struct BlockRow<Sum: SIMDScalar> {
    let base: UnsafeMutablePointer<Sum>
    let capacity: Int

    /// Stores the sums of four blocks from `block` on.
    func store(_ four: BlockSums<SIMD4<Sum>>, at block: Int) {
        store(four.sums, 0, block)
        store(four.differences, 1, block)
        store(four.sumSquares, 2, block)
        store(four.differenceSquares, 3, block)
    }

    private func store(_ value: SIMD4<Sum>, _ kind: Int, _ block: Int) {
        UnsafeMutableRawPointer(base + kind * capacity + block).storeBytes(of: value, as: SIMD4<Sum>.self)
    }

    func store(_ one: BlockSums<Sum>, at block: Int) {
        (base[block], base[capacity + block]) = (one.sums, one.differences)
        (base[2 * capacity + block], base[3 * capacity + block]) = (one.sumSquares, one.differenceSquares)
    }

    @inline(__always) func load(_ kind: Int, at block: Int) -> SIMD4<Sum> {
        UnsafeRawPointer(base + kind * capacity + block).loadUnaligned(as: SIMD4<Sum>.self)
    }
}

extension BlockSums {
    /// Adds up four windows side by side, the first one with its upper left block at `block`. Without the attributes
    /// here and at `load`, a plane of 8 or 10 bits takes a fifth longer (`Blocks`).
    @inline(__always) init<Sum: SIMDScalar & FixedWidthInteger>(
        windowsAt block: Int, _ above: BlockRow<Sum>, _ row: BlockRow<Sum>
    ) where Value == SIMD4<Sum> {
        @inline(__always) func four(_ kind: Int) -> SIMD4<Sum> {
            above.load(kind, at: block) &+ above.load(kind, at: block + 1) &+ row.load(kind, at: block)
                &+ row.load(kind, at: block + 1)
        }
        self.init(sums: four(0), differences: four(1), sumSquares: four(2), differenceSquares: four(3))
    }
}

/// Constants that keep flat or black windows from dividing by zero. Both are twice FFmpeg's, like the terms to which
/// they are added.
struct Stability {
    let mean: Double
    let variance: Double

    init(bits: Int) {
        let most = Double(1 << bits - 1)
        mean = 2 * (0.01 * 0.01 * most * most * 64 + 0.5).rounded(.down)
        variance = 2 * (0.03 * 0.03 * most * most * 64 * 63 + 0.5).rounded(.down)
    }
}
