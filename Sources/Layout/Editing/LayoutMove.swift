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
        let (_, root) = try read(bytes)
        guard move.leadsElsewhere else { return bytes }
        var edit = TextEdit(bytes)
        let sources = LayoutSources(of: root)
        for value in sources.values {
            guard let path = value.string, var moved = move.moved(path) else { continue }
            // There a name without slash and dot would be taken for a tile's id.
            if sources.compared.contains(value.range), !moved.contains("/"), !moved.contains(".") {
                moved = "./" + moved
            }
            edit.replace(value.range, with: JSONWriter.bytes(of: .text(moved)))
        }
        return edit.result
    }
}

/// The values of a layout that name files or URLs.
private struct LayoutSources {
    private(set) var values: [JSONValue] = []
    /// Byte ranges of the sources that a tile compares.
    private(set) var compared: Set<Range<Int>> = []

    /// `root`: a layout without mistakes.
    init(of root: JSONValue) {
        takeSource(root["audio"]?["bed"])
        for entry in root["schedule"]?.elements ?? [] { if let show = entry["show"] { values.append(show) } }
        for entry in root["breaks"]?.elements ?? [] { takeSequence(entry["play"]) }
        let tiles = root["tiles"]?.elements ?? []
        let ids = Set(tiles.enumerated().map { $1["id"]?.string ?? "tile\($0 + 1)" })
        for tile in tiles {
            if let poster = tile["poster"], poster.string != "auto" { values.append(poster) }
            if let file = tile["subtitles"], let name = file.string, !["auto", "no"].contains(name) {
                values.append(file)
            }
            takeSequence(tile["play"])
            takeCompared(tile["compare"], ids: ids)
        }
    }

    private mutating func takeCompared(_ members: JSONValue?, ids: Set<String>) {
        for member in members?.elements ?? [] {
            if let text = member.string {
                if ids.contains(text) { continue }
                compared.insert(member.range)
            }
            takeItem(member)
        }
    }

    private mutating func takeSequence(_ play: JSONValue?) {
        guard let play else { return }
        for item in play.isList ? play.elements : [play] { takeItem(item) }
    }

    private mutating func takeItem(_ item: JSONValue) {
        takeSource(item)
        for segment in item["segments"]?.elements ?? [] { takeSource(segment) }
        // A string alone is a language.
        if let source = item["audio"]?["src"] { values.append(source) }
        for stem in item["audio"]?["stems"]?.elements ?? [] { takeSource(stem) }
        guard let lyrics = item["lyrics"] else { return }
        if let source = lyrics.string != nil ? lyrics : lyrics["src"], source.string != "auto" { values.append(source) }
    }

    /// Takes a value that is a source or an object with one.
    private mutating func takeSource(_ value: JSONValue?) {
        guard let value else { return }
        if value.string != nil { values.append(value) } else if let source = value["src"] { values.append(source) }
    }
}

extension JSONValue {
    fileprivate var isList: Bool { if case .array = content { true } else { false } }
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
