import Base

/// Song files of one folder that are versions of each other: a song, and its instrumental in a file of its own.
public enum SongVersions {
    /// Returns the instrumentals among the songs of a folder: the file name of each, by that of its song.
    ///
    /// An instrumental is called so by its file's name. It has the title and the artist of its song, or no other name
    /// in a folder with one other song. Of several such songs its own has the most similar file name.
    public static func instrumentals(among songs: [String: Song]) -> [String: String] {
        let names = songs.keys.sorted(), others = names.filter { !isInstrumental($0) }
        var found: [String: String] = [:]
        for name in names where isInstrumental(name) {
            let alike = others.filter { isSame(songs[$0]!, songs[name]!) }.max {
                plainName($0).commonPrefix(with: plainName(name)) < plainName($1).commonPrefix(with: plainName(name))
            }
            let only = words.contains(plainName(name)) && others.count == 1 ? others[0] : nil
            if let song = alike ?? only, found[song] == nil { found[song] = name }
        }
        return found
    }

    private static let words = ["instrumental", "karaoke"]

    private static func plainName(_ name: String) -> String { SourceName.withoutEnding(name).lowercased() }

    /// True if the file's name says that the song has no vocals.
    public static func isInstrumental(_ name: String) -> Bool {
        let parts = plainName(name).split { !($0.isLetter || $0.isNumber) }
        return words.contains { parts.contains(Substring($0)) }
    }

    private static func isSame(_ song: Song, _ other: Song) -> Bool {
        !song.title.isEmpty && song.artist.lowercased() == other.artist.lowercased()
            && song.title.lowercased() == title(other).lowercased()
    }

    /// Returns the title without a remark in brackets at its end that names the version.
    private static func title(_ song: Song) -> String {
        guard let last = song.title.last, last == ")" || last == "]",
            let open = song.title.lastIndex(where: { $0 == "(" || $0 == "[" }),
            isInstrumental(String(song.title[open...]))
        else { return song.title }
        return String(song.title[..<open].unicodeScalars.trimmed)
    }
}

extension String {
    /// Number of characters with which both texts begin.
    fileprivate func commonPrefix(with other: String) -> Int { zip(self, other).prefix { $0 == $1 }.count }
}
