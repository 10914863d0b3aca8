import Base
import Console
import Files
import Measurement
import Media
import Threads

/// `quadrille measure`: measures how far films are from a reference, frame by frame. Needs no display and no sound
/// server.
public struct MeasureCommand {
    private let options: MeasureOptions

    public init(_ options: MeasureOptions) { self.options = options }

    public func run() -> Int32 { Ending.status(of: measure) }

    private func measure(_ ending: Ending) throws -> Int32 {
        try options.checkOutputs()
        for output in options.outputs { try Failure.checkFolder(of: output.file, "-o") }
        try checkPlacesOfOutputs()
        if options.extra == .vmaf, !VMAF.isAvailable { throw Failure("--vmaf: \(VMAF.missing)") }
        let films = try opened()
        // The report states what was printed about the films.
        var remarks: [String] = []
        func remark(_ text: String) {
            printLine("quadrille: \(text)")
            remarks.append(text)
        }
        let pairing = options.offsets.isEmpty ? offsetsByTimestamps(of: films) : unevenOffsets(of: films)
        (unlikeRates(of: films) + pairing + crops(of: films)).forEach(remark)
        ending.prepare()
        let comparison: FilmComparison
        do throws(NoThread) {
            comparison = try FilmComparison(
                reference: films[0], others: Array(films.dropFirst()), from: options.start, length: options.length,
                extra: options.extra, colours: options.colours, in: options.space, deinterlacing: options.deinterlacing,
                keepingWorst: options.outputs.contains { $0.format == .html } ? MeasureReport.mostWorst : 0,
                isEndRequested: { ending.isRequested })
        } catch {
            ending.leaveToMainThread()
            throw error
        }
        ending.onRequest { comparison.wake() }
        var bar = bar(for: films[0].source.facts)
        func progress(_ frames: Int) { bar?.show(Int64(frames)) }
        let outcome = comparison.run(progress: progress, note: { remark(Self.words(on: $0)) })
        bar?.clear()
        let missing = comparison.stop()
        if case .success(let measured) = outcome { (lacks(of: measured) + betterShifts(of: measured)).forEach(remark) }
        let status = Failure.status { try end(outcome, films, remarks, ending) }
        ending.leaveToMainThread()
        return ending.status(after: status, missing: missing)
    }

    /// Opens the films. Throws if one can't be measured.
    private func opened() throws(Failure) -> [FilmComparison.Film] {
        let sources = try openedSources(options.films, complaint: complaint)
        if let image = sources.firstIndex(where: { $0.facts.kind == .still }),
            let film = sources.firstIndex(where: { $0.facts.kind != .still })
        {
            throw Failure(
                "\(options.films[image]): it is an image, and \(options.films[film]) a film; films alone, or images "
                    + "alone, would be right (unsupported)")
        }
        for (name, (source, crop)) in zip(options.films, zip(sources, options.crops)) {
            let size = source.facts.stored
            guard crop.fits(in: size) else {
                throw Failure("\(name): the crop reaches beyond its frames of \(size.width)x\(size.height)")
            }
        }
        return sources.enumerated().map { index, source in
            let name = options.films[index]
            if source.facts.isCutOff { printLine("quadrille: \(name): \(FilmDamage.cutOff.trouble.what)") }
            let stated =
                options.offsets.isEmpty
                ? source.facts.offset(byTimestampsOf: sources[0].facts) : index > 0 ? options.offsets[index - 1] : .zero
            return FilmComparison.Film(
                source, name: SourceName.withoutSecrets(name), offset: stated, crop: options.crops[index])
        }
    }

    private func complaint(about facts: SourceFacts) -> String? {
        if let complaint = facts.complaintOfComparing { return complaint }
        let side = min(facts.storage.width, facts.storage.height)
        return side < 8 ? "its frames are smaller than the 8x8 blocks of SSIM" : nil
    }

    /// Names the rates that differ from the reference's. Each frame of the reference is compared once, whatever the
    /// other's rate.
    private func unlikeRates(of films: [FilmComparison.Film]) -> [String] {
        guard let rate = films[0].source.facts.frames.rate else { return [] }
        return films.dropFirst().compactMap { film in
            guard let other = film.source.facts.frames.rate, !other.isLike(rate) else { return nil }
            let words = [other, rate].map { fixed(Double($0.numerator) / Double($0.denominator), 3) }
            return "\(film.name): \(words[0]) frames a second, the reference \(words[1]): "
                + "each of the reference's is compared with the one on screen then"
        }
    }

    /// Names the films that are not paired from their first frames on, because a video begins after its sound.
    private func offsetsByTimestamps(of films: [FilmComparison.Film]) -> [String] {
        let reference = films[0].source.facts
        return films.dropFirst().compactMap { film in
            guard film.offset != .zero else { return nil }
            let frames = FrameOffset(film.offset, reference.frames.rate, film.source.facts.frames.rate)
            let words = [film.source.facts.lead, reference.lead].map { "\(fixed($0.seconds, 3)) s" }
            return "\(film.name): its video begins \(words[0]) after its sound, the reference's \(words[1]): paired by "
                + "timestamps, \(fixed(film.offset.magnitude.seconds, 3)) s "
                + (film.offset > .zero ? "ahead" : "behind") + (frames.map { " (\($0.words))" } ?? "")
                + "; --offset 0 pairs the first frames"
        }
    }

    /// Names the measured parts of films that are cropped.
    private func crops(of films: [FilmComparison.Film]) -> [String] {
        films.compactMap { film in
            guard film.crop != .all else { return nil }
            let size = film.source.facts.stored
            return
                "\(film.name): of its frames of \(size.width)x\(size.height), the part \(film.crop.pixels(in: size).words) is "
                + "measured"
        }
    }

    /// Names the films that fit better when they are shifted by a few frames.
    private func betterShifts(of measured: FilmComparison.Measured) -> [String] {
        measured.films.compactMap { film in
            guard let shift = film.fit.better, let offset = film.betterOffset else { return nil }
            return "\(film.source): \(shift.words): --offset \(fixed(offset.seconds, 4))"
        }
    }

    /// Names offsets that are no whole number of frames. Films of one rate are compared frame by frame, whatever the
    /// offset.
    private func unevenOffsets(of films: [FilmComparison.Film]) -> [String] {
        let rate = films[0].source.facts.frames.rate
        return films.dropFirst().compactMap { film in
            guard let frames = FrameOffset(film.offset, rate, film.source.facts.frames.rate), !frames.isWhole else {
                return nil
            }
            return "\(film.name): an offset of \(fixed(film.offset.seconds, 3)) s is no whole number of frames; "
                + "the nearest is \(frames.words) (\(fixed(frames.time.seconds, 4)) s), and so they are compared"
        }
    }

    private static func words(on note: FilmComparison.Note) -> String {
        switch note {
        case .converted(let film, let from, let to):
            "\(film): its frames are \(from); they are measured as \(to)"
        case .reoriented(let film, let how): "\(film): its frames are \(how), to lie as the reference's do on screen"
        case .stretched(let film, let from, let to):
            "\(film): its frames are \(from.width)x\(from.height) on screen, the reference's "
                + "\(to.width)x\(to.height): they are measured as stretched onto those"
        case .damaged(let film, let frames): "\(film): \(frames) of its frames can't be decoded completely"
        case .lacking(let film, let lack): "\(film): \(lack.trouble.what)"
        }
    }

    private func bar(for facts: SourceFacts) -> ProgressBar? {
        guard let rate = facts.frames.rate, let whole = facts.length else { return nil }
        let length = min(options.length ?? .distantFuture, whole - options.start)
        return length > .zero ? ProgressBar(total: max(1, rate.nearest(to: length)), .frames(rate)) : nil
    }

    /// Writes the requested files, and returns the exit status.
    private func end(
        _ outcome: Result<FilmComparison.Measured, FilmComparison.Stop>, _ films: [FilmComparison.Film],
        _ remarks: [String], _ ending: Ending
    ) throws(Failure) -> Int32 {
        switch outcome {
        case .failure(.interrupted): throw .interrupted
        case .failure(.failed(let name, let trouble)):
            throw Failure("\(name): \(trouble.what) (\(trouble.kind.rawValue))")
        case .success(let measured):
            try checkThatEachIsMeasured(measured)
            let report = MeasureReport(
                compared: films, measured: measured,
                sizes: zip(options.films, films).map { FileSize(of: $0, $1.source.facts) }, space: options.space,
                remarks: remarks)
            // The contents take longer to make than to write: a signal meanwhile leaves no file.
            let contents = options.outputs.map { report.bytes(as: $0.format) }
            if ending.isRequested { throw .interrupted }
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

    /// Checks before anything is measured that each file can be written, in a place of its own.
    private func checkPlacesOfOutputs() throws(Failure) {
        var places: Set<String> = []
        for output in options.outputs {
            let place: String
            do throws(FileTrouble) { place = try FileReplacement.place(of: output.file) } catch {
                throw Failure("-o \(error)", status: ExitStatus.unwritten)
            }
            if !places.insert(place).inserted {
                throw Failure("-o \(output.file): another -o names the same file", status: ExitStatus.usage)
            }
        }
    }

    /// Throws if a film has no measured frame, or nothing was measured.
    private func checkThatEachIsMeasured(_ measured: FilmComparison.Measured) throws(Failure) {
        guard let rows = measured.films.first?.rows, !rows.isEmpty else {
            throw Failure("--at \(fixed(options.start.seconds, 3)): the reference is over by then")
        }
        let apart = measured.films.filter { $0.measured.isEmpty }
        guard !apart.isEmpty else { return }
        throw Failure(
            lines: apart.map {
                "quadrille: \($0.source): none of its frames overlaps the reference in time; --offset shifts it"
            }, status: ExitStatus.failed)
    }

    /// States how many of the reference's frames have no counterpart in a film.
    private func lacks(of measured: FilmComparison.Measured) -> [String] {
        measured.films.compactMap { film in
            let (count, all) = (film.measured.count, film.rows.count)
            return count == 0 || count == all
                ? nil
                : "\(film.source): \(all - count) of \(all) frames of the reference have no counterpart, and are not "
                    + "measured"
        }
    }
}
