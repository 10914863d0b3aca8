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
    private let options: RenderOptions
    private let start: Time

    public init(_ options: RenderOptions, start: Int64) {
        (self.options, self.start) = (options, Time(nanoseconds: start))
    }

    public func run() -> Int32 { Ending.status(of: render) }

    private func render(_ ending: Ending) throws -> Int32 {
        guard let written = options.content.read().layoutPrintingMistakes() else { return ExitStatus.usage }
        var (layout, songs, troubles) = written.readingSources()
        try options.wall.apply(to: &layout)
        layout.quality = options.quality
        let played = FilesInUse(layout, options.content, songs: songs)
        switch options.format {
        case .frameSequence: try played.check(sequence: options.file, "-o")
        default: try played.check(options.file, "-o")
        }
        troubles.forEach(printLine)
        if !layout.breaks.isEmpty {
            printLine("quadrille: breaks are not rendered: they follow the clock of a playing wall")
        }
        let rate: FrameRate
        let count: Int64
        var sound = FilmSpec.Sound.none
        let isShaped = options.wall.leavesSizeToFilms(options.content)
        switch options.kind {
        case .snapshot:
            (rate, count) = (FrameRate(30, 1), 1)
            if isShaped { ProbedSources(of: layout, patience: Self.patienceForShapes).shapeWindow(of: &layout) }
        case .film:
            let roll = ProbedSources(of: layout)
            if isShaped { roll.shapeWindow(of: &layout) }
            rate = options.rate ?? roll.frameRate
            if options.hasSound, options.format.takesSound, roll.hasSound(layout) { sound = .stereo }
            count = max(1, frames(in: try length(of: layout, roll), at: rate))
        }
        return try write(layout, rate, count, sound, ending)
    }

    private static let patienceForShapes: Int64 = 1_000_000_000

    private func write(
        _ layout: Layout, _ rate: FrameRate, _ count: Int64, _ sound: FilmSpec.Sound, _ ending: Ending
    ) throws -> Int32 {
        var spec = FilmSpec(format: options.format, size: layout.window.size, rate: rate)
        (spec.quality, spec.preset, spec.sound) = (options.constantQuality, options.preset, sound)
        let eventLog = try EventLog(trace: nil, events: .usualTrace, loudness: .usual, start: start)
        defer { eventLog.stop() }
        // Runs on the thread "ending" if the main thread is blocked.
        ending.prepare()
        let film = try Film(spec, file: options.file)
        let texts = TextMaker {}
        let wall: SteppedWall
        do throws(NoThread) {
            wall = try SteppedWall(
                layout: layout, pipelines: options.pipelines ?? layout.playingTiles.count, start: Clock.Start(),
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
        var bar = options.kind == .film ? ProgressBar(total: count, .frames(rate)) : nil
        if options.wall.startsMuted { wall.change { wall, now in _ = wall.apply(.mute(.on, .wall), at: now) } }
        let status = Failure.status {
            do {
                try wall.write(
                    layout, frames: count, into: film, spec, began: printWhereTilesBegin, progress: { bar?.show($0) })
            } catch {
                film.abandon()
                throw error
            }
            try film.finish()
            return ExitStatus.done
        }
        ProgressBar.clear()
        ending.leaveToMainThread()
        ending.leave(wall.stop() + (texts.stop() == .stillRunning ? ["texts"] : []))
        return status
    }

    /// Reports the tiles that are past the end of their first iteration at `--at`.
    private func printWhereTilesBegin(_ beginnings: [TileBeginning]) {
        for beginning in beginnings where beginning.iteration != .first && options.wall.start > .zero {
            let place =
                beginning.iteration == .over
                ? "it has ended by then, and shows its last frame"
                : "it has begun again by then, and is at \(fixed(beginning.position.seconds, 3)) s of \(beginning.source)"
            printLine("quadrille: --at \(fixed(options.wall.start.seconds, 3)) s: \(beginning.tile): \(place)")
        }
    }

    private func length(of layout: Layout, _ roll: ProbedSources) throws(Failure) -> Time {
        if let length = options.length { return length }
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
        if let longest = options.longest, length > longest {
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
