import Analysis
import Base
import Console
import Files
import Layout

/// The layout's file whose tiles get the offsets that were found.
struct AlignTarget {
    private let path: String
    private let clips: [AlignClip]

    /// Reads the layout. Throws if it can't be read, is wrong, or does not play all of these clips.
    init(_ path: String, _ clips: [AlignClip]) throws(Failure) {
        (self.path, self.clips) = (path, clips)
        let (_, layout) = try read()
        _ = try changes(of: layout, clips.dropFirst().map { _ in .zero })
    }

    /// Writes the offsets into the file as it is now. `shifts`: how far each clip but the first is ahead of the first.
    func write(_ shifts: [Time]) throws(Failure) {
        let (text, layout) = try read()
        let changes = try changes(of: layout, shifts)
        do {
            try FileReplacement.write(LayoutPatch.patched(text, with: changes), to: path)
        } catch {
            throw Failure("--write \(error)", status: ExitStatus.unwritten)
        }
    }

    private func read() throws(Failure) -> ([UInt8], Layout) {
        switch bytes(of: path) {
        case .failure(let trouble):
            throw Failure("--write \(path): the layout can't be read: \(trouble)", status: ExitStatus.usage)
        case .success(let (text, _)):
            switch LayoutReader.read(text, path: path) {
            case .layout(let layout): return (text, layout)
            case .mistakes(let mistakes): throw Failure(lines: mistakes.lines(path: path), status: ExitStatus.usage)
            }
        }
    }

    private func changes(of layout: Layout, _ shifts: [Time]) throws(Failure) -> LayoutTextChanges {
        func clip(_ clip: AlignClip) -> TileOffsets.Clip { TileOffsets.Clip(name: clip.shown, plays: clip.plays) }
        let offsets = TileOffsets(layout, reference: clip(clips[0]))
        var changes = LayoutTextChanges()
        do throws(TileOffsets.Mistake) {
            for (other, shift) in zip(clips.dropFirst(), shifts) {
                try changes.tiles.merge(offsets.changes(for: clip(other), shift: shift)) { $0.merging($1) }
            }
        } catch {
            throw Failure("--write \(path): \(error.text)", status: ExitStatus.usage)
        }
        return changes
    }
}
