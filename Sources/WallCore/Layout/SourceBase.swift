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

    /// Ready to be opened: URLs and absolute paths as they are, but for the letters of a scheme, which are small; other
    /// names joined to the directory. A path whose first part holds a colon gets `./` before it, lest it be taken for a URL.
    func resolved(_ source: String) -> String {
        if let scheme = SourceName.scheme(of: source) { return scheme + source.dropFirst(scheme.count) }
        let path = source.utf8.first == UInt8(ascii: "/") ? source : directory + source
        let first = path.utf8.prefix { $0 != UInt8(ascii: "/") }
        return first.contains(UInt8(ascii: ":")) ? "./" + path : path
    }
}

extension SourceName {
    /// Of a source that is named outside of a layout's file: ready to be opened; names are relative to the layout's
    /// folder, without a layout to the working folder. nil: no file can have this name, or no such URL is opened.
    public static func resolved(_ source: String, besideLayout path: String?) -> String? {
        guard !source.isEmpty, !source.unicodeScalars.contains("\0"), complaint(aboutSchemeOf: source) == nil,
            !isTooLong(source)
        else {
            return nil
        }
        return (path.map(SourceBase.init(layoutPath:)) ?? .workingDirectory).resolved(source)
    }

    /// Why no such URL is opened, and what would be right; nil: it is, or it is none.
    public static func complaint(aboutSchemeOf source: String) -> String? {
        guard let scheme = scheme(of: source), !schemes.contains(scheme) else {
            return DeviceAddress.complaint(about: source)
        }
        let name = "\(scheme)://".quoted
        let near = nearest(to: scheme, among: schemes).map { "; did you mean \("\($0)://".quoted)?" } ?? ";"
        return "no source is opened by \(name)\(near) a file, or a URL of \(alternatives(schemes)) would be right"
    }
}
