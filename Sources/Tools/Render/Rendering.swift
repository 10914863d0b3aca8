import Base
import Commands
import Engine
import Feeds
import Layout
import Lyrics
import Media
import Player
import Scene
import Screen
import Threads

/// A wall without a display, written into a film frame by frame.
///
/// Used by one thread, which may wait for sources, encoders and files; only `wake` and `note` may be called by any
/// thread.
///
/// The wall and its threads are those of a wall in a window; only `WallClock` is stepped. Its time moves only by
/// `WallRunner.step`, one frame at a time: it is always `start + n/rate`. `Rendering` waits until
/// `SettledReport.isSettled`. `Painter` draws into memory, without SDL.
final class Rendering: Sendable {
    private let wall: SteppedWall
    private let layout: Layout
    private let rate: FrameRate
    private let texts: TextMaker
    private let isEndRequested: @Sendable () -> Bool

    enum Outcome {
        case complete, barren
        case stopped(SteppedWall.Failure)
        case failed(FilmTrouble)
    }

    init(
        layout: Layout, pipelines: Int, start: Clock.Start, rate: FrameRate, texts: TextMaker,
        record: @escaping @Sendable ([Event]) -> Void, isEndRequested: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        (self.layout, self.rate, self.texts, self.isEndRequested) = (layout, rate, texts, isEndRequested)
        wall = try SteppedWall(
            layout: layout, pipelines: pipelines, start: start, texts: texts, record: record,
            isEndRequested: isEndRequested)
    }

    /// `began` is called with what the first frame shows, and `progress` with the number of frames done.
    func run(
        frames count: Int64, into film: Film, _ sound: FilmSpec.Sound, began: ([TileBeginning]) -> Void,
        progress: (Int64) -> Void
    ) -> Outcome {
        var filmSound = sound == .stereo ? FilmSound(layout, beginning: SteppedWall.beginning) : nil
        let size = layout.window.size
        guard let target = RenderTarget(size: size, texts: texts) else {
            return .failed(FilmTrouble("no memory for a wall of \(size.width)x\(size.height)"))
        }
        do throws(SteppedWall.Failure) {
            try wall.begin(on: target)
        } catch {
            return .stopped(error)
        }
        for number in 0..<count {
            let now = SteppedWall.beginning + rate.start(of: number)
            let until = SteppedWall.beginning + rate.start(of: number + 1)
            do throws(SteppedWall.Failure) {
                try wall.step(to: now, on: target)
            } catch {
                return .stopped(error)
            }
            if number == 0 {
                if wall.change({ wall, now in OutlookReport(wall.player.snapshot(at: now)).isBarren }) {
                    return .barren
                }
                began(wall.change { wall, now in OutlookReport(wall.player.snapshot(at: now)).beginnings })
            }
            do throws(FilmTrouble) {
                try film.add(target.raster.base, stride: target.raster.stride)
                let soundScene = wall.change { wall, now in SoundSceneMaker(wall.player.snapshot(at: now)).soundScene()
                }
                var heard = now
                // The loop goes in steps of a second, since one frame may last for hours.
                while heard < until, filmSound != nil {
                    if isEndRequested() { return .stopped(.interrupted) }
                    heard = min(heard + .seconds(1), until)
                    try film.add(filmSound?.play(soundScene, until: heard) ?? [])
                    for (sound, source) in filmSound?.takeMended() ?? [] {
                        wall.change { wall, now in wall.player.note(.mendedSound(sound, of: source), at: now) }
                    }
                }
            } catch {
                return .failed(error)
            }
            progress(number + 1)
        }
        do throws(FilmTrouble) {
            try film.add(filmSound?.end() ?? [])
        } catch {
            return .failed(error)
        }
        return .complete
    }

    /// Reports lyrics that can't be read. Any thread may call it.
    func note(_ source: LyricsSource, _ trouble: SourceTrouble) { wall.note(source, trouble) }

    func mute() { wall.change { wall, now in wall.carryOut(.mute(.on, .wall), at: now) } }

    /// Wakes a waiting `run`, which then checks whether the program is to end.
    func wake() { wall.wake() }

    /// Returns the names of the threads that did not end in time.
    func stop() -> [String] { wall.stop() }
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
