import Base
import Commands
import Engine
import Glibc
import Layout
import Lyrics
import Media
import Player
import Scene
import Screen
import Threads

/// A wall whose clock steps by one frame, and waits until everything that is due is decoded.
///
/// Used by one thread, which may wait for sources, encoders and files; only `wake` and `note` may be called by any thread.
final class Rendering: Sendable {
    private let wall: RunningWall
    private let layout: Layout
    private let rate: FrameRate
    private let texts: TextMaker
    private let isEndAsked: @Sendable () -> Bool

    /// Wall time before the first frame. Any time does.
    private static let beginning = Time.seconds(1)
    /// Longest time that a source may send nothing, in nanoseconds. The deadlines of sources are no longer than this.
    private static let patience: Int64 = 10_000_000_000
    /// Longest time that an interrupted source may take to fail.
    private static let grace: Int64 = 2_000_000_000
    /// Longest wait for the frames of one step, however many packets arrive: a film without an index is decoded from
    /// its beginning.
    private static let longest: Int64 = 600_000_000_000
    private static let textLimit: Int64 = 30_000_000_000
    private static let mostPaints = 4

    enum Outcome {
        case complete, interrupted, barren
        /// Frames of these tiles were not ready within `seconds`.
        case stuck(tiles: [String], seconds: Int64)
        case failed(FilmTrouble)
    }

    init(
        layout: Layout, pipelines: Int, start: Clock.Start, rate: FrameRate, texts: TextMaker,
        record: @escaping @Sendable ([Event]) -> Void, isEndAsked: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        (self.layout, self.rate, self.texts, self.isEndAsked) = (layout, rate, texts, isEndAsked)
        wall = try RunningWall(
            layout: layout, pipelines: pipelines, cores: nil, start: start, formats: .all,
            time: .stepped(Self.beginning), record: record)
    }

    /// `began` is called with what the first frame shows, and `progress` with the number of frames done. `untransposed`
    /// is called if the sound is not in the wanted key.
    func run(
        frames count: Int64, into film: Film, _ sound: FilmSpec.Sound, began: ([TileBeginning]) -> Void,
        untransposed: () -> Void, progress: (Int64) -> Void
    ) -> Outcome {
        var filmSound = sound == .stereo ? FilmSound(layout, beginning: Self.beginning) : nil
        let size = layout.window.size
        guard let target = RenderTarget(size: size, texts: texts) else {
            return .failed(FilmTrouble("no memory for a wall of \(size.width)x\(size.height)"))
        }
        wall.runner.change { wall, now in wall.begin(at: now) }
        let begun = monotonicNanoseconds() + Self.patience
        while !wall.runner.change({ wall, _ in wall.hasBegun }) {
            if let outcome = settle() { return outcome }
            show(on: target)
            // Everything is decoded and shown: only a change can start the clocks.
            let pause = min(begun, monotonicNanoseconds() + 20_000_000)
            _ = wall.runner.wait(until: pause) { wall, _ in wall.hasBegun ? true : nil }
            if monotonicNanoseconds() >= begun {
                let waiting = wall.runner.change { wall, _ in wall.waitingTiles }
                return .stuck(tiles: waiting, seconds: Self.patience / 1_000_000_000)
            }
        }
        for number in 0..<count {
            wall.runner.step(to: Self.beginning + rate.start(of: number))
            if let outcome = settle() { return outcome }
            if number == 0, wall.runner.change({ wall, _ in wall.isBarren }) { return .barren }
            show(on: target)
            if number == 0 { began(wall.runner.change { wall, _ in wall.beginnings }) }
            do throws(FilmTrouble) {
                try film.add(target.raster.base, stride: target.raster.stride)
                let until = Self.beginning + rate.start(of: number + 1)
                var heard = Self.beginning + rate.start(of: number)
                let soundScene = wall.runner.change { wall, now in wall.soundScene(at: now) }
                // The loop goes in steps of a second, since one frame may last for hours.
                while heard < until, filmSound != nil {
                    if isEndAsked() { return .interrupted }
                    heard = min(heard + .seconds(1), until)
                    try film.add(filmSound?.play(soundScene, until: heard) ?? [])
                }
            } catch {
                return .failed(error)
            }
            progress(number + 1)
        }
        if filmSound?.isUntransposed == true { untransposed() }
        do throws(FilmTrouble) {
            try film.add(filmSound?.end() ?? [])
        } catch {
            return .failed(error)
        }
        return .complete
    }

    /// Reports lyrics that can't be read. Any thread may call it.
    func note(_ source: LyricsSource, _ trouble: SourceTrouble) {
        wall.runner.change { wall, now in wall.lyricsFailed(source, trouble, at: now) }
    }

    func mute() { wall.runner.change { wall, now in wall.carryOut(.mute(.on, .wall), at: now) } }

    /// Wakes a waiting `run`, which then checks whether the program is to end.
    func wake() { wall.runner.wakeWaiting() }

    /// Returns the names of the threads that did not end in time.
    func stop() -> [String] { wall.stop() }

    private func show(on target: RenderTarget) {
        let scene = wall.runner.change { wall, now in wall.scene(at: now).scene }
        target.paint(scene)
        // Texts that were just read may need more: lyrics, for example, need their lines drawn.
        for _ in 0..<Self.mostPaints where texts.isBusy {
            _ = texts.settle(within: Self.textLimit)
            target.paint(scene)
        }
        wall.runner.change { wall, now in wall.presented(at: now) }
    }

    private enum Rest { case settled, asked }

    /// Waits until all that is due is decoded. Returns nil then, or the outcome that ends the rendering.
    private func settle() -> Outcome? {
        let end = monotonicNanoseconds() + Self.longest
        var heard: Int?
        var wasInterrupted = false
        while true {
            let limit = heard == nil ? 0 : wasInterrupted ? Self.grace : Self.patience
            let rest = wall.runner.wait(until: min(end, monotonicNanoseconds() + limit)) { wall, now -> Rest? in
                if isEndAsked() { return .asked }
                return wall.isSettled(at: now) ? .settled : nil
            }
            if let rest { return rest == .settled ? nil : .interrupted }
            let (tiles, pipelines) = wall.runner.change { wall, now in wall.unsettled(at: now) }
            if monotonicNanoseconds() >= end {
                return .stuck(tiles: tiles, seconds: Self.longest / 1_000_000_000)
            }
            let packets = wall.packets(of: pipelines)
            if packets == heard {
                if wasInterrupted { return .stuck(tiles: tiles, seconds: Self.patience / 1_000_000_000) }
                wall.interrupt(pipelines)
                wasInterrupted = true
            }
            heard = packets
        }
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

    var isUntransposed: Bool { mix.isUntransposed }

    /// Returns the samples to add to the film. Its sound then lasts until `now` or a little less.
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

/// Pixels in memory that scenes are painted on. Used by one thread.
private final class RenderTarget {
    let raster: Raster
    private let painter: Painter
    private var isBlank = true

    /// nil if there is no memory for it.
    init?(size: Size, texts: TextMaker) {
        let stride = (size.width * 4 + 63) & ~63
        // libyuv may write a little beyond the end of a row.
        guard let memory = aligned_alloc(64, stride * size.height + 64) else { return nil }
        raster = Raster(base: memory.assumingMemoryBound(to: UInt8.self), stride: stride, size: size)
        painter = Painter(texts: texts)
    }

    deinit { free(raster.base) }

    func paint(_ scene: Scene) {
        _ = painter.paint(scene, into: raster, isBlank ? .everything : .changes)
        isBlank = false
    }
}
