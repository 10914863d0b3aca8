import Base
import Files
import Lyrics

/// The LRC file of a source. It may state the title and the artist of the song.
struct LRCFile {
    let path: String
    /// Largest file that is read for names, in bytes. It is read at each opening of its source.
    static let longest = 1 << 20

    /// Returns the file that the layout names, or else the one beside the source; nil if neither is LRC.
    init?(named file: String?, beside media: String) {
        let files = [file.flatMap(SourceName.path)].compactMap { $0 } + LyricsSource.filesFoundBeside(media)
        guard let path = files.first(where: { $0.lowercased().hasSuffix(".lrc") }) else { return nil }
        self.path = path
    }
}

extension ContainerFacts {
    /// Adds the title and the artist if the source does not state them. Reads the file.
    mutating func addNames(_ file: @autoclosure () -> LRCFile?) {
        guard title == nil || artist == nil, let file = file(),
            case .success(let content) = bytes(of: file.path, atMost: LRCFile.longest)
        else { return }
        let names = LRCReader.names(content.bytes)
        (title, artist) = (title ?? names.title, artist ?? names.artist)
    }
}
