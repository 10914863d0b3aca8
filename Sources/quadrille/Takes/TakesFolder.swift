import Base
import Console
import Files
import Glibc
import Heard
import Media

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

/// Folders of the user's own media.
enum UserFolder {
    static var music: String { path("XDG_MUSIC_DIR", otherwise: "Music") }
    static var pictures: String { path("XDG_PICTURES_DIR", otherwise: "Pictures") }

    /// Returns the folder as the desktop's user-dirs.dirs names it; else the one of the usual name in the home folder.
    private static func path(_ variable: String, otherwise usual: String) -> String {
        let home = environment("HOME") ?? "."
        let settings = (environment("XDG_CONFIG_HOME") ?? home + "/.config") + "/user-dirs.dirs"
        guard case .success((let bytes, _)) = bytes(of: settings) else { return "\(home)/\(usual)" }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            // VARIABLE="value", with or without blanks around the sign.
            let parts = line.split(separator: "\"")
            guard parts.count > 1, parts[0].filter({ $0 != " " && $0 != "\t" }) == variable + "=" else { continue }
            let value = parts[1]
            let folder = value.hasPrefix("$HOME") ? home + value.dropFirst("$HOME".count) : String(value)
            if folder.hasPrefix("/") { return folder.hasSuffix("/") ? String(folder.dropLast()) : folder }
        }
        return "\(home)/\(usual)"
    }

    /// Makes a folder and its parents. Returns the error's number, or nil if the folder exists.
    static func make(_ path: String, mode: mode_t = 0o755) -> Int32? {
        func makeLast() -> Int32? { mkdir(path, mode) == 0 || errno == EEXIST ? nil : errno }
        guard let number = makeLast() else { return nil }
        guard number == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return number }
        return make(String(path[..<slash]), mode: mode) ?? makeLast()
    }
}
