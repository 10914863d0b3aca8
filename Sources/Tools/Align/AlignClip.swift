import Base
import Console
import Files

/// A file or URL that is aligned.
struct AlignClip {
    /// Name to open, resolved.
    let location: String
    /// Name to print, without secrets.
    let shown: String
    private let file: FileIdentity?

    init(_ name: String) throws(UsageMistake) {
        shown = SourceName.withoutSecrets(name)
        if let complaint = SourceName.complaint(aboutSchemeOf: name) { throw UsageMistake("\(shown): \(complaint)") }
        if name == "-" || name.hasSuffix(".json") {
            throw UsageMistake("\(shown): a layout is not aligned; the files that it plays would be right")
        }
        guard let location = SourceName.resolved(name, besideLayout: nil) else {
            throw UsageMistake("\(name.isEmpty ? "an empty name" : shown): no file has such a name")
        }
        self.location = location
        file = SourceName.path(of: location).flatMap { FileIdentity(path: $0) }
    }

    /// Returns true if a layout's source is this file.
    func plays(_ source: String) -> Bool {
        if source == location { return true }
        guard let file, let path = SourceName.path(of: source) else { return false }
        return FileIdentity(path: path) == file
    }
}
