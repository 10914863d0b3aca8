import Base

/// Content of a tile: items that it plays, or others that it compares instead of playing.
public enum TileContent: Sendable, Equatable {
    case sequence([Item])
    case comparison(ComparisonLayout)

    /// Items of the sequence; empty if the tile compares.
    var items: [Item] { if case .sequence(let items) = self { items } else { [] } }

    /// Changes the sequence, or the items of each compared source.
    mutating func changeItems(_ change: (inout [Item]) -> Void) {
        switch self {
        case .sequence(var items):
            change(&items)
            self = .sequence(items)
        case .comparison(var comparison):
            for place in comparison.members.indices {
                guard case .source(var items, let offset) = comparison.members[place] else { continue }
                change(&items)
                comparison.members[place] = .source(items, offset: offset)
            }
            self = .comparison(comparison)
        }
    }
}

extension TileLayout {
    /// Items of its sequence; empty if the tile compares. Assigning them ends a comparison.
    public var play: [Item] {
        get { content.items }
        set { content = .sequence(newValue) }
    }

    /// Its comparison; nil if the tile plays. Assigning nil to a comparing tile leaves it an empty sequence.
    public var compare: ComparisonLayout? {
        get { if case .comparison(let comparison) = content { comparison } else { nil } }
        set {
            if let newValue {
                content = .comparison(newValue)
            } else if case .comparison = content {
                content = .sequence([])
            }
        }
    }
}
