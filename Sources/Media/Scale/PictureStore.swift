import Glibc
import Threads
import WallCore

/// Memory for pictures, used again and again. Any thread may call it.
///
/// Buffers come in classes of size, so that pictures of about one size share them. What lies unused
/// is bounded; beyond that it goes back to the system, other sizes first. So does, from time to time, what was not
/// needed since the last time: a rare crowd of pictures does not hold its memory for months.
public final class PictureStore: Sendable {
    private let shelves: Monitor<Shelves>
    private let limit: Int

    private struct Shelves: @unchecked Sendable {
        var unused: [Int: [UnsafeMutableRawPointer]] = [:]
        var bytes = 0
        /// By class: the fewest that lay unused since the last look.
        var idle: [Int: Int] = [:]
        var untilLook = PictureStore.returnsBetweenLooks

        /// Takes out what nobody has needed since the last look.
        mutating func superfluous() -> [UnsafeMutableRawPointer] {
            untilLook -= 1
            guard untilLook <= 0 else { return [] }
            untilLook = PictureStore.returnsBetweenLooks
            var found: [UnsafeMutableRawPointer] = []
            for (size, count) in idle where count > 0 {
                for _ in 0..<count {
                    guard let pointer = unused[size]?.popLast() else { break }
                    bytes -= size
                    found.append(pointer)
                }
            }
            idle = unused.mapValues(\.count)
            return found
        }
    }

    /// Some seconds of a wall of four.
    private static let returnsBetweenLooks = 1000

    /// At most `keeping` bytes lie unused.
    public init(keeping limit: Int = 64 << 20) {
        self.limit = limit
        shelves = Monitor(Shelves())
    }

    deinit {
        for pointer in shelves.locked({ $0.unused.values.flatMap { $0 } }) { free(pointer) }
    }

    /// Bytes that lie unused.
    public var unusedBytes: Int { shelves.locked { $0.bytes } }

    /// Memory of at least `bytes`, not cleared, aligned to 64. Throws where the system gives none.
    func buffer(ofBytes bytes: Int) throws(SourceTrouble) -> PictureBuffer {
        let size = PictureStore.classSize(bytes)
        let used = shelves.locked { shelves -> UnsafeMutableRawPointer? in
            guard let pointer = shelves.unused[size]?.popLast() else { return nil }
            shelves.bytes -= size
            let left = shelves.unused[size]?.count ?? 0
            shelves.idle[size] = min(shelves.idle[size] ?? left, left)
            return pointer
        }
        if let used { return PictureBuffer(base: used, bytes: size, store: self) }
        guard AddressSpace.hasRoom(for: size), let fresh = aligned_alloc(64, size) else {
            throw SourceTrouble(.unreadable, "no memory for its pictures")
        }
        return PictureBuffer(base: fresh, bytes: size, store: self)
    }

    fileprivate func take(back base: UnsafeMutableRawPointer, bytes: Int) {
        let surplus = shelves.locked { shelves -> [UnsafeMutableRawPointer] in
            var surplus: [UnsafeMutableRawPointer] = []
            while shelves.bytes + bytes > limit,
                let other = shelves.unused.first(where: { $0.key != bytes && !$0.value.isEmpty })?.key,
                let pointer = shelves.unused[other]?.popLast()
            {
                shelves.bytes -= other
                shelves.idle[other] = min(shelves.idle[other] ?? 0, shelves.unused[other]?.count ?? 0)
                surplus.append(pointer)
            }
            guard shelves.bytes + bytes <= limit else { return surplus + [base] }
            shelves.unused[bytes, default: []].append(base)
            shelves.bytes += bytes
            return surplus + shelves.superfluous()
        }
        for pointer in surplus { free(pointer) }
    }

    /// Rounded up to eighths of its power of two.
    private static func classSize(_ bytes: Int) -> Int {
        let power = Int.bitWidth - 1 - max(bytes, 4096).leadingZeroBitCount
        let step = 1 << (power - 3)
        return (max(bytes, 4096) + step - 1) / step * step
    }
}

/// A piece of a store's memory. Goes back to it in deinit, on whatever thread lets go last.
final class PictureBuffer: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let bytes: Int
    private let store: PictureStore

    fileprivate init(base: UnsafeMutableRawPointer, bytes: Int, store: PictureStore) {
        (self.base, self.bytes, self.store) = (base, bytes, store)
    }

    deinit { store.take(back: base, bytes: bytes) }
}
