import Base

/// The directory to which names of sources are relative.
struct SourceBase {
    /// Empty, or ends in a slash.
    private let directory: String

    static let workingDirectory = SourceBase(directory: "")

    private init(directory: String) { self.directory = directory }

    /// The directory of a layout file. For `-`, standard input, it is the working directory.
    init(layoutPath: String) {
        let slash = layoutPath.utf8.lastIndex(of: UInt8(ascii: "/"))
        directory = slash.map { String(layoutPath[...$0]) } ?? ""
    }

    /// Returns the source in the form in which it is opened. URLs and absolute paths stay, with a scheme in lower case.
    /// Other names are appended to the directory. A path with a colon in its first part gets `./` in front, so that it
    /// is no URL.
    func resolved(_ source: String) -> String {
        if let scheme = SourceName.scheme(of: source) { return scheme + source.dropFirst(scheme.count) }
        let path = source.utf8.first == UInt8(ascii: "/") ? source : directory + source
        let first = path.utf8.prefix { $0 != UInt8(ascii: "/") }
        return first.contains(UInt8(ascii: ":")) ? "./" + path : path
    }
}

extension SourceName {
    /// Returns a source that was named outside of a layout file, in the form in which it is opened; nil if no file can
    /// have this name, or the URL is not supported. Names are relative to the folder of the layout, or without one to
    /// the working folder.
    public static func resolved(_ source: String, besideLayout path: String?) -> String? {
        guard !source.isEmpty, !source.unicodeScalars.contains("\0"), complaint(aboutSchemeOf: source) == nil,
            !isTooLong(source)
        else {
            return nil
        }
        return (path.map(SourceBase.init(layoutPath:)) ?? .workingDirectory).resolved(source)
    }

    /// Returns why the URL is not supported, and what would be right; nil if it is supported or no URL.
    public static func complaint(aboutSchemeOf source: String) -> String? {
        guard let scheme = scheme(of: source), !schemes.contains(scheme) else {
            return DeviceAddress.complaint(about: source)
        }
        let name = "\(scheme)://".quoted
        let near = nearest(to: scheme, among: schemes).map { "; did you mean \("\($0)://".quoted)?" } ?? ";"
        return "\(name) is not supported\(near) a file, or a URL of \(alternatives(schemes)) would be right"
    }
}
