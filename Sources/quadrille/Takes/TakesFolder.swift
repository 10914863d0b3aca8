import Base
import Console
import Files
import Glibc
import Media
import Scene

/// The folder of the recordings: a FLAC file and a JSON file for each. No file is ever overwritten. Used by one thread.
struct TakesFolder: Sendable {
    private let path: String

    /// `path`: from the command line; nil if it is `takes` in the music folder. The folder is made when the first
    /// recording begins.
    init(_ path: String?) { self.path = path ?? UserFolder.music + "/takes" }

    /// Creates a new file and its JSON. Names sort by time.
    func begin(_ note: TakeNote, on tile: String) throws(FilmTrouble) -> (file: TakeFile, path: String) {
        if let number = UserFolder.make(path) { throw FilmTrouble("\(path): \(String(cString: strerror(number)))") }
        var instant = SystemTime.nanoseconds
        while true {
            let base = path + "/" + DatedName.of(tile, at: SystemTime.name(instant))
            instant &+= 1_000_000
            let isTaken = [".flac", ".json", ".mkv"].contains { access(base + $0, F_OK) == 0 }
            if isTaken { continue }
            let file = try TakeFile(base + ".flac")
            do throws(FileTrouble) {
                try FileReplacement.write(note.json, to: base + ".json", readers: .asOthers)
            } catch {
                unlink(base + ".flac")
                throw FilmTrouble("\(error)")
            }
            return (file, base + ".flac")
        }
    }

    /// Path of the file with the frames of a recording.
    static func film(beside sound: String) -> String { sound.dropLast("flac".count) + "mkv" }
}
