import Console
import Engine
import Files
import Glibc

/// `quadrille align`: finds how far each clip is ahead of or behind the first. Needs no display and no sound server.
///
/// Reads each source once, in tasks with a core each: the loudness in eight bands (`SoundMeasuring`, `SoundBands`),
/// else small frames (`FrameMeasuring`, `FrameChanges`). `SeriesMatch` correlates them over all shifts. `PhaseMatch`
/// correlates some seconds of sound (`SoundExcerpts`) around the best shifts. `MatchJudge` decides whether one of them
/// is more than a guess, and `TileOffsets` computes the offset of each tile of a layout.
public struct AlignCommand {
    private let options: AlignOptions

    public init(_ options: AlignOptions) { self.options = options }

    public func run() -> Int32 {
        Ending.status { ending in
            ending.prepare { status in
                UnfinishedFiles.removeAll()
                return status
            }
            var status = Failure.status { try align(ending) }
            ending.leaveToMainThread()
            if let asked = ending.status { status = asked }
            if hasHeldThreads { _exit(status) }
            return status
        }
    }

    private func align(_ ending: Ending) throws -> Int32 {
        // A layout that can't be written is reported before the long work.
        let target = try options.layout.map { try AlignTarget($0, options.clips) }
        let alignment = Alignment(options.clips, by: options.means, isEndRequested: { ending.isRequested })
        if ending.isRequested { return ExitStatus.failed }
        let report = AlignReport(alignment)
        report.troubles.forEach(printLine)
        if let offsets = report.offsets {
            try target?.write(offsets)
        } else if target != nil {
            printLine("quadrille: --write: nothing was written, since not every offset is known")
        }
        return answer(report, status: report.offsets == nil ? ExitStatus.failed : ExitStatus.done)
    }

    private func answer(_ report: AlignReport, status: Int32) -> Int32 {
        switch options.form {
        case .json: return Console.printOutput([report.json], status: status)
        case .text: return report.lines.isEmpty ? status : Console.printOutput(report.lines, status: status)
        }
    }
}
