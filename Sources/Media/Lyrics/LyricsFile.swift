import Base
import Files
import Glibc
import Lyrics
import Opened

/// Words of a song or film, in the form in which they were found.
public enum Words: Sendable {
    case none
    /// Lines with the time of each.
    case lines(Lyrics)
    case script(SubtitleScript)
}

/// Finds and opens the file or track with the words. Blocks as long as files do.
enum LyricsFile {
    enum Opened {
        case words(Words)
        /// A script that fills while the file is read.
        case reading(SubtitleReader)
    }

    /// Largest file of words alone, in bytes.
    private static let longest = 16 << 20

    static func open(_ source: LyricsSource, _ deadline: Deadline) throws(SourceTrouble) -> Opened {
        switch source {
        case .file(let path): return try open(path, deadline)
        case .track(let number, let media):
            return .reading(try SubtitleReader(media, track: number, charset: nil, deadline))
        case .auto(let media):
            if let beside = LyricsSource.filesFoundBeside(media).first {
                do throws(SourceTrouble) { return try open(beside, deadline) } catch {
                    throw SourceTrouble(error.kind, "\(SourceName.fileName(of: beside)): \(error.what)")
                }
            }
            // The thread that plays the file reports its trouble.
            return (try? SubtitleReader(media, deadline)).map(Opened.reading) ?? .words(.none)
        }
    }

    private static func open(_ path: String, _ deadline: Deadline) throws(SourceTrouble) -> Opened {
        guard let local = SourceName.path(of: path) else {
            if SourceName.fileName(of: path).lowercased().hasSuffix(".lrc") {
                throw SourceTrouble(
                    .unsupported, "LRC is not read from a server; a copy on this machine would be right")
            }
            return .reading(try SubtitleReader(path, deadline))
        }
        let content: [UInt8], name = local.lowercased()
        switch bytes(of: local, atMost: longest) {
        case .success(let read): content = read.bytes
        // Embedded fonts may exceed the limit.
        case .failure where name.hasSuffix(".ass") && access(local, R_OK) == 0:
            return .reading(try SubtitleReader(local, deadline))
        case .failure(let trouble): throw SourceTrouble(access(local, F_OK) == 0 ? .unreadable : .missing, "\(trouble)")
        }
        if name.hasSuffix(".lrc") {
            let lyrics = LRCReader.read(content)
            if lyrics.lines.isEmpty {
                throw SourceTrouble(.unsupported, "no line in it has a time; \"[01:02.50]words\" would be right")
            }
            return .words(.lines(lyrics))
        }
        if name.hasSuffix(".txt"), UltraStarReader.isSong(content) {
            let song = UltraStarReader.read(content).song
            if let refusal = song.refusal { throw SourceTrouble(.unsupported, refusal) }
            return .words(.lines(song.lyrics))
        }
        let charset = TextEncoding.isUTF8(content) || TextEncoding.isMarked(content) ? nil : "CP1252"
        if let named = name.hasSuffix(".srt") ? SubtitleText.Format.srt : name.hasSuffix(".vtt") ? .webvtt : nil {
            let format = SubtitleText.format(of: content, named: named)
            // Some files have this ending and another format.
            if format == nil, let other = try? SubtitleReader(local, charset: charset, deadline) {
                return .reading(other)
            }
            return .reading(try SubtitleReader(SubtitleText.plain(content, format ?? named), format ?? named, deadline))
        }
        return .reading(try SubtitleReader(local, charset: charset, deadline))
    }
}

extension LyricsSource {
    /// Returns the files of words with the same name beside a local media file, as subtitles of it.
    static func tracks(beside media: String) -> [SubtitleTrack] {
        filesFoundBeside(media).map { SubtitleTrack(codec: String($0.lowercased().suffix(3)), file: $0) }
    }

    /// Returns the files of words with the same name beside a local media file.
    static func filesFoundBeside(_ media: String) -> [String] {
        guard let path = SourceName.path(of: media) else { return [] }
        return filesBeside(path).filter { access($0, R_OK) == 0 && $0 != path }
    }

    /// Returns true if there is a file of words beside the media file, or a subtitle track in it. Opens the media file.
    public static func findsWords(of media: String) -> Bool {
        !filesFoundBeside(media).isEmpty || (try? SubtitleReader(media, Deadline())) != nil
    }
}

extension OpenedFacts {
    /// Largest LRC file that is read for names, in bytes. It is read at each opening of its source.
    private static let longestLRC = 1 << 20

    /// Adds the title and the artist of the song if the source does not state them and its LRC file does: the file that
    /// the layout names, or else the one beside the source. Reads the file.
    mutating func addNames(ofLyrics file: String?, beside media: String) {
        guard names.title == nil || names.artist == nil else { return }
        let files = [file.flatMap(SourceName.path)].compactMap { $0 } + LyricsSource.filesFoundBeside(media)
        guard let path = files.first(where: { $0.lowercased().hasSuffix(".lrc") }),
            case .success(let content) = bytes(of: path, atMost: Self.longestLRC)
        else { return }
        let stated = LRCReader.names(content.bytes)
        (names.title, names.artist) = (names.title ?? stated.title, names.artist ?? stated.artist)
    }
}
