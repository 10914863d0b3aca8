import Base
import Console
import Engine
import Files
import Glibc
import Measurement
import Media
import Threads

/// `quadrille measure`: measures how far films are from a reference, frame by frame. Needs no display and no sound
/// server.
public struct MeasureCommand {
    private let options: MeasureOptions

    public init(_ options: MeasureOptions) { self.options = options }

    public func run() -> Int32 { Ending.statusOf(measure) }

    private func measure(_ ending: Ending) throws(NoStart) -> Int32 {
        do throws(UsageMistake) { try options.checkOutputs() } catch {
            printLine("quadrille: \(error.text)")
            return ExitStatus.usage
        }
        for output in options.outputs {
            guard let folder = missingFolder(of: output.file) else { continue }
            printLine("quadrille: -o \(output.file): there is no folder \(folder); an existing one would be right")
            return ExitStatus.failed
        }
        if let status = complaintOfOutputs() { return status }
        if options.extra == .vmaf, !VMAF.isAvailable {
            printLine(
                "quadrille: --vmaf: FFmpeg's libraries here have no VMAF (libavfilter without its filter libvmaf)")
            return ExitStatus.failed
        }
        guard let films = opened() else { return ExitStatus.failed }
        printRates(of: films)
        printOffsets(of: films)
        ending.prepare { status in
            UnfinishedFiles.removeAll()
            return status
        }
        let comparison: FilmComparison
        do throws(NoThread) {
            comparison = try FilmComparison(
                reference: films[0], others: Array(films.dropFirst()), from: options.start, length: options.length,
                extra: options.extra, colours: options.colours, deinterlacing: options.deinterlacing,
                keepingWorst: options.outputs.contains { $0.format == .html } ? MeasureWorst.mostFrames : 0,
                isEndRequested: { ending.isRequested })
        } catch {
            ending.leaveToMainThread()
            throw NoStart("\(error)")
        }
        ending.onRequest { comparison.wake() }
        var bar = bar(for: films[0].source.facts)
        func progress(_ frames: Int) { bar?.show(Int64(frames)) }
        let outcome = comparison.run(progress: progress, note: printNote)
        bar?.clear()
        let missing = comparison.stop()
        var status = end(outcome, films, ending)
        ending.leaveToMainThread()
        for name in missing { printLine("quadrille: not waited for: \(name)") }
        if let asked = ending.status, status != ExitStatus.done { status = asked }
        if !missing.isEmpty || hasHeldThreads { _exit(status) }
        return status
    }

    /// Opens the films. Prints why one can't be measured, and returns nil then.
    private func opened() -> [FilmComparison.Film]? {
        guard let sources = openedSources(options.films, complaint: complaint) else { return nil }
        if let image = sources.firstIndex(where: { $0.facts.kind == .still }),
            let film = sources.firstIndex(where: { $0.facts.kind != .still })
        {
            printLine(
                "quadrille: \(options.films[image]): it is an image, and \(options.films[film]) a film; films alone, or "
                    + "images alone, would be right (unsupported)")
            return nil
        }
        return sources.enumerated().map { index, source in
            let name = options.films[index]
            if source.facts.container.isCutOff { printLine("quadrille: \(name): \(FilmDamage.cutOff.trouble.what)") }
            return FilmComparison.Film(
                source, name: SourceName.withoutSecrets(name), offset: index > 0 ? options.offsets[index - 1] : .zero)
        }
    }

    private func complaint(about facts: SourceFacts) -> String? {
        if let complaint = facts.complaintOfComparing { return complaint }
        let side = min(facts.storage.width, facts.storage.height)
        return side < 8 ? "its frames are smaller than the 8x8 blocks of SSIM" : nil
    }

    /// Prints the rates that differ from the reference's. Each frame of the reference is compared once, whatever the
    /// other's rate.
    private func printRates(of films: [FilmComparison.Film]) {
        guard let rate = films[0].source.facts.frames.rate else { return }
        for film in films.dropFirst() {
            guard let other = film.source.facts.frames.rate, !other.isLike(rate) else { continue }
            let words = [other, rate].map { fixed(Double($0.numerator) / Double($0.denominator), 3) }
            printLine(
                "quadrille: \(film.name): \(words[0]) frames a second, the reference \(words[1]): "
                    + "each of the reference's is compared with the one on screen then")
        }
    }

    /// Prints offsets that are no whole number of frames. Films of one rate are compared frame by frame, whatever the
    /// offset.
    private func printOffsets(of films: [FilmComparison.Film]) {
        let rate = films[0].source.facts.frames.rate
        for film in films.dropFirst() {
            guard let frames = FrameOffset(film.offset, rate, film.source.facts.frames.rate), !frames.isWhole else {
                continue
            }
            printLine(
                "quadrille: \(film.name): an offset of \(fixed(film.offset.seconds, 3)) s is no whole number of frames; "
                    + "the nearest is \(frames.words) (\(fixed(frames.time.seconds, 4)) s), and so they are compared")
        }
    }

    private func printNote(_ note: FilmComparison.Note) {
        switch note {
        case .converted(let film, let from, let to):
            printLine("quadrille: \(film): its frames are \(from); they are measured as \(to)")
        case .reoriented(let film, let how):
            printLine("quadrille: \(film): its frames are \(how), to lie as the reference's do on screen")
        case .stretched(let film, let from, let to):
            printLine(
                "quadrille: \(film): its frames are \(from.width)x\(from.height) on screen, the reference's "
                    + "\(to.width)x\(to.height): they are measured as stretched onto those")
        case .damaged(let film, let frames):
            printLine("quadrille: \(film): \(frames) of its frames can't be decoded completely")
        case .lacking(let film, let lack):
            printLine("quadrille: \(film): \(lack.trouble.what)")
        }
    }

    private func bar(for facts: SourceFacts) -> ProgressBar? {
        guard let rate = facts.frames.rate, let whole = facts.length else { return nil }
        let length = min(options.length ?? .distantFuture, whole - options.start)
        return length > .zero ? ProgressBar(total: max(1, rate.nearest(to: length)), .frames(rate)) : nil
    }

    /// Writes the requested files, and returns the exit status.
    private func end(
        _ outcome: FilmComparison.Outcome, _ films: [FilmComparison.Film], _ ending: Ending
    ) -> Int32 {
        switch outcome {
        case .interrupted: return ExitStatus.failed
        case .failed(let name, let trouble):
            printLine("quadrille: \(name): \(trouble.what) (\(trouble.kind.rawValue))")
            return ExitStatus.failed
        case .complete(let measured):
            guard hasAll(measured) else { return ExitStatus.failed }
            let report = MeasureReport(
                reference: films[0].name, films: measured.films,
                sizes: zip(options.films, films).map { FileSize(of: $0, $1.source.facts) }, worst: measured.worst,
                traits: measured.traits)
            // The contents take longer to make than to write: a signal meanwhile leaves no file.
            let contents = options.outputs.map { report.bytes(as: $0.format) }
            if ending.isRequested { return ExitStatus.failed }
            var status = ExitStatus.done
            for (output, bytes) in zip(options.outputs, contents) {
                do throws(FileTrouble) { try FileReplacement.write(bytes, to: output.file, readers: .asOthers) } catch {
                    printLine("quadrille: -o \(error)")
                    status = ExitStatus.unwritten
                }
            }
            return printOutput(MeasureText.lines(of: report), status: status)
        }
    }

    /// Checks before anything is measured that each file can be written, in a place of its own. Returns the exit
    /// status; nil if all is well.
    private func complaintOfOutputs() -> Int32? {
        var places: Set<String> = []
        for output in options.outputs {
            do throws(FileTrouble) {
                guard places.insert(try FileReplacement.place(of: output.file)).inserted else {
                    printLine("quadrille: -o \(output.file): another -o names the same file")
                    return ExitStatus.usage
                }
            } catch {
                printLine("quadrille: -o \(error)")
                return ExitStatus.unwritten
            }
        }
        return nil
    }

    /// Prints which films have no measured frame, and how many frames the others lack. Returns false if a film has no
    /// measured frame.
    private func hasAll(_ measured: FilmComparison.Measured) -> Bool {
        guard let rows = measured.films.first?.rows, !rows.isEmpty else {
            printLine("quadrille: --at \(fixed(options.start.seconds, 3)): the reference is over by then")
            return false
        }
        var hasAll = true
        for film in measured.films {
            let count = film.measured.count
            if count == 0 {
                printLine(
                    "quadrille: \(film.source): none of its frames overlaps the reference in time; --offset shifts it")
                hasAll = false
            } else if count < rows.count {
                printLine(
                    "quadrille: \(film.source): \(rows.count - count) of \(rows.count) frames of the reference have "
                        + "no counterpart, and are not measured")
            }
        }
        return hasAll
    }
}
