import Base
import Media
import Scene
import Threads

/// Compares each image that a server sends for a source with the ones before it. Any thread may call it. A call takes a
/// few milliseconds, and others wait meanwhile.
final class ImageStillness: Sendable {
    private let watches = Locked<[Key: StillnessWatch]>([:])

    private struct Key: Hashable {
        let source: String
        /// Tiles of other sizes fetch the source for themselves.
        let size: Size
    }

    /// Each holds the brightness of one image.
    private static let most = 64

    func judge(_ frame: Frame, of source: String) -> Stillness {
        watches.locked { watches in
            let key = Key(source: source, size: frame.size)
            if watches[key] == nil, watches.count >= Self.most { watches = [:] }
            let watch = watches[key] ?? StillnessWatch()
            watches[key] = watch
            return watch.judge(frame) == .same ? .same : .moved
        }
    }
}
