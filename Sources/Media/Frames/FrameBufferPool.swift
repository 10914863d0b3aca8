import Base
import Glibc
import Threads

/// Memory for frames, reused. Any thread may call it.
///
/// Buffers come in size classes, so that frames of similar size share them. Unused memory is bounded. Beyond the bound
/// buffers are freed, those of other sizes first. `giveBackUnneeded` frees the buffers that are left from a peak.
///
/// Large blocks are mapped one by one and leave no holes in the heap. A frame's memory returns on the thread that
/// releases its last reference.
public final class FrameBufferPool: Sendable {
    private let shelves: Locked<Shelves>
    private let limit: Int

    private struct Shelves: @unchecked Sendable {
        var unused: [Int: [Block]] = [:]
        var bytes = 0
        /// By class: smallest number of unused buffers since the last call of `unneeded`.
        var idle: [Int: Int] = [:]

        /// Removes an unused buffer of this size; nil if there is none.
        mutating func take(_ size: Int) -> Block? {
            guard let block = unused[size]?.popLast() else { return nil }
            bytes -= size
            idle[size] = min(idle[size] ?? 0, unused[size]?.count ?? 0)
            return block
        }

        /// Removes the buffers that were not needed since the last call.
        mutating func unneeded() -> [Block] {
            var found: [Block] = []
            for (size, count) in idle {
                for _ in 0..<count { if let block = take(size) { found.append(block) } }
            }
            unused = unused.filter { !$0.value.isEmpty }
            idle = unused.mapValues(\.count)
            return found
        }
    }

    /// `keeping`: largest number of bytes that stay unused.
    public init(keeping limit: Int = 64 << 20) {
        self.limit = limit
        shelves = Locked(Shelves())
    }

    deinit {
        for block in shelves.locked({ $0.unused.values.joined() }) { block.free() }
    }

    /// Size of the unused memory, in bytes.
    public var unusedBytes: Int { shelves.locked { $0.bytes } }

    /// Frees the memory that was not needed since the last call.
    public func giveBackUnneeded() {
        for block in shelves.locked({ $0.unneeded() }) { block.free() }
    }

    /// Returns memory of at least `bytes`, not cleared, aligned to 64. Throws if the system has none.
    func buffer(ofBytes bytes: Int) throws(SourceTrouble) -> FrameBuffer {
        let size = FrameBufferPool.classSize(bytes)
        if let used = shelves.locked({ $0.take(size) }) { return FrameBuffer(used, pool: self) }
        guard AddressSpace.hasRoom(for: size), let fresh = Block(bytes: size) else {
            throw SourceTrouble(.unreadable, "no memory for its frames")
        }
        return FrameBuffer(fresh, pool: self)
    }

    fileprivate func take(back block: Block) {
        let surplus = shelves.locked { shelves -> [Block] in
            var surplus: [Block] = []
            while shelves.bytes + block.bytes > limit,
                let other = shelves.unused.first(where: { $0.key != block.bytes && !$0.value.isEmpty })?.key,
                let taken = shelves.take(other)
            {
                surplus.append(taken)
            }
            guard shelves.bytes + block.bytes <= limit else { return surplus + [block] }
            shelves.unused[block.bytes, default: []].append(block)
            shelves.bytes += block.bytes
            return surplus
        }
        for block in surplus { block.free() }
    }

    /// Rounds up to a multiple of an eighth of the power of two below.
    private static func classSize(_ bytes: Int) -> Int {
        let power = Int.bitWidth - 1 - max(bytes, 4096).leadingZeroBitCount
        let step = 1 << (power - 3)
        return (max(bytes, 4096) + step - 1) / step * step
    }
}

/// A block of a pool's memory. `deinit` returns it to the pool, on the thread that releases it last.
final class FrameBuffer: @unchecked Sendable {
    var base: UnsafeMutableRawPointer { block.base }
    private let block: Block
    private let pool: FrameBufferPool

    fileprivate init(_ block: Block, pool: FrameBufferPool) { (self.block, self.pool) = (block, pool) }

    deinit { pool.take(back: block) }
}

/// A block of memory from the system, of a class's size.
///
/// A large block is mapped by itself. On the heap it would take the space of freed blocks, and leave a hole of its own
/// size when it is freed.
private struct Block {
    let base: UnsafeMutableRawPointer
    let bytes: Int

    private static let mappedFrom = 64 << 10
    /// Bytes before and after a mapped block. A codec that reads a little beyond its frame stays within them.
    private static let margin = 4096

    /// nil if the system has no memory.
    init?(bytes: Int) {
        self.bytes = bytes
        if bytes >= Self.mappedFrom {
            let mapped = mmap(nil, bytes + 2 * Self.margin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            if mapped == MAP_FAILED { return nil }
            base = mapped! + Self.margin
        } else {
            guard let allocated = aligned_alloc(64, bytes) else { return nil }
            base = allocated
        }
    }

    func free() {
        if bytes >= Self.mappedFrom {
            munmap(base - Self.margin, bytes + 2 * Self.margin)
        } else {
            Glibc.free(base)
        }
    }
}
