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
        var unused: [Int: [UnsafeMutableRawPointer]] = [:]
        var bytes = 0
        /// By class: smallest number of unused buffers since the last call of `unneeded`.
        var idle: [Int: Int] = [:]

        /// Removes the buffers that were not needed since the last call.
        mutating func unneeded() -> [Block] {
            var found: [Block] = []
            for (size, count) in idle where count > 0 {
                for _ in 0..<count {
                    guard let base = unused[size]?.popLast() else { break }
                    bytes -= size
                    found.append(Block(base: base, bytes: size))
                }
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
        let unused = shelves.locked { $0.unused }
        for (size, bases) in unused {
            for base in bases { Block(base: base, bytes: size).free() }
        }
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
        let used = shelves.locked { shelves -> UnsafeMutableRawPointer? in
            guard let pointer = shelves.unused[size]?.popLast() else { return nil }
            shelves.bytes -= size
            let left = shelves.unused[size]?.count ?? 0
            shelves.idle[size] = min(shelves.idle[size] ?? 0, left)
            return pointer
        }
        if let used { return FrameBuffer(base: used, bytes: size, pool: self) }
        guard AddressSpace.hasRoom(for: size), let fresh = Block(bytes: size) else {
            throw SourceTrouble(.unreadable, "no memory for its frames")
        }
        return FrameBuffer(base: fresh.base, bytes: size, pool: self)
    }

    fileprivate func take(back base: UnsafeMutableRawPointer, bytes: Int) {
        let surplus = shelves.locked { shelves -> [Block] in
            var surplus: [Block] = []
            while shelves.bytes + bytes > limit,
                let other = shelves.unused.first(where: { $0.key != bytes && !$0.value.isEmpty })?.key,
                let base = shelves.unused[other]?.popLast()
            {
                shelves.bytes -= other
                shelves.idle[other] = min(shelves.idle[other] ?? 0, shelves.unused[other]?.count ?? 0)
                surplus.append(Block(base: base, bytes: other))
            }
            guard shelves.bytes + bytes <= limit else { return surplus + [Block(base: base, bytes: bytes)] }
            shelves.unused[bytes, default: []].append(base)
            shelves.bytes += bytes
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
    let base: UnsafeMutableRawPointer
    let bytes: Int
    private let pool: FrameBufferPool

    fileprivate init(base: UnsafeMutableRawPointer, bytes: Int, pool: FrameBufferPool) {
        (self.base, self.bytes, self.pool) = (base, bytes, pool)
    }

    deinit { pool.take(back: base, bytes: bytes) }
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

    init(base: UnsafeMutableRawPointer, bytes: Int) { (self.base, self.bytes) = (base, bytes) }

    /// nil if the system has no memory.
    init?(bytes: Int) {
        let base: UnsafeMutableRawPointer?
        if bytes >= Self.mappedFrom {
            let mapped = mmap(nil, bytes + 2 * Self.margin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            base = mapped == MAP_FAILED ? nil : mapped! + Self.margin
        } else {
            base = aligned_alloc(64, bytes)
        }
        guard let base else { return nil }
        self.init(base: base, bytes: bytes)
    }

    func free() {
        if bytes >= Self.mappedFrom {
            munmap(base - Self.margin, bytes + 2 * Self.margin)
        } else {
            Glibc.free(base)
        }
    }
}
