/// What is wrong with a source that plays all the same.
public enum FilmDamage: Sendable, Hashable, CaseIterable {
    /// Its index names more than there is.
    case cutOff
    case brokenPictures

    var trouble: SourceTrouble {
        switch self {
        case .cutOff: SourceTrouble(.damaged, "it is cut off: its index names more than there is")
        case .brokenPictures: SourceTrouble(.damaged, "some of its pictures can't be decoded whole")
        }
    }
}
