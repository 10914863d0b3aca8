import Media
import WallCore

/// The film beside a recording of what is live: each frame is written when the sound beside it is. Never leaves the
/// recorder's thread.
///
/// Where it can't be written the sound is recorded all the same.
struct TakeFrames {
    private let printLine: @Sendable (String) -> Void
    /// Their sound has not come yet.
    private var waiting: [TakeFrame] = []
    private var film: TakeFilm?
    private var file: Beginning?
    private var outlook = Outlook.open
    /// Frames have come at all: what plays is live.
    private var hasFrames = false

    private enum Outlook {
        case open
        /// No frame came for the file that is being written.
        case none
        /// They can't be written.
        case never
    }

    private struct Beginning {
        let path: String
        /// Where its first sample lies.
        let start: Time
        /// What was written before the first frame came.
        var samples: [Float] = []
    }

    /// More than a second of 60 a second: what comes sooner before its sound is left out, of a file that has not begun the
    /// oldest.
    private static let mostWaiting = 80
    /// Of samples: ten seconds. What comes without a frame for so long is a recording without one.
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

    /// No sound comes beside those that wait.
    mutating func forget() { waiting = [] }

    /// A file of sound begins, with no frame yet.
    mutating func begin(beside path: String, at start: Time) {
        end()
        if outlook == .never { return }
        (file, outlook) = (Beginning(path: path, start: start), .open)
    }

    /// What was written of the sound; `length`: all of it by now.
    mutating func write(_ samples: ArraySlice<Float>, length: Time) {
        guard let start = file?.start else { return }
        waiting.removeAll { $0.place < start }
        let due = waiting.prefix { $0.place < start + length }
        waiting.removeFirst(due.count)
        do throws(FilmTrouble) {
            if film == nil, let first = due.first { try make(like: first.frame) }
            guard let film else {
                file?.samples += samples
                guard file?.samples.count ?? 0 > Self.longestLead else { return }
                if hasFrames { printLine("quadrille: no frames are recorded: none has come for ten seconds") }
                (file, waiting, outlook) = (nil, [], .none)
                return
            }
            try film.write(samples)
            for frame in due { try film.write(frame.frame, at: frame.place - start) }
        } catch {
            fail(error)
        }
    }

    private mutating func make(like frame: any WallFrame) throws(FilmTrouble) {
        guard let file else { return }
        let made = try TakeFilm(file.path, like: frame)
        try made.write(file.samples[...])
        self.file?.samples = []
        film = made
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
