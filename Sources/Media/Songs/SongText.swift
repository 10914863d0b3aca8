import Base
import Files
import Glibc
import Lyrics

/// An UltraStar song as a source.
enum SongText {
    private static let longest = 16 << 20

    /// Returns why a song can't be opened as a source; nil if it is no song. A song that is an item of its own does not
    /// reach this function if one of its files can be played.
    static func trouble(of location: String) -> SourceTrouble? {
        guard let path = SourceName.path(of: location), path.lowercased().hasSuffix(".txt"),
            case .success(let read) = bytes(of: path, atMost: longest), UltraStarReader.isSong(read.bytes)
        else { return nil }
        let song = UltraStarReader.read(read.bytes).song
        if let refusal = song.refusal { return SourceTrouble(.unsupported, refusal) }
        let names = [Song.File.audio, .instrumental, .vocals, .video].compactMap { song.files[$0] }
        if names.isEmpty { return SourceTrouble(.missing, "this song names no sound and no video") }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        if names.contains(where: { access(fileOfAnyCase(folder + $0), R_OK) == 0 }) {
            return SourceTrouble(
                .unsupported, "a song can't be a segment of an item; an item of its own would be right")
        }
        return SourceTrouble(.missing, "none of this song's files can be played: \(names.joined(separator: ", "))")
    }
}
