import Files
import Glibc
import Media
import WallCore

/// A song of UltraStar's, with what there is of its files.
struct PlayedSong {
    let path: String
    let files: SongFiles
    let mistakes: Mistakes?
    /// Named by it, and not there: each with the header's name.
    let missing: [(header: String, path: String)]

    /// nil: it is none. May block as long as opening its sound and its video does.
    init?(_ path: String) {
        guard case .success(let read) = bytes(of: path, atMost: Self.longest), UltraStarReader.isSong(read.bytes)
        else { return nil }
        let (song, mistakes) = UltraStarReader.read(read.bytes)
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        let named = song.files.mapValues { folder + $0 }
        let isThere = named.filter { access($0.value, R_OK) == 0 }
        (self.path, self.mistakes) = (path, mistakes)
        missing = Song.File.allCases.compactMap { file in
            guard let path = named[file], isThere[file] == nil else { return nil }
            return (file.rawValue.uppercased(), path)
        }
        let sound = isThere[.audio] ?? isThere[.instrumental]
        files = SongFiles(
            path: path, song: song, files: isThere, soundLength: sound.flatMap(Self.length),
            videoLength: isThere[.video].flatMap(Self.length))
    }

    private static let longest = 16 << 20

    private static func length(of path: String) -> Time? {
        try? SourceErrand { deadline throws(SourceTrouble) in try Source.open(path, deadline: deadline).facts.length }
            .value()
    }
}
