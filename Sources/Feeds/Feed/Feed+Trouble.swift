import Base
import Layout
import Scene

// Failures of a feed's sources.
extension Feed {
    /// Notes trouble with a source. Returns true if it was not reported yet.
    public mutating func note(_ trouble: SourceTrouble, of source: String) -> Bool {
        self.trouble.note(trouble, of: source)
    }

    /// Notes the presence or absence of a damage. Returns true if it is new and must be reported.
    public mutating func note(_ damage: FilmDamage, isThere: Bool, in source: String) -> Bool {
        trouble.note(damage, isThere: isThere, in: source)
    }

    /// Does not open this source again before it is replaced.
    public mutating func giveUp(_ source: String) { trouble.giveUp(source) }

    /// Trouble after which the feed plays nothing more, or nothing until it is tried again; nil if there is none.
    public var lastingTrouble: SourceTrouble? {
        switch phase {
        case .barren, .hopeless: trouble.latest
        case .ended: onError == .stop ? trouble.latest : nil
        case .playing: nil
        }
    }
}
