import Base
import Console
import Files
import Layout

/// The command line of `align`.
public struct AlignOptions {
    enum Form { case text, json }
    enum Means: String { case sound, frames = "pictures" }

    /// Clips to align. The first is the reference.
    var clips: [AlignClip] = []
    /// The means that `--by` names; nil if sound is tried first, then frames.
    var means: Means?
    var form = Form.text
    /// The layout whose tiles get the offsets.
    var layout: String?

    public static let options: [Option<AlignOptions>] = [
        Option(
            "write", .file("LAYOUT.json", names: .layout), "write the offsets into the tiles that play these files",
            into: \.layout),
        Option(
            "by", .oneOf(["sound", "pictures"]), "align by one of them alone",
            into: \.means
        ).default("sound, else pictures"),
        Option(flag: "json", "print JSON on standard output", sets: \.form, to: .json),
        .help,
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        let operands = try Self.options.read(arguments, into: &self)
        if layout == "-" || layout == "" { throw UsageMistake("--write takes the name of a layout's file") }
        for name in operands {
            let clip = try AlignClip(name)
            if let other = clips.first(where: { $0.isSameFile(as: clip) }) {
                throw UsageMistake("\(other.shown) and \(clip.shown) are the same file; two of them would be right")
            }
            clips.append(clip)
        }
        guard clips.count > 1 else {
            throw UsageMistake(
                clips.isEmpty
                    ? "the files to align are missing: first the reference, then the others"
                    : "a second file is missing: what is aligned with \(clips[0].shown)")
        }
    }
}

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

    func isSameFile(as other: AlignClip) -> Bool { plays(other.location) }

    /// Returns true if a layout's source is this file.
    func plays(_ source: String) -> Bool {
        if source == location { return true }
        guard let file, let path = SourceName.path(of: source) else { return false }
        return FileIdentity(path: path) == file
    }
}
