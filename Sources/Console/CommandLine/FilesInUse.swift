import Base
import Files
import Layout

/// Files that a layout reads, and its own. Output must not overwrite any of them, whatever name is given.
public struct FilesInUse {
    private let files: [FileIdentity: String]

    /// `schedule` may name further layouts. All files that a song names count, also those that are not shown.
    public init(_ layout: Layout, _ content: WallContent, _ schedule: Schedule? = nil, songs: [SongWithFiles] = []) {
        var files: [FileIdentity: String] = [:]
        func add(_ path: String, _ use: String) {
            let file = path == "-" ? FileIdentity(descriptor: 0) : FileIdentity(path: path)
            if let file { files[file] = use }
        }
        for path in songs.flatMap(\.named) { add(path, "a song's") }
        for path in layout.files.sorted() { add(path, "played") }
        for case .layout(let path) in schedule?.entries.map(\.shows) ?? [] { add(path, "a scheduled layout") }
        if case .layout(let path) = content { add(path, "the layout") }
        self.files = files
    }

    /// Throws if the file to be written is one of these. `option`: the option that names it.
    public func check(_ path: String, _ option: String) throws(UsageMistake) {
        guard let use = FileIdentity(path: path).flatMap({ files[$0] }) else { return }
        throw UsageMistake("\(option) \(path): this file is \(use), and would be lost; another name would be right")
    }

    /// The same for a sequence of files: `pattern` is a name with a place for the number.
    public func check(sequence pattern: String, _ option: String) throws(UsageMistake) {
        let folder = folder(of: pattern), name = Substring(pattern.utf8.dropFirst(folder.utf8.count))
        let parts = name.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let end = parts[1].firstIndex(of: "d") else { return }
        let head = parts[0], tail = parts[1][parts[1].index(after: end)...]
        for (name, _) in entries(ofFolder: folder.isEmpty ? "." : folder) ?? [] {
            guard name.hasPrefix(head), name.hasSuffix(tail), name.count > head.count + tail.count,
                name.dropFirst(head.count).dropLast(tail.count).allSatisfy({ $0.isASCII && $0.isNumber })
            else { continue }
            try check(folder + name, option)
        }
    }
}
