import Base
import Engine
import Feeds
import Heard
import Media
import Player

/// Writes the samples of a session into files, one for each stretch of a song, and the frames beside them. Reports each
/// file to the wall. Used only by the recorder's thread.
struct TakeFiles {
    private let session: TakeSession
    private let folder: TakesFolder
    private let runner: LockedWall
    private let printLine: @Sendable (String) -> Void
    private var file: (file: TakeFile, path: String)?
    /// The frames of a live source, which are written with the samples beside them.
    var frames: TakeFrames
    /// Samples of a file that is too short to be written yet.
    private var unbegun: (note: TakeNote, samples: [Float])?
    /// True if a file could not be written: nothing more is recorded.
    private(set) var hasFailed = false

    /// In samples; a shorter recording is not written.
    private static let shortest = 4800

    init(
        _ session: TakeSession, _ folder: TakesFolder, _ runner: LockedWall,
        printLine: @escaping @Sendable (String) -> Void
    ) {
        (self.session, self.folder, self.runner, self.printLine) = (session, folder, runner, printLine)
        frames = TakeFrames(printLine: printLine)
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
            let made = try folder.begin(note, on: session.name)
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
        printLine("quadrille: the recording has stopped: \(trouble.what)")
        emit(path, .failed(trouble.what, kept: kept))
        runner.change { wall, now in _ = wall.apply(.record(.off), at: now) }
    }

    private func emit(_ path: String, item: Int = 0, _ state: Event.TakeState) {
        runner.change { wall, now in wall.take(path, of: session, item: item, state, at: now) }
    }
}
