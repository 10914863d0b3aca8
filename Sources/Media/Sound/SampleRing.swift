/// Stereo samples by their number: the last `capacity` of a line without gaps. Not thread-safe.
struct SampleRing {
    private(set) var start: Int64 = 0
    private(set) var end: Int64 = 0
    private var storage: [Float] = []
    /// Length of the ring, in samples.
    static let capacity: Int64 = 1 << 16

    /// Empties the ring, which continues at `sample`.
    mutating func restart(at sample: Int64) { (start, end) = (sample, sample) }

    /// Removes the samples from `sample` on.
    mutating func truncate(to sample: Int64) { end = max(start, min(end, sample)) }

    /// Frees the memory.
    mutating func release() {
        storage = []
        restart(at: 0)
    }

    mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        if storage.isEmpty { storage = Array(repeating: 0, count: Int(Self.capacity) * 2) }
        var done = 0
        while done < samples.count {
            let place = Self.place(of: end) * 2
            let count = min(samples.count - done, storage.count - place)
            storage.withUnsafeMutableBufferPointer {
                ($0.baseAddress! + place).update(from: samples.baseAddress! + done, count: count)
            }
            done += count
            end += Int64(count / 2)
        }
        start = max(start, end - Self.capacity)
    }

    /// Copies the samples from `sample` on, at most `count`. Returns their number.
    func copy(from sample: Int64, _ count: Int, to target: UnsafeMutablePointer<Float>) -> Int {
        guard sample >= start, sample < end else { return 0 }
        let available = min(count, Int(end - sample)), place = Self.place(of: sample)
        let first = min(available, Int(Self.capacity) - place)
        storage.withUnsafeBufferPointer { storage in
            target.update(from: storage.baseAddress! + place * 2, count: first * 2)
            (target + first * 2).update(from: storage.baseAddress!, count: (available - first) * 2)
        }
        return available
    }

    private static func place(of sample: Int64) -> Int { Int(sample & (capacity - 1)) }
}
