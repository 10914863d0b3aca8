import Analysis
import Base
import Console
import Files
import Layout

/// `quadrille align`: finds how far each clip is ahead of or behind the first. Needs no display and no sound server.
///
/// Reads each source once, in tasks with a core each: the loudness in eight bands (`SoundMeasuring`, `SoundBands`),
/// else small frames (`FrameMeasuring`, `FrameChanges`). `SeriesMatch` correlates them over all shifts. `PhaseMatch`
/// correlates some seconds of sound (`SoundExcerpts`) around the best shifts. `MatchJudge` decides whether one of them
/// is more than a guess, and `TileOffsets` computes the offset of each tile of a layout.
public struct AlignCommand {
    enum Means: String { case sound, frames = "pictures" }

    /// Clips to align. The first is the reference.
    private var clips: [AlignClip] = []
    /// The means that `--by` names; nil if sound is tried first, then frames.
    private var means: Means?
    private var printsJSON = false
    /// The layout whose tiles get the offsets.
    private var layout: String?

    public static let options: [Option<AlignCommand>] = [
        Option(
            "write", .file("LAYOUT.json", names: .layout), "write the offsets into the tiles that play these files"
        ) { $0.layout = $1 },
        Option(
            "by", .oneOf(["sound", "pictures"]), "align by one of them alone"
        ) { $0.means = $1 }.default("sound, else pictures"),
        Option(flag: "json", "print JSON on standard output") { $0.printsJSON = true },
        .help,
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        let operands = try Self.options.read(arguments, into: &self)
        if layout == "-" || layout == "" { throw UsageMistake("--write takes the name of a layout's file") }
        for name in operands {
            let clip = try AlignClip(name)
            if let other = clips.first(where: { $0.plays(clip.location) }) {
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

    public func run() -> Int32 { Ending.status(of: align) }

    private func align(_ ending: Ending) throws -> Int32 {
        ending.prepare()
        // A layout that can't be written is reported before the long work.
        if let layout { _ = try changes(of: layout, clips.dropFirst().map { _ in .zero }) }
        let alignment = Alignment(clips, by: means, isEndRequested: { ending.isRequested })
        if ending.isRequested { return ExitStatus.failed }
        alignment.troubles.forEach(printLine)
        if let offsets = alignment.offsets {
            if let layout { try write(offsets, into: layout) }
        } else if layout != nil {
            printLine("quadrille: --write: nothing was written, since not every offset is known")
        }
        let status = alignment.offsets == nil ? ExitStatus.failed : ExitStatus.done
        let lines = printsJSON ? [alignment.json] : alignment.lines
        return lines.isEmpty ? status : printOutput(lines, status: status)
    }

    /// Writes the offsets into the layout's file as it is now. `shifts`: how far each clip but the first is ahead of
    /// the first.
    private func write(_ shifts: [Time], into path: String) throws(Failure) {
        let (text, changes) = try changes(of: path, shifts)
        do {
            try FileReplacement.write(LayoutPatch.patched(text, with: changes), to: path)
        } catch {
            throw Failure("--write \(error)", status: ExitStatus.unwritten)
        }
    }

    /// Returns the text of a layout and its changes. Throws if it can't be read, is wrong, or does not play all of
    /// these clips.
    private func changes(of path: String, _ shifts: [Time]) throws(Failure) -> ([UInt8], LayoutTextChanges) {
        let (text, layout): ([UInt8], Layout)
        switch bytes(of: path).map({ ($0.bytes, LayoutReader.read($0.bytes, path: path)) }) {
        case .failure(let trouble):
            throw Failure("--write \(path): the layout can't be read: \(trouble)", status: ExitStatus.usage)
        case .success((_, .mistakes(let mistakes))):
            throw Failure(lines: mistakes.lines(path: path), status: ExitStatus.usage)
        case .success((let read, .layout(let known))): (text, layout) = (read, known)
        }
        let clips = clips.map { TileOffsets.Clip(name: $0.shown, plays: $0.plays) }
        do throws(TileOffsets.Mistake) {
            return (text, try TileOffsets(layout, reference: clips[0]).changes(for: clips.dropFirst(), shifts))
        } catch {
            throw Failure("--write \(path): \(error.text)", status: ExitStatus.usage)
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

    /// Returns true if a layout's source is this file.
    func plays(_ source: String) -> Bool {
        if source == location { return true }
        guard let file, let path = SourceName.path(of: source) else { return false }
        return FileIdentity(path: path) == file
    }
}
