import Files
import Glibc
import WallCore

/// A song of UltraStar's, as a source.
enum SongText {
    private static let longest = 16 << 20

    /// Its files are played in its place, so one that is to be opened itself has none that can be: why. nil: it is none.
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
            return SourceTrouble(.unsupported, "a song is no segment of an item; an item of its own would be right")
        }
        return SourceTrouble(.missing, "of this song nothing can be played: \(names.joined(separator: ", "))")
    }
}
