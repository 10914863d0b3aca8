import Base
import Feeds
import Heard
import Media
import Player

/// Writes the samples of a session into files, one for each stretch of a song, and the frames beside them. Reports each
/// file to the wall. Used only by the recorder's thread.
struct TakeFiles {
    private let session: TakeSession
    private let recorder: TakeRecorder
    private var file: (file: TakeFile, path: String)?
    /// The frames of a live source, which are written with the samples beside them.
    var frames: TakeFrames
    /// Samples of a file that is too short to be written yet.
    private var unbegun: (note: TakeNote, samples: [Float])?
    /// True if a file could not be written: nothing more is recorded.
    private(set) var hasFailed = false

    /// In samples; a shorter recording is not written.
    private static let shortest = 4800

    init(_ session: TakeSession, _ recorder: TakeRecorder) {
        (self.session, self.recorder) = (session, recorder)
        frames = TakeFrames(printLine: recorder.printLine)
    }

    /// True while samples go to a file.
    var isRecording: Bool { file != nil || unbegun != nil }

    /// Begins a file. It is made once it is long enough.
    mutating func begin(_ note: TakeNote) { unbegun = (note, []) }

    mutating func write(_ samples: ArraySlice<Float>) {
        if var begun = unbegun {
            begun.samples += samples
            unbegun = begun
            if begun.samples.count >= Self.shortest * 2 { open(begun.note, begun.samples) }
            return
        }
        guard let open = file else { return }
        do throws(FilmTrouble) { try open.file.write(samples) } catch {
            file = nil
            return fail(error, open.path, kept: open.file.wholeLength)
        }
        frames.write(samples, length: open.file.length)
    }

    private mutating func open(_ note: TakeNote, _ samples: [Float]) {
        unbegun = nil
        do throws(FilmTrouble) {
            let made = try recorder.folder.begin(note, on: session.name)
            file = made
            frames.begin(beside: TakesFolder.film(beside: made.path), at: note.start)
            emit(made.path, item: note.item, .started(start: note.start, source: note.source))
        } catch {
            return fail(error, "")
        }
        write(samples[...])
    }

    mutating func close() {
        unbegun = nil
        guard let open = file else { return }
        file = nil
        frames.end()
        do throws(FilmTrouble) {
            try open.file.finish()
            emit(open.path, .ended(open.file.length))
        } catch {
            fail(error, open.path, kept: open.file.wholeLength)
        }
    }

    /// Ends the recording; the wall plays on. `kept`: length of the file that was written.
    private mutating func fail(_ trouble: FilmTrouble, _ path: String, kept: Time = .zero) {
        hasFailed = true
        frames.end()
        recorder.printLine("quadrille: the recording has stopped: \(trouble.what)")
        emit(path, .failed(trouble.what, kept: kept))
        recorder.runner.change { wall, now in _ = wall.apply(.record(.off), at: now) }
    }

    private func emit(_ path: String, item: Int = 0, _ state: Event.TakeState) {
        recorder.runner.change { wall, now in wall.take(path, of: session, item: item, state, at: now) }
    }
}

/// The film beside a recording of a live source: each frame is written with the sound beside it. Used only by the
/// recorder's thread.
///
/// If the film can't be written, the sound is recorded all the same.
///
/// If a tile's source is live, the wall keeps each delivered frame with its place on the live clock (`TakeFrame`),
/// decoded in its own size. The recorder's thread takes these frames with each block. A frame that can't be written is
/// not kept.
struct TakeFrames {
    private let printLine: @Sendable (String) -> Void
    /// Frames that wait for their sound.
    private var waiting: [TakeFrame] = []
    private var film: TakeFilm?
    private var file: Beginning?
    private var outlook = Outlook.open
    /// True if any frame has arrived: the source is live.
    private var hasFrames = false

    private enum Outlook {
        case open
        /// No frame arrived for the current file.
        case none
        /// Frames can't be written.
        case never
    }

    private struct Beginning {
        let path: String
        /// Place of its first sample, in the song.
        let start: Time
        /// Samples written before the first frame arrived.
        var samples: [Float] = []
    }

    /// In frames, more than a second at 60 a second. Beyond it, new frames are dropped; before a file has begun, the
    /// oldest are.
    private static let mostWaiting = 80
    /// In samples: ten seconds. A recording with no frame in that time is written without frames.
    private static let longestLead = 960_000

    init(printLine: @escaping @Sendable (String) -> Void) { self.printLine = printLine }

    mutating func add(_ frames: [TakeFrame]) {
        if !frames.isEmpty { hasFrames = true }
        guard outlook == .open else { return }
        if file == nil {
            waiting = (waiting + frames).suffix(Self.mostWaiting)
        } else {
            waiting += frames.prefix(max(0, Self.mostWaiting - waiting.count))
        }
    }

    /// Drops the waiting frames, for which no sound will arrive.
    mutating func forget() { waiting = [] }

    /// A sound file begins, with no frame yet.
    mutating func begin(beside path: String, at start: Time) {
        end()
        if outlook == .never { return }
        (file, outlook) = (Beginning(path: path, start: start), .open)
    }

    /// Writes the frames beside `samples`. `length`: length of the sound file so far.
    mutating func write(_ samples: ArraySlice<Float>, length: Time) {
        guard let start = file?.start else { return }
        waiting.removeAll { $0.place < start }
        let due = waiting.prefix { $0.place < start + length }
        waiting.removeFirst(due.count)
        do throws(FilmTrouble) {
            if film == nil, let first = due.first, let file {
                let made = try TakeFilm(file.path, like: first.frame)
                try made.write(file.samples[...])
                self.file?.samples = []
                film = made
            }
            guard let film else {
                file?.samples += samples
                guard file?.samples.count ?? 0 > Self.longestLead else { return }
                if hasFrames { printLine("quadrille: no frames are recorded: none arrived within ten seconds") }
                (file, waiting, outlook) = (nil, [], .none)
                return
            }
            try film.write(samples)
            for frame in due { try film.write(frame.frame, at: frame.place - start) }
        } catch {
            fail(error)
        }
    }

    mutating func end() {
        defer { (film, file) = (nil, nil) }
        do throws(FilmTrouble) { try film?.finish() } catch { fail(error) }
    }

    private mutating func fail(_ trouble: FilmTrouble) {
        printLine("quadrille: no frames are recorded: \(trouble.what)")
        (film, file, waiting, outlook) = (nil, nil, [], .never)
    }
}
