import Base
import Console
import Files
import Layout
import Measurement
import Media

/// `quadrille measure`: measures how far films are from a reference, frame by frame. Needs no display and no sound
/// server.
public struct MeasureCommand {
    /// Names of the films to measure. The first is the reference.
    private var names: [String] = []
    /// Offsets of the others, in their order; empty if the timestamps state them.
    private var offsets: [Time] = []
    /// The part of each film that is measured, the reference's first.
    private var crops: [Crop] = []
    private var outputs: [(file: String, format: MeasureReport.Format)] = []
    private var start = Time.zero
    /// Length to measure; nil if it reaches to the reference's end.
    private var length: Time?
    private var extra = FilmComparison.Extra.none
    private var colours = FilmComparison.Colours.asMeant
    private var space = ComparisonSpace.coded
    private var deinterlacing = Deinterlacing.off

    public static let options: [Option<MeasureCommand>] = [
        Option(
            "output", short: "o", .file("FILE"), "or -o FILE: .html, .csv or .json; may be given several times"
        ) { options, file throws(UsageMistake) in
            options.outputs.append((file, try format(of: file)))
        },
        Option(
            "offset", .offset, "how far ahead of the reference an OTHER is (-: behind); one for each"
        ) {
            $0.offsets.append($1)
        }.default("by timestamps"),
        Option(
            "crop", .crop,
            "part of the frames to measure: 640x360+10+20 in pixels, 0.1,0,0.8,1 in fractions, or none; once for all "
                + "films, or for each, the reference first"
        ) {
            $0.crops.append($1)
        },
        Option("at", .time(), "begin there in the reference: seconds, 1:23.5 or 1:02:03") { $0.start = $1 },
        Option("for", .length, "length to measure") { $0.length = $1 }.default("to the reference's end"),
        Option(flag: "vmaf", "measure VMAF too, where libvmaf is installed") { $0.extra = .vmaf },
        Option(
            flag: "as-coded",
            "compare code values, whatever colours they mean: HDR with SDR too, and no matrix is converted"
        ) { $0.colours = .asCoded },
        Option(
            "space", .oneOf(["sdr", "linear"]),
            "convert all films first: sdr: tone-mapped to SDR in BT.709; linear: luminance in nits, encoded by PQ"
        ) { $0.space = $1 }.default("the reference's code values"),
        Option(flag: "deinterlace", "deinterlace marked frames by bwdif") { $0.deinterlacing = .marked },
        .help,
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        names = try Self.options.read(arguments, into: &self)
        guard names.count > 1 else {
            throw UsageMistake(
                names.isEmpty
                    ? "a reference and what to measure beside it are missing"
                    : "what to measure beside \(names[0]) is missing: the first film is the reference")
        }
        if space != .coded, colours == .asCoded {
            throw UsageMistake("--as-coded and --space \(space.rawValue): one of them would be right")
        }
        if space == .linear, extra == .vmaf {
            throw UsageMistake("--vmaf has no meaning for luminance alone; --space sdr would be right")
        }
        guard case .media = try WallContent(names) else { throw UsageMistake("films are measured, not layouts") }
        if !offsets.isEmpty {
            try UsageMistake.refuse(offsets: offsets.count, for: names.count - 1, after: "the reference")
        }
        if crops.count < 2 { crops = Array(repeating: crops.first ?? .all, count: names.count) }
        guard crops.count == names.count else {
            throw UsageMistake(
                "--crop is given \(crops.count) times for \(names.count) films; once for all of them would be right, or "
                    + "once for each, the reference first (none: whole frames)")
        }
    }

    private static func format(of file: String) throws(UsageMistake) -> MeasureReport.Format {
        let name = file.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, let format = MeasureReport.Format(rawValue: parts.last?.lowercased() ?? "") {
            return format
        }
        throw UsageMistake("-o \(file): the extension chooses the format; .html, .csv or .json would be right")
    }

    public func run() -> Int32 { Ending.status(of: measure) }

    private func measure(_ ending: Ending) throws -> Int32 {
        try checkOutputs()
        if extra == .vmaf, !VMAF.isAvailable { throw Failure("--vmaf: \(VMAF.missing)") }
        let films = try opened()
        // The report states what was printed about the films.
        var remarks: [String] = []
        func remark(_ text: String) {
            printLine("quadrille: \(text)")
            remarks.append(text)
        }
        for film in films.dropFirst() {
            film.remarks(beside: films[0], isPairedByTimestamps: offsets.isEmpty).forEach(remark)
        }
        films.compactMap(\.remarkOnCrop).forEach(remark)
        ending.prepare()
        let comparison = try FilmComparison(
            reference: films[0], others: Array(films.dropFirst()), from: start, length: length, extra: extra,
            colours: colours, in: space, deinterlacing: deinterlacing,
            keepingWorst: outputs.contains { $0.format == .html } ? MeasureReport.mostWorst : 0,
            isEndRequested: { ending.isRequested })
        ending.onRequest { comparison.wake() }
        var bar = bar(for: films[0].source.facts)
        func progress(_ frames: Int) { bar?.show(Int64(frames)) }
        let outcome = comparison.run(progress: progress, note: remark)
        ProgressBar.clear()
        Ending.reportMissing(comparison.stop())
        if case .success(let measured) = outcome { measured.films.flatMap(\.remarks).forEach(remark) }
        return try end(outcome, films, remarks, ending)
    }

    /// Opens the films. Throws if one can't be measured.
    private func opened() throws(Failure) -> [FilmComparison.Film] {
        let sources = try openedSources(names, complaint: complaint)
        if let image = sources.firstIndex(where: { $0.facts.kind == .still }),
            let film = sources.firstIndex(where: { $0.facts.kind != .still })
        {
            throw Failure(
                "\(names[image]): it is an image, and \(names[film]) a film; films alone, or images "
                    + "alone, would be right (unsupported)")
        }
        for (name, (source, crop)) in zip(names, zip(sources, crops)) {
            let size = source.facts.stored
            guard crop.fits(in: size) else {
                throw Failure("\(name): the crop reaches beyond its frames of \(size.width)x\(size.height)")
            }
        }
        return sources.enumerated().map { index, source in
            let name = names[index]
            if source.facts.isCutOff { printLine("quadrille: \(name): \(FilmDamage.cutOff.trouble.what)") }
            let stated =
                offsets.isEmpty
                ? source.facts.offset(byTimestampsOf: sources[0].facts) : index > 0 ? offsets[index - 1] : .zero
            return FilmComparison.Film(
                source, name: SourceName.withoutSecrets(name), offset: stated, crop: crops[index])
        }
    }

    private func complaint(about facts: SourceFacts) -> String? {
        let isTiny = min(facts.storage.width, facts.storage.height) < 8
        return facts.complaintOfComparing ?? (isTiny ? "its frames are smaller than the 8x8 blocks of SSIM" : nil)
    }

    private func bar(for facts: SourceFacts) -> ProgressBar? {
        guard let rate = facts.frames.rate, let whole = facts.length else { return nil }
        let length = min(length ?? .distantFuture, whole - start)
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
                sizes: zip(names, films).map { FileSize(of: $0, $1.source.facts) }, space: space,
                remarks: remarks)
            // The contents take longer to make than to write: a signal meanwhile leaves no file.
            let contents = outputs.map { report.bytes(as: $0.format) }
            if ending.isRequested { throw .interrupted }
            var status = ExitStatus.done
            for (output, bytes) in zip(outputs, contents) {
                do throws(FileTrouble) { try FileReplacement.write(bytes, to: output.file, readers: .asOthers) } catch {
                    printLine("quadrille: -o \(error)")
                    status = ExitStatus.unwritten
                }
            }
            return printOutput(MeasureText.lines(of: report), status: status)
        }
    }

    /// Checks before anything is measured that each file can be written, in a place of its own, and is not measured.
    private func checkOutputs() throws {
        let inUse = FilesInUse(Layout.ofMedia(names), .media(names))
        var places: Set<String> = []
        for (file, _) in outputs {
            try inUse.check(file, "-o")
            try Failure.checkFolder(of: file, "-o")
            let place: String
            do throws(FileTrouble) { place = try FileReplacement.place(of: file) } catch {
                throw Failure("-o \(error)", status: ExitStatus.unwritten)
            }
            if !places.insert(place).inserted { throw UsageMistake("-o \(file): another -o names the same file") }
        }
    }

    /// Throws if a film has no measured frame, or nothing was measured.
    private func checkThatEachIsMeasured(_ measured: FilmComparison.Measured) throws(Failure) {
        guard let rows = measured.films.first?.rows, !rows.isEmpty else {
            throw Failure("--at \(fixed(start.seconds, 3)): the reference is over by then")
        }
        let apart = measured.films.filter { $0.measured.isEmpty }
        guard !apart.isEmpty else { return }
        throw Failure(
            lines: apart.map {
                "quadrille: \($0.source): none of its frames overlaps the reference in time; --offset shifts it"
            }, status: ExitStatus.failed)
    }
}

extension FilmComparison.Film {
    /// Returns remarks on how a film differs from the reference. `isPairedByTimestamps`: true if no offset was given.
    fileprivate func remarks(beside reference: FilmComparison.Film, isPairedByTimestamps: Bool) -> [String] {
        let own = source.facts, its = reference.source.facts
        var remarks: [String] = []
        // Each frame of the reference is compared once, whatever the other's rate.
        if let rate = own.frames.rate, let other = its.frames.rate, !rate.isLike(other) {
            let words = [rate, other].map { fixed(Double($0.numerator) / Double($0.denominator), 3) }
            remarks.append(
                "\(words[0]) frames a second, the reference \(words[1]): each of the reference's is compared with the "
                    + "one on screen then")
        }
        let frames = FrameOffset(offset, its.frames.rate, own.frames.rate)
        if isPairedByTimestamps, offset != .zero {
            // A video begins after its sound.
            let words = [own.lead, its.lead].map { "\(fixed($0.seconds, 3)) s" }
            remarks.append(
                "its video begins \(words[0]) after its sound, the reference's \(words[1]): paired by timestamps, "
                    + "\(fixed(offset.magnitude.seconds, 3)) s \(offset > .zero ? "ahead" : "behind")"
                    + (frames.map { " (\($0.words))" } ?? "") + "; --offset 0 pairs the first frames")
        } else if let frames, !frames.isWhole {
            // Films of one rate are compared frame by frame, whatever the offset.
            remarks.append(
                "an offset of \(fixed(offset.seconds, 3)) s is no whole number of frames; the nearest is "
                    + "\(frames.words) (\(fixed(frames.time.seconds, 4)) s), and so they are compared")
        }
        return remarks.map { "\(name): \($0)" }
    }

    /// Names the part that is measured; nil if that is all of the frames.
    fileprivate var remarkOnCrop: String? {
        if crop == .all { return nil }
        let size = source.facts.stored, part = crop.pixels(in: size)
        return "\(name): of its frames of \(size.width)x\(size.height), the part \(part.words) is measured"
    }
}

extension MeasuredFilm {
    /// How many of the reference's frames have no counterpart, and the offset with which the film fits better.
    fileprivate var remarks: [String] {
        let (count, all) = (measured.count, rows.count)
        var remarks: [String] = []
        if count > 0, count < all {
            remarks.append("\(all - count) of \(all) frames of the reference have no counterpart, and are not measured")
        }
        if let shift = fit.better, let offset = betterOffset {
            remarks.append("\(shift.words): --offset \(fixed(offset.seconds, 4))")
        }
        return remarks.map { "\(source): \($0)" }
    }
}
