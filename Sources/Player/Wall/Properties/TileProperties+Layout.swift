import Base
import Commands
import Feeds
import Layout

extension Properties {
    /// Fields of a tile's layout that are set by hand.
    static let settings: [TileProperty] = TileLayout.settings.map { setting in
        // The layout states what a tile that watches others decodes.
        let isOfFeed = setting.changes.contains(.decoding)
        return Property(
            setting.name, .tile, takes: setting.kind, setting.help, noticed: true,
            get: { isOfFeed && $0.tile.watch != nil ? nil : setting.value(of: $0.tile.layout) },
            set: { given in
                guard let change = setting.change(to: given.value) else { return .refused(given.value.refusal) }
                guard let reader = given.reader, !isOfFeed || reader.tile.watch == nil else {
                    return .refused(.propertyUnavailable)
                }
                return .change(.changeLayout(of: reader.owner, change))
            },
            reasonWithoutValue: { _ in "the layout states how a tile that compares is decoded" })
    }
}
