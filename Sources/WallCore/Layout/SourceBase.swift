/// Where relative names of sources begin.
struct SourceBase {
    /// Empty, or ends in a slash.
    private let directory: String

    static let workingDirectory = SourceBase(directory: "")

    private init(directory: String) { self.directory = directory }

    /// The directory of a layout file; `-` is standard input, whose names begin at the working directory.
    init(layoutPath: String) {
        let slash = layoutPath.utf8.lastIndex(of: UInt8(ascii: "/"))
        directory = slash.map { String(layoutPath[...$0]) } ?? ""
    }

    /// Ready to be opened: URLs and absolute paths as they are, other names joined to the directory.
    /// A path whose first part holds a colon gets `./` before it, lest it be taken for a URL.
    func resolved(_ source: String) -> String {
        if SourceName.isURL(source) { return source }
        let path = source.utf8.first == UInt8(ascii: "/") ? source : directory + source
        let first = path.utf8.prefix { $0 != UInt8(ascii: "/") }
        return first.contains(UInt8(ascii: ":")) ? "./" + path : path
    }
}

extension SourceName {
    /// Of a source that is named outside of a layout's file: ready to be opened; names are relative to the layout's
    /// folder, without a layout to the working folder. nil: no file can have this name.
    public static func resolved(_ source: String, besideLayout path: String?) -> String? {
        guard !source.isEmpty, !source.unicodeScalars.contains("\0") else { return nil }
        return (path.map(SourceBase.init(layoutPath:)) ?? .workingDirectory).resolved(source)
    }
}
