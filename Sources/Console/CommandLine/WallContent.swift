import Base
import Files
import Layout
import Policy

/// Content of a wall, as the operands of a command name it.
public enum WallContent: Sendable {
    case layout(String)
    case media([String])
    /// `offset`: how far the second clip is ahead of the first; nil if the timestamps state it.
    case pair(String, String, offset: Time?)
    /// Two clips in one place, more in a grid. `offsets`: how far each of the others is ahead of the first; empty if
    /// the timestamps state it.
    case comparison([String], offsets: [Time], ComparisonMode)

    public init(_ operands: [String]) throws(UsageMistake) {
        let layouts = operands.filter { $0 == "-" || $0.hasSuffix(".json") }
        guard !operands.isEmpty else { throw UsageMistake("a layout or media to play is missing") }
        if layouts.isEmpty {
            for source in operands {
                guard let complaint = SourceName.complaint(aboutSchemeOf: source) else { continue }
                throw UsageMistake("\(SourceName.withoutSecrets(source)): \(complaint)")
            }
            self = .media(operands)
        } else if operands.count == 1 {
            self = .layout(operands[0])
        } else if layouts.count == operands.count {
            throw UsageMistake("one layout at a time: \(layouts.joined(separator: ", "))")
        } else {
            throw UsageMistake("one layout or any number of media, not both: \(layouts[0]) is a layout")
        }
    }

    /// Returns a layout with a tile for each source, or for each medium in it if it is a folder. A folder with folders
    /// of songs is one tile, which announces its songs.
    private static func layout(ofMedia sources: [String]) -> Layout {
        var media: [String] = []
        var libraries: Set<Int> = []
        for source in sources {
            // An empty folder becomes a tile that reports it.
            guard let folder = MediaFolder(path: source), !folder.files.isEmpty else {
                media.append(source)
                continue
            }
            if folder.isLibrary {
                libraries.insert(media.count)
                media.append(source)
                continue
            }
            if folder.files.count > mostOfFolder {
                printLine("quadrille: \(source): the first \(mostOfFolder) of \(folder.files.count) media are played")
            }
            media += folder.files.prefix(mostOfFolder)
        }
        var layout = Layout.ofMedia(media)
        for place in libraries { layout.tiles[place].announces = true }
        return layout
    }

    private static let mostOfFolder = 64

    public func read() -> LayoutFileResult {
        switch self {
        case .media(let sources):
            return .layout(WallContent.layout(ofMedia: sources))
        case .pair(let first, let second, let offset):
            return .layout(
                Layout.ofPair(first, second, offset: offset ?? offsetsByTimestamps(of: [first, second])[0]))
        case .comparison(let sources, let offsets, let mode):
            let known = offsets.isEmpty ? offsetsByTimestamps(of: sources) : offsets
            return .layout(Layout.ofComparison(sources, offsets: known, mode: mode))
        case .layout(let path): return LayoutFile.read(path).result
        }
    }

    /// Loads the layout. Prints why it can't be read or is wrong, and returns nil then.
    public func load() -> LoadedLayout? {
        guard case .layout(let path) = self, path != "-" else {
            return read().layoutPrintingMistakes().map { LoadedLayout(name: nil, file: nil, layout: $0) }
        }
        let (result, file) = LayoutFile.read(path)
        return result.layoutPrintingMistakes().map { LoadedLayout(name: path, file: file, layout: $0) }
    }
}

extension LayoutFileResult {
    /// Returns the layout. Prints why it can't be read or is wrong, and returns nil then.
    public func layoutPrintingMistakes() -> Layout? {
        failure?.lines.forEach(printLine)
        return written
    }
}

/// A file that holds a layout.
public enum LayoutFile {
    /// Reads a layout's file, and returns which file that was.
    public static func read(_ path: String) -> (result: LayoutFileResult, file: FileIdentity?) {
        if SourceName.isURL(path) {
            return (.unreadable("\(SourceName.withoutSecrets(path)): layouts are files, and this is a URL"), nil)
        }
        switch bytes(of: path) {
        case .failure(let code):
            return (.unreadable("\(path): the layout can't be read: \(code)"), FileIdentity(path: path))
        case .success(let (bytes, file)):
            switch LayoutReader.read(bytes, path: path) {
            case .layout(let layout): return (.layout(layout), file)
            case .mistakes(let mistakes): return (.mistakes(mistakes, path: path), file)
            }
        }
    }
}
