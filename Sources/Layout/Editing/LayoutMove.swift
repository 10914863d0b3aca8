import Base

extension LayoutPatch {
    /// Returns `bytes` for a file in another folder, with the same sources. Each relative path is rewritten: relative
    /// to the new folder if both folders share more than the root, else as an absolute path.
    ///
    /// Both folders are absolute and real: no part of them is a link, `.` or `..`.
    public static func moved(
        _ bytes: [UInt8], fromFolder: String, toFolder: String
    ) throws(LayoutPatchTrouble) -> [UInt8] {
        let move = PathMove(from: fromFolder, to: toFolder)
        let notes = try read(bytes).notes
        guard move.leadsElsewhere else { return bytes }
        var edit = TextEdit(bytes)
        for value in notes.sources {
            guard let path = value.string, var moved = move.moved(path) else { continue }
            // There a name without slash and dot would be taken for a tile's id.
            if notes.sourcesAmongIDs.contains(value.range), !moved.contains("/"), !moved.contains(".") {
                moved = "./" + moved
            }
            edit.replace(value.range, with: JSONWriter.bytes(of: .text(moved)))
        }
        return edit.result
    }
}

/// Translates relative paths from one folder to another.
private struct PathMove {
    // Compared as bytes: to the system, é as one character and as two are different names.
    private let from: [[UInt8]]
    private let to: [[UInt8]]

    init(from: String, to: String) {
        precondition(
            from.utf8.first == UInt8(ascii: "/") && to.utf8.first == UInt8(ascii: "/"),
            "a relative folder: \(from) or \(to)")
        (self.from, self.to) = (PathMove.parts(of: from), PathMove.parts(of: to))
        precondition(
            !(self.from + self.to).contains { $0 == Self.here || $0 == Self.parent }, "no real folder: \(from) or \(to)"
        )
    }

    var leadsElsewhere: Bool { from != to }

    /// Returns the new path; nil for URLs and absolute paths, which stay the same.
    func moved(_ path: String) -> String? {
        guard !path.utf8.starts(with: "/".utf8), !SourceName.isURL(path) else { return nil }
        // In a real folder, `..` leads to its parent. After another name, which may be a link, `..` may lead anywhere.
        var whole = from
        var rest = PathMove.parts(of: path)[...]
        while let part = rest.first, part == Self.here || part == Self.parent {
            if part == Self.parent, !whole.isEmpty { whole.removeLast() }
            rest.removeFirst()
        }
        whole += rest
        var shared = 0
        while shared < min(whole.count, to.count), whole[shared] == to[shared] { shared += 1 }
        // A path that ends in a slash keeps it.
        let end = path.utf8.last == UInt8(ascii: "/") ? "/" : ""
        if shared == 0 { return "/" + Self.path(of: whole) + (whole.isEmpty ? "" : end) }
        let parts = Array(repeating: Self.parent, count: to.count - shared) + whole[shared...]
        let moved = (parts.isEmpty ? "." : Self.path(of: parts)) + end
        // The values "auto" and "no" of a poster, of lyrics or of subtitles have another meaning.
        return ["auto", "no"].contains(moved) ? "./" + moved : moved
    }

    private static let (here, parent) = (Array(".".utf8), Array("..".utf8))

    /// Splits at slash bytes. A slash before a combining character separates too.
    private static func parts(of path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
    }

    private static func path(of parts: [[UInt8]]) -> String {
        String(decoding: Array(parts.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
    }
}
