import Files
import Glibc
import WallCore

/// Words, as they are written.
public enum Words: Sendable {
    case none
    /// With the time of each.
    case lines(Lyrics)
    case script(SubtitleScript)
}

/// Finds and opens what has the words. Blocks as long as files do.
enum LyricsFile {
    enum Opened {
        case words(Words)
        /// They are there while they are still being read.
        case reading(SubtitleReader)
    }

    /// Of a file that has nothing but words.
    private static let longest = 16 << 20

    static func open(_ source: LyricsSource, _ deadline: Deadline) throws(SourceTrouble) -> Opened {
        switch source {
        case .file(let path): return try open(path, deadline)
        case .track(let number, let media):
            return .reading(try SubtitleReader.open(media, track: number, charset: nil, deadline))
        case .auto(let media):
            if let beside = fileBeside(media) { return try open(beside, deadline) }
            do throws(SourceTrouble) {
                return .reading(try SubtitleReader.open(media, track: nil, charset: nil, deadline))
            } catch {
                // Whoever plays it says what is wrong with it.
                return .words(.none)
            }
        }
    }

    /// One of the same name.
    private static func fileBeside(_ media: String) -> String? {
        guard let path = SourceName.path(of: media) else { return nil }
        let stem = SourceName.withoutEnding(path)
        return LyricsSource.endings.lazy.map { stem + $0 }.first { access($0, R_OK) == 0 && $0 != path }
    }

    private static func open(_ path: String, _ deadline: Deadline) throws(SourceTrouble) -> Opened {
        guard let local = SourceName.path(of: path) else {
            return .reading(try SubtitleReader.open(path, track: nil, charset: nil, deadline))
        }
        let content: [UInt8]
        switch bytes(of: local, atMost: longest) {
        case .success(let read): content = read.bytes
        case .failure(let trouble): throw SourceTrouble(access(local, F_OK) == 0 ? .unreadable : .missing, "\(trouble)")
        }
        let name = local.lowercased()
        if name.hasSuffix(".lrc") { return .words(.lines(LRCReader.read(content))) }
        if name.hasSuffix(".txt"), UltraStarReader.isSong(content) {
            let song = UltraStarReader.read(content).song
            if let refusal = song.refusal { throw SourceTrouble(.unsupported, refusal) }
            return .words(.lines(song.lyrics))
        }
        let charset = TextEncoding.isUTF8(content) || TextEncoding.isMarked(content) ? nil : "CP1252"
        return .reading(try SubtitleReader.open(local, track: nil, charset: charset, deadline))
    }
}
