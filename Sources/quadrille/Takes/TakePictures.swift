import Media
import WallCore

/// The film beside a recording of what is live: each picture is written when the sound beside it is. Never leaves the
/// recorder's thread.
///
/// Where it can't be written the sound is recorded all the same.
struct TakePictures {
    private let say: @Sendable (String) -> Void
    /// Their sound has not come yet.
    private var waiting: [TakePicture] = []
    private var film: TakeFilm?
    private var file: Beginning?

    private struct Beginning {
        let path: String
        /// Where its first sample lies.
        let start: Time
        /// What was written before the first picture came.
        var samples: [Float] = []
    }

    /// More than a second of 60 a second; what has no sound after so long gets none.
    private static let mostWaiting = 80
    /// Of samples: a second. What comes without a picture for so long is a recording without one.
    private static let longestLead = 96_000

    init(say: @escaping @Sendable (String) -> Void) { self.say = say }

    mutating func add(_ pictures: [TakePicture]) {
        waiting += pictures
        if waiting.count > Self.mostWaiting { waiting.removeFirst(waiting.count - Self.mostWaiting) }
    }

    /// A file of sound begins, with no picture yet.
    mutating func begin(beside path: String, at start: Time) {
        end()
        file = Beginning(path: path, start: start)
    }

    /// What was written of the sound; `length`: all of it by now.
    mutating func write(_ samples: ArraySlice<Float>, length: Time) {
        guard let start = file?.start else { return }
        waiting.removeAll { $0.place < start }
        let due = waiting.prefix { $0.place < start + length }
        waiting.removeFirst(due.count)
        do throws(FilmTrouble) {
            if film == nil, let first = due.first { try make(like: first.picture) }
            guard let film else {
                file?.samples += samples
                if file?.samples.count ?? 0 > Self.longestLead { file = nil }
                return
            }
            try film.write(samples)
            for picture in due { try film.write(picture.picture, at: picture.place - start) }
        } catch {
            fail(error)
        }
    }

    private mutating func make(like picture: any WallPicture) throws(FilmTrouble) {
        guard let file else { return }
        let made = try TakeFilm(file.path, like: picture)
        try made.write(file.samples[...])
        self.file?.samples = []
        film = made
    }

    mutating func end() {
        defer { (film, file) = (nil, nil) }
        do throws(FilmTrouble) { try film?.finish() } catch { fail(error) }
    }

    private mutating func fail(_ trouble: FilmTrouble) {
        say("quadrille: no pictures are recorded: \(trouble.what)")
        (film, file) = (nil, nil)
    }
}
