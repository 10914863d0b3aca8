import Base

/// Blocks of one stream whose place in time is not measured yet. Used only by the recorder's thread.
struct UnplacedBlocks {
    /// Number of the stream; nil until a block came.
    private var stream: Int?
    private var blocks: [TakeRecorder.Block] = []

    /// In blocks of about 50 ms.
    private static let most = 100

    /// True if the block is of the same stream as those before.
    func isContinued(by block: TakeRecorder.Block) -> Bool { stream == block.place.stream }

    /// Begins with the stream of a block. Blocks of the stream before are dropped.
    mutating func begin(with block: TakeRecorder.Block) { (stream, blocks) = (block.place.stream, []) }

    /// Notes that the stream has ended: the next block begins another one.
    mutating func endStream() { stream = nil }

    /// Adds a block. Returns all blocks if it has a place, and the time at which the first of them was heard; else nil.
    mutating func add(_ block: TakeRecorder.Block) -> (blocks: [TakeRecorder.Block], heardAt: Time)? {
        blocks.append(block)
        guard var place = block.place.heardAt else {
            if blocks.count > Self.most { blocks.removeFirst() }
            return nil
        }
        for before in blocks.dropLast() { place -= before.length }
        defer { blocks = [] }
        return (blocks, place)
    }
}

extension TakeRecorder.Block {
    var length: Time { SoundGrid.time(of: Int64(samples.count / 2)) }
}
