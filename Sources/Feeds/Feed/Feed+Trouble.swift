import Base
import Layout
import Scene

// Failures of a feed's sources.
extension Feed {
    /// Trouble after which the feed plays nothing more, or nothing until it is tried again; nil if there is none.
    public var lastingTrouble: SourceTrouble? {
        switch phase {
        case .barren, .hopeless: trouble.latest
        case .ended: onError == .stop ? trouble.latest : nil
        case .playing: nil
        }
    }
}
