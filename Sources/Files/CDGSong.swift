import Base

/// A karaoke song in the format CDG+audio. Finds the two files that make up the song, by their names.
public enum CDGSong {
    /// File name extensions that the audio file may have.
    public static let soundEndings = ["mp3", "ogg", "oga", "m4a", "flac", "opus", "wav", "aac", "wma"]
    /// Largest size of a CDG file, in bytes: more than any song has.
    public static let mostFrameBytes = 64 << 20
    public static let mostSoundBytes = 512 << 20

    public enum Kind: Sendable { case frames, sound, zip }

    /// Kind of file, by its extension; nil if the file is no part of a song.
    public static func kind(of name: String) -> Kind? {
        switch SourceName.ending(of: name) {
        case "cdg": .frames
        case "zip": .zip
        case let ending: soundEndings.contains(ending) ? .sound : nil
        }
    }

    /// Names of the files that may belong to this file, the likeliest first.
    public static func partners(of name: String) -> [String] {
        let endings =
            switch kind(of: name) {
            case .frames: soundEndings
            case .sound: ["cdg"]
            case .zip, nil: [String]()
            }
        let stem = SourceName.withoutEnding(name)
        return endings.flatMap { ["\(stem).\($0)", "\(stem).\($0.uppercased())"] }
    }

    /// Returns the members of a zip that make up its song; `sound` is nil if the zip has no audio.
    public static func parts(
        of directory: ZipDirectory
    ) throws(SourceTrouble) -> (frames: ZipDirectory.Member, sound: ZipDirectory.Member?) {
        let members = directory.members.filter { !isHidden($0.name) }
        let frames = members.filter { kind(of: $0.name) == .frames }
        var sounds = members.filter { kind(of: $0.name) == .sound }
        guard let frame = frames.first else {
            throw SourceTrouble(.unsupported, "the zip has no CDG file; song.cdg and song.mp3 in it would be right")
        }
        guard frames.count == 1 else {
            throw SourceTrouble(
                .unsupported,
                "the zip has \(frames.count) CDG files, such as \(fileName(frame.name)) and "
                    + "\(fileName(frames[1].name)); a zip for each song would be right")
        }
        if sounds.count > 1 {
            let stem = SourceName.withoutEnding(frame.name)
            sounds = sounds.filter { SourceName.withoutEnding($0.name) == stem }
        }
        guard sounds.count == 1 || !members.contains(where: { kind(of: $0.name) == .sound }) else {
            throw SourceTrouble(
                .unsupported,
                "the zip has several sound files; one named like \(fileName(frame.name)) would be right")
        }
        return (frame, sounds.first)
    }

    /// True if `name` is a CDG file and its audio file is also in the folder. Then the audio file stands for the song.
    public static func isCoveredByAudioFile(_ name: String, among names: Set<String>) -> Bool {
        kind(of: name) == .frames && partners(of: name).contains(where: names.contains)
    }

    /// True for folders, hidden files and the resource forks that macOS adds.
    private static func isHidden(_ name: String) -> Bool {
        name.hasSuffix("/") || fileName(name).hasPrefix(".") || name.split(separator: "/").contains("__MACOSX")
    }

    private static func fileName(_ name: String) -> String {
        name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
    }
}
