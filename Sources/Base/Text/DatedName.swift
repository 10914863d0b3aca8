/// Name of a file that belongs to a tile and an instant, without its extension. Names sort by time.
public enum DatedName {
    /// `instant`: for instance `2026-11-23T204305.123Z`.
    public static func of(_ tile: String, at instant: String) -> String {
        let plain = tile.unicodeScalars.map { $0.isPrintable && $0 != "/" ? Character($0) : "_" }
        var name = ""
        for character in plain.prefix(60) where name.utf8.count + character.utf8.count <= longestName {
            name.append(character)
        }
        return instant + "-" + name
    }

    /// Longest part of a file name that comes from the tile, in bytes. File systems allow 255 for all of it.
    private static let longestName = 180
}
