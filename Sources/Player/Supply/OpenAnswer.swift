import Base
import Feeds
import Scene

/// Answer to an `OpenOrder`.
public enum OpenAnswer {
    /// `frame`: the frame of a still image; nil if the source is none. `stillness`: whether that frame equals the one
    /// that was fetched before; unknown unless the wall asks for that.
    case opened(OpenSourceID, OpenedFacts, frame: Frame?, stillness: Stillness = .unknown)
    case failed(SourceTrouble)
}

/// Answer to a `PosterOrder`.
public enum PosterAnswer {
    case image(Frame)
    case failed(SourceTrouble)
}
