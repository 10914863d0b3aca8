/// A song whose words are frames of the format CDG: which two files it is made of, by their names.
public enum CDGSong {
    /// What its sound's name may end in.
    public static let soundEndings = ["mp3", "ogg", "oga", "m4a", "flac", "opus", "wav", "aac", "wma"]
    /// More frames than any song has.
    public static let mostFrameBytes = 64 << 20
    public static let mostSoundBytes = 512 << 20

    public enum Kind: Sendable { case frames, sound, zip }

    /// By the ending; nil: it is no part of a song.
    public static func kind(of name: String) -> Kind? {
        switch split(name).ending.lowercased() {
        case "cdg": .frames
        case "zip": .zip
        case let ending: soundEndings.contains(ending) ? .sound : nil
        }
    }

    /// What stands before the ending, with its folder: equal for what belongs together.
    public static func stem(of name: String) -> String { String(split(name).stem) }

    /// What may stand beside a file and belong to it, the likeliest first.
    public static func partners(of name: String) -> [String] {
        let endings =
            switch kind(of: name) {
            case .frames: soundEndings
            case .sound: ["cdg"]
            case .zip, nil: [String]()
            }
        return endings.flatMap { ending in ["\(stem(of: name)).\(ending)", "\(stem(of: name)).\(ending.uppercased())"] }
    }

    /// Which members of a zip it is made of; `sound`: nil: it has none.
    public static func parts(
        of directory: ZipDirectory
    ) throws(SourceTrouble) -> (frames: ZipDirectory.Member, sound: ZipDirectory.Member?) {
        let members = directory.members.filter { !isHidden($0.name) }
        let frames = members.filter { kind(of: $0.name) == .frames }
        var sounds = members.filter { kind(of: $0.name) == .sound }
        guard let frame = frames.first else {
            throw SourceTrouble(.unsupported, "there is no CDG in the zip; song.cdg and song.mp3 in it would be right")
        }
        guard frames.count == 1 else {
            throw SourceTrouble(
                .unsupported,
                "there are \(frames.count) CDGs in the zip, \(fileName(frame.name)) and \(fileName(frames[1].name)) "
                    + "among them; a zip for each song would be right")
        }
        if sounds.count > 1 { sounds = sounds.filter { stem(of: $0.name) == stem(of: frame.name) } }
        guard sounds.count == 1 || !members.contains(where: { kind(of: $0.name) == .sound }) else {
            throw SourceTrouble(
                .unsupported,
                "there are several sounds in the zip; one, called like \(fileName(frame.name)), would be right")
        }
        return (frame, sounds.first)
    }

    /// Of a folder's files: frames stand for their song only where its sound does not.
    public static func isSpokenFor(_ name: String, among names: Set<String>) -> Bool {
        kind(of: name) == .frames && partners(of: name).contains(where: names.contains)
    }

    /// What a Mac puts beside each file.
    private static func isHidden(_ name: String) -> Bool {
        name.hasSuffix("/") || fileName(name).hasPrefix(".") || name.split(separator: "/").contains("__MACOSX")
    }

    private static func fileName(_ name: String) -> String {
        name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
    }

    private static func split(_ name: String) -> (stem: Substring, ending: Substring) {
        let bytes = name.utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), !bytes[dot...].contains(UInt8(ascii: "/")) else {
            return (name[...], "")
        }
        return (name[..<dot], name[bytes.index(after: dot)...])
    }
}
