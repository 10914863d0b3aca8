import Base
import Console
import Layout
import Media
import Player
import Scene

extension SteppedWall {
    /// Writes the wall into a film, frame by frame. May wait for sources, encoders and files.
    ///
    /// The wall and its threads are those of a wall in a window; only `WallClock` is stepped. Its time moves only by
    /// `WallRunner.step`, one frame at a time: it is always `start + n/rate`. Each step waits until
    /// `SettledReport.isSettled`. `Painter` draws into memory, without SDL.
    ///
    /// `began` is called with what the first frame shows, and `progress` with the number of frames done.
    func write(
        _ layout: Layout, frames count: Int64, into film: Film, _ spec: FilmSpec, began: ([TileBeginning]) -> Void,
        progress: (Int64) -> Void
    ) throws {
        var filmSound = spec.sound == .stereo ? FilmSound(layout, beginning: Self.beginning) : nil
        let size = layout.window.size
        guard let target = RenderTarget(size: size, texts: texts) else {
            throw FilmTrouble("no memory for a wall of \(size.width)x\(size.height)")
        }
        try begin(on: target)
        for number in 0..<count {
            let now = Self.beginning + spec.rate.start(of: number)
            let until = Self.beginning + spec.rate.start(of: number + 1)
            try step(to: now, on: target)
            if number == 0 {
                let report = change { wall, now in OutlookReport(wall.player.snapshot(at: now)) }
                if report.isBarren { throw Failure("nothing could be played") }
                began(report.beginnings)
            }
            try film.add(target.raster.base, stride: target.raster.stride)
            let soundScene = change { wall, now in SoundSceneMaker(wall.player.snapshot(at: now)).soundScene() }
            var heard = now
            // The loop goes in steps of a second, since one frame may last for hours.
            while heard < until, filmSound != nil {
                if isEndRequested() { throw Failure.interrupted }
                heard = min(heard + .seconds(1), until)
                try film.add(filmSound?.play(soundScene, until: heard) ?? [])
                for (sound, source) in filmSound?.takeMended() ?? [] {
                    change { wall, now in wall.player.note(.mendedSound(sound, of: source), at: now) }
                }
            }
            progress(number + 1)
        }
        try film.add(filmSound?.end() ?? [])
    }
}

/// The sound of a film: the mix, shifted by the layout's delay and exactly as long as the frames.
private struct FilmSound {
    private let mix: FilmMix
    private let beginning: Time
    /// Samples still to be cut at the beginning, where frames are held back.
    private var surplus: Int
    /// Samples that belong to later frames.
    private var waiting: [Float]
    private var written = 0
    private var length = 0

    init(_ layout: Layout, beginning: Time) {
        (mix, self.beginning) = (FilmMix(beginning: beginning), beginning)
        let delay = layout.audio.delayMilliseconds * SoundGrid.rate / 1000
        surplus = max(0, -delay)
        waiting = [Float](repeating: 0, count: max(0, delay) * 2)
    }

    func takeMended() -> [(sound: SoundID, source: String)] { mix.takeMended() }

    /// Returns the samples to add to the film. The film's sound then lasts until `now` or a little less.
    mutating func play(_ soundScene: SoundScene, until now: Time) -> [Float] {
        length = Int(SoundGrid.sample(at: now - beginning))
        return fitted(mix.mix(soundScene, until: now))
    }

    mutating func end() -> [Float] {
        var rest = fitted(mix.finish())
        rest += [Float](repeating: 0, count: max(0, length - written) * 2)
        return rest
    }

    private mutating func fitted(_ samples: [Float]) -> [Float] {
        let cut = min(surplus, samples.count / 2)
        surplus -= cut
        waiting += samples.dropFirst(cut * 2)
        let count = min(waiting.count / 2, length - written)
        defer { waiting.removeFirst(count * 2) }
        written += count
        return Array(waiting[..<(count * 2)])
    }
}
