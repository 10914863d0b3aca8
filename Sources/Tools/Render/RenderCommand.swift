import Analysis
import Base
import Console
import Layout
import Media
import Player
import Screen
import Threads

/// `quadrille render` and `quadrille snapshot`: the wall into a file. Needs no display and no sound server.
public struct RenderCommand {
    public enum Kind { case film, snapshot }

    private let kind: Kind
    private var content = WallContent.media([])
    private var file = ""
    private var wall = WallOptions()
    private var quality = Quality.exact
    /// nil for one a tile.
    private var pipelines: Int?
    /// Format and encoding of the film. Its size, rate and sound follow from the layout and its sources.
    private var spec = FilmSpec(format: .checksums, size: Size(0, 0), rate: FrameRate(30, 1))

    // Options of a film; those that are nil were not given.
    private var length: Time?
    /// Length beyond which nothing is rendered.
    private var longest: Time?
    private var rate: FrameRate?
    private var hasSound = true

    public static let ofFilm = Option<RenderCommand>.table(
        [
            Option(
                "output", short: "o", .file("FILE"), "or -o FILE: \(FilmFormat.endings); - writes checksums"
            ) { $0.file = $1 },
            Option("for", .length, "length of the film") { $0.length = $1 }
                .default("one iteration of the longest tile"),
            Option("fps", .frameRate, "frames a second, as in 30, 23.976 or 30000/1001") { $0.rate = $1 }
                .default("the films'"),
        ], shared,
        [
            Option(
                "crf", .whole(0...63, "N"), "the encoder's constant quality; less is better and larger"
            ) { $0.spec.quality = $1 },
            Option("preset", .text("NAME"), "the encoder's preset: medium, veryfast, …") { $0.spec.preset = $1 },
            Option(flag: "no-audio", "write video alone") { $0.hasSound = false },
            Option("max-length", .length, "fail if the film is longer") { $0.longest = $1 }, .help,
        ])
    public static let ofSnapshot = Option<RenderCommand>.table(
        [Option("output", short: "o", .file("FILE.png"), "or -o FILE.png: the file to write") { $0.file = $1 }], shared,
        [.help])
    private static let shared = Option<RenderCommand>.table(
        WallOptions.timeOptions.lifted(into: \.wall), WallOptions.soundOptions.lifted(into: \.wall),
        [WallOptions.size("size in pixels", default: "the layout's window, or the shape of the films' grid")].lifted(
            into: \.wall),
        [
            Option(
                "quality", .oneOf(["exact", "auto"]), "exact: every pixel as the decoder specifies"
            ) { $0.quality = $1 }.default("exact"),
            Option(
                "pipelines", .whole(1...64, or: "auto", "N"), "number of decoders; tiles may take turns"
            ) { $0.pipelines = $1 }.default("one a tile"),
        ])

    public init(_ arguments: [String], _ kind: Kind) throws(UsageMistake) {
        self.kind = kind
        if arguments.prefix(while: { $0 != "--" }).contains("--keep-hdr") {
            throw UsageMistake(
                "--keep-hdr: films are written as the wall shows them, in SDR: its tiles, texts and figures have 8 bits a "
                    + "colour, and PQ needs 10")
        }
        content = try WallContent(try (kind == .film ? Self.ofFilm : Self.ofSnapshot).read(arguments, into: &self))
        try wall.check(content)
        guard !file.isEmpty else {
            throw UsageMistake("-o \(kind == .film ? "FILE" : "FILE.png") is missing: where to write it")
        }
        spec.format = try format(of: file)
        if let length, let longest, length > longest {
            throw UsageMistake("--for is longer than --max-length allows")
        }
    }

    private func format(of file: String) throws(UsageMistake) -> FilmFormat {
        switch (kind, FilmFormat(file: file)) {
        case (.snapshot, .frame): return .frame
        case (.snapshot, _):
            throw UsageMistake("-o \(file): a snapshot is one frame; a name that ends in .png would be right")
        case (.film, .frame):
            throw UsageMistake("-o \(file): a place for the number is missing, as in %05d.png; snapshot writes one")
        case (.film, let format?): return format
        case (.film, nil):
            throw UsageMistake("-o \(file): the extension chooses the format; \(FilmFormat.endings) would be right")
        }
    }

    /// `start`: time at which the program began.
    public func run(since start: Int64) -> Int32 {
        Ending.status { try render($0, since: Time(nanoseconds: start)) }
    }

    private func render(_ ending: Ending, since start: Time) throws -> Int32 {
        guard var layout = content.read().layoutPrintingMistakes() else { return ExitStatus.usage }
        let sources = CompoundSources(expanding: &layout)
        try wall.apply(to: &layout)
        layout.quality = quality
        let played = FilesInUse(layout, content, songs: sources.songs)
        switch spec.format {
        case .frameSequence: try played.check(sequence: file, "-o")
        default: try played.check(file, "-o")
        }
        sources.files.lacks.forEach(printLine)
        if !layout.breaks.isEmpty {
            printLine("quadrille: breaks are not rendered: they follow the clock of a playing wall")
        }
        var (spec, count) = (spec, Int64(1))
        let isShaped = wall.leavesSizeToFilms(content)
        switch kind {
        case .snapshot:
            if isShaped { ProbedSources(of: layout, patience: Self.patienceForShapes).shapeWindow(of: &layout) }
        case .film:
            let roll = ProbedSources(of: layout)
            if isShaped { roll.shapeWindow(of: &layout) }
            spec.rate = rate ?? roll.frameRate
            if hasSound, spec.format.takesSound, roll.hasSound(layout) { spec.sound = .stereo }
            count = max(1, frames(in: try length(of: layout, roll), at: spec.rate))
        }
        spec.size = layout.window.size
        return try write(layout, spec, count, ending, since: start)
    }

    private static let patienceForShapes: Int64 = 1_000_000_000

    private func write(
        _ layout: Layout, _ spec: FilmSpec, _ count: Int64, _ ending: Ending, since start: Time
    ) throws -> Int32 {
        let eventLog = try EventLog(trace: nil, events: .usualTrace, loudness: .usual, start: start)
        defer { eventLog.stop() }
        // Runs on the thread "ending" if the main thread is blocked.
        ending.prepare()
        let film = try Film(spec, file: file)
        let texts = TextMaker {}
        let wall: SteppedWall
        do throws(NoThread) {
            wall = try SteppedWall(
                layout: layout, pipelines: pipelines ?? layout.playingTiles.count, start: Clock.Start(),
                texts: texts, record: { eventLog.record($0) }, isEndRequested: { ending.isRequested })
        } catch {
            film.abandon()
            texts.stop()
            throw error
        }
        texts.lyrics.onTrouble { source, trouble in
            wall.change { wall, now in wall.lyricsFailed(source, trouble, at: now) }
        }
        ending.onRequest { wall.wake() }
        if self.wall.startsMuted { wall.change { wall, now in _ = wall.apply(.mute(.on, .wall), at: now) } }
        let status = Failure.status {
            do { try fill(film, spec, frames: count, from: wall, layout) } catch {
                film.abandon()
                throw error
            }
            try film.finish()
            return ExitStatus.done
        }
        ProgressBar.clear()
        ending.leaveToMainThread()
        Ending.reportMissing(wall.stop() + texts.stop())
        return status
    }

    /// Writes the wall into a film, frame by frame. May wait for sources, encoders and files.
    ///
    /// The wall and its threads are those of a wall in a window; only `WallClock` is stepped. Its time moves only by
    /// `LockedWall.step`, one frame at a time: it is always `start + n/rate`. Each step waits until
    /// `Snapshot.isSettled`. `Painter` draws into memory, without SDL.
    private func fill(
        _ film: Film, _ spec: FilmSpec, frames count: Int64, from wall: SteppedWall, _ layout: Layout
    ) throws {
        let delay = layout.audio.delayMilliseconds * SoundGrid.rate / 1000
        let mix = spec.sound == .stereo ? FilmMix(beginning: SteppedWall.beginning, delay: delay) : nil
        guard let target = RenderTarget(size: spec.size, texts: wall.texts) else {
            throw FilmTrouble("no memory for a wall of \(spec.size.width)x\(spec.size.height)")
        }
        var bar = kind == .film ? ProgressBar(total: count, .frames(spec.rate)) : nil
        try wall.begin(on: target)
        for number in 0..<count {
            let now = SteppedWall.beginning + spec.rate.start(of: number)
            let until = SteppedWall.beginning + spec.rate.start(of: number + 1)
            try wall.step(to: now, on: target)
            if number == 0 {
                let report = wall.change { wall, now in wall.snapshot(at: now) }
                if report.isBarren { throw Failure("nothing could be played") }
                for words in report.wordsOnLaterIterations where self.wall.start > .zero {
                    printLine("quadrille: --at \(fixed(self.wall.start.seconds, 3)) s: \(words)")
                }
            }
            try film.add(target.raster.base, stride: target.raster.stride)
            let soundScene = wall.change { wall, now in wall.snapshot(at: now).soundScene() }
            var heard = now
            // The loop goes in steps of a second, since one frame may last for hours.
            while heard < until, let mix {
                if wall.isEndRequested() { throw Failure.interrupted }
                heard = min(heard + .seconds(1), until)
                try film.add(mix.mix(soundScene, until: heard))
                for (sound, source) in mix.takeMended() {
                    wall.change { wall, now in wall.note(.mendedSound(sound, of: source), at: now) }
                }
            }
            bar?.show(number + 1)
        }
        try film.add(mix?.finish() ?? [])
    }

    private func length(of layout: Layout, _ roll: ProbedSources) throws(Failure) -> Time {
        if let length { return length }
        guard let iteration = layout.longestIteration({ roll.facts[$0]?.opened }) else {
            throw Failure("its length is not known before it was played; --for sets it")
        }
        guard iteration > .zero else { throw Failure("nothing could be played") }
        // The command line's `--at` and `--rate` are in the layout by now.
        let main = layout.groups.first { $0.name == "main" }
        let start = main?.at ?? .zero
        let length =
            (start < iteration ? iteration - start : iteration).lasting(at: main?.rate ?? .one)
            + layout.audio.startDelay
        if let longest, length > longest {
            throw Failure(
                "it would last \(fixed(length.seconds, 3)) s, longer than --max-length \(fixed(longest.seconds, 3))")
        }
        return length
    }

    /// Number of frames that begin within `length`.
    private func frames(in length: Time, at rate: FrameRate) -> Int64 {
        let count = rate.nearest(to: length)
        return rate.start(of: count) < length ? count + 1 : count
    }
}

/// Facts of a layout's sources, each opened once.
struct ProbedSources {
    /// Facts of the sources that can be played.
    let facts: [String: SourceFacts]

    /// Number of sources that are opened at once.
    private static let width = 8

    /// Blocks until each source is open, has failed, or has not answered for `patience` nanoseconds.
    init(of layout: Layout, patience: Int64 = .max) {
        let sources = layout.sources
        let opened = results(for: sources, atOnce: Self.width, within: patience) {
            source, deadline throws(SourceTrouble) in
            try Source.open(source, deadline: deadline).facts
        }
        facts = Dictionary(uniqueKeysWithValues: zip(sources, opened)).compactMapValues { try? $0.get() }
    }

    /// True if anything in the layout has sound.
    func hasSound(_ layout: Layout) -> Bool {
        let items = layout.playingTiles.flatMap(\.play)
        let others = items.contains { !$0.audio.sources.isEmpty }
        let own = items.contains { item in
            item.audio != .silent && item.segments.contains { facts[$0.source]?.soundTracks.isEmpty == false }
        }
        return own || others || layout.audio.bed != nil
    }

    /// Sets the window's size to suit the frames, for a layout that was made of media.
    func shapeWindow(of layout: inout Layout) {
        let frames = layout.playingTiles.compactMap { facts[$0.play[0].segments[0].source]?.natural }
        if let size = layout.grid.windowSize(for: frames) { layout.window.size = size }
    }

    /// The highest of the films' rates, at most 60; 30 where there is no film.
    var frameRate: FrameRate {
        let rates = facts.values.filter { $0.kind == .video }.compactMap(\.frames.rate)
        let highest = rates.max { $0.frame > $1.frame } ?? FrameRate(30, 1)
        return highest.frame < FrameRate(60, 1).frame ? FrameRate(60, 1) : highest
    }
}
