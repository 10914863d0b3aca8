import Base
import Feeds
import Scene

/// Answer to an `OpenOrder`.
public enum OpenAnswer {
    /// `frame`: the frame of a still image; nil if the source is none.
    case opened(OpenSourceID, OpenedFacts, frame: Frame?)
    case failed(SourceTrouble)
}

/// Answer to a `PosterOrder`.
public enum PosterAnswer {
    case image(Frame)
    case failed(SourceTrouble)
}
