import Base
import Files
import Glibc
import Lyrics

/// The parts of a song with CDG frames: a CDG and, beside it or in the same zip, its sound.
public struct SongParts {
    let frames: Part
    /// nil if the song has no sound.
    let sound: Part?

    enum Part {
        /// The source itself, by its path.
        case named(String)
        /// A file beside the source, by its path.
        case beside(String)
        case within(ZipFile, ZipDirectory.Member)

        /// Name for the user; nil if the part is the source itself.
        var label: String? {
            switch self {
            case .named: nil
            case .beside(let path): "\(SourceName.fileName(of: path)) beside it"
            case .within(_, let member): "\(SourceName.fileName(of: member.name)) in the zip"
            }
        }
    }

    /// Finds a song that is named by its CDG, its sound or its zip; nil if the location is no song. Uses no network.
    init?(_ location: String) throws(SourceTrouble) {
        guard let path = SourceName.path(of: location), let kind = CDGSong.kind(of: path) else { return nil }
        let partner = CDGSong.partners(of: path).first(where: isFile)
        switch kind {
        case .frames: (frames, sound) = (.named(path), partner.map(Part.beside))
        case .sound:
            guard let partner else { return nil }
            (frames, sound) = (.beside(partner), .named(path))
        case .zip:
            _ = try Location(path)
            let zip = try ZipFile(path: path), parts = try CDGSong.parts(of: zip.directory)
            (frames, sound) = (.within(zip, parts.frames), parts.sound.map { .within(zip, $0) })
        }
    }

    /// Opens a source for its sound, which may be in another file; nil for a song without sound.
    static func openSound(of location: String, _ deadline: Deadline) throws(SourceTrouble) -> Input? {
        guard let path = SourceName.path(of: location), let kind = CDGSong.kind(of: path), kind != .sound,
            let parts = try SongParts(location)
        else { return try Input.open(location, deadline) }
        return try parts.sound?.open(deadline)
    }

    /// Returns the files that are read for the source, besides the file that is named.
    public static func companions(of location: String) -> [String] {
        guard let path = SourceName.path(of: location) else { return [] }
        return CDGSong.partners(of: path).first(where: isFile).map { [$0] } ?? []
    }
}

extension SongParts.Part {
    /// Opens the part for FFmpeg.
    func open(_ deadline: Deadline) throws(SourceTrouble) -> Input {
        try labelling { () throws(SourceTrouble) in
            switch self {
            case .named(let path), .beside(let path): return try Input.open(path, deadline)
            case .within(let zip, let member):
                // The unpacked bytes are copied once, so they may need twice their size.
                let size = min(Int(clamping: member.size), CDGSong.mostSoundBytes)
                guard AddressSpace.hasRoom(for: size * 2) else {
                    throw SourceTrouble(.unreadable, "no memory to unpack it")
                }
                let bytes = try zip.bytes(of: member, most: CDGSong.mostSoundBytes)
                return try Input.open(MemoryBytes(bytes), as: member.name, formats: Formats.listed, deadline)
            }
        }
    }

    /// Returns the packets of the CDG. Checks only that some of them draw.
    func packets() throws(SourceTrouble) -> [UInt8] {
        try labelling { () throws(SourceTrouble) in
            let packets =
                switch self {
                case .named(let path), .beside(let path): try bytes(ofFile: path)
                case .within(let zip, let member): try zip.bytes(of: member, most: CDGSong.mostFrameBytes)
                }
            if let complaint = CDGFilm.complaint(about: packets) { throw complaint }
            return packets
        }
    }

    /// Puts the label before an error of a part that is not the named source.
    func labelling<Result>(_ work: () throws(SourceTrouble) -> Result) throws(SourceTrouble) -> Result {
        do throws(SourceTrouble) {
            return try work()
        } catch {
            throw label.map { SourceTrouble(error.kind, "\($0): \(error.what)") } ?? error
        }
    }
}

private func bytes(ofFile path: String) throws(SourceTrouble) -> [UInt8] {
    _ = try Location(path)
    switch Files.bytes(of: path, atMost: CDGSong.mostFrameBytes) {
    case .success(let read): return read.bytes
    case .failure(let trouble) where trouble.isTooLarge:
        throw SourceTrouble(.unsupported, "a CDG of more than \(CDGSong.mostFrameBytes >> 20) MiB")
    case .failure(let trouble): throw SourceTrouble(.unreadable, "reading: \(trouble)")
    }
}

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
        let folder = folder(of: path)
        if names.contains(where: { access(fileOfAnyCase(folder + $0), R_OK) == 0 }) {
            return SourceTrouble(
                .unsupported, "a song can't be a segment of an item; an item of its own would be right")
        }
        return SourceTrouble(.missing, "none of this song's files can be played: \(names.joined(separator: ", "))")
    }
}
