import Glibc
import Media
import Screen
import Threads
import WallCore

/// A wall whose clock steps by one frame, and waits until everything that is due is there.
///
/// Used by one thread, which may wait for sources, encoders and files; only `wake` is for any thread.
final class Rendering: Sendable {
    private let wall: RunningWall
    private let layout: Layout
    private let rate: FrameRate
    private let texts: TextMaker
    private let isEndAsked: @Sendable () -> Bool

    /// Where the wall's time stands before the first frame: any instant does.
    private static let beginning = Time.seconds(1)
    /// So long a source may say nothing. Its own deadlines are no longer.
    private static let patience: Int64 = 10_000_000_000
    /// Then it is told to give up, which takes so long at most.
    private static let grace: Int64 = 2_000_000_000
    /// And so long its frames may take, whatever comes of it: a film without an index is decoded from its beginning.
    private static let longest: Int64 = 600_000_000_000
    private static let textLimit: Int64 = 30_000_000_000
    private static let mostPaints = 4

    enum Outcome {
        case complete, interrupted, barren
        /// Nothing came of these tiles for so long.
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

    /// `began` is called with what is on the first frame, `progress` with the number of frames that are done, and
    /// `untransposed` where the sound is not in the key that was wanted.
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
            // All is there and shown: only a change can let the clocks go.
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
                // A frame may last for hours.
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

    /// Words that can't be read. Any thread.
    func note(_ source: LyricsSource, _ trouble: SourceTrouble) {
        wall.runner.change { wall, now in wall.lyricsFailed(source, trouble, at: now) }
    }

    func mute() { wall.runner.change { wall, now in wall.carryOut(.mute(.on, .wall), at: now) } }

    /// Whoever waits looks whether it is to end.
    func wake() { wall.runner.wakeWaiting() }

    /// Names the threads that are not back in time.
    func stop() -> [String] { wall.stop() }

    private func show(on target: RenderTarget) {
        let scene = wall.runner.change { wall, now in wall.scene(at: now).scene }
        target.paint(scene)
        // What was read and drawn may ask for more: words for their lines.
        for _ in 0..<Self.mostPaints where texts.isBusy {
            _ = texts.settle(within: Self.textLimit)
            target.paint(scene)
        }
        wall.runner.change { wall, now in wall.presented(at: now) }
    }

    private enum Rest { case settled, asked }

    /// Waits; nil: everything is there.
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

/// The sound of a film: the mix, moved by the layout's delay and exactly as long as the frames.
private struct FilmSound {
    private let mix: FilmMix
    private let beginning: Time
    /// Samples to be left out at the head, where frames are held back.
    private var surplus: Int
    /// What is heard later than the frames that are there.
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

    /// What is to be added to the film, which then lasts until `wall` or a little less.
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

/// Pixels in memory that scenes are painted on. Owned by one thread.
private final class RenderTarget {
    let raster: Raster
    private let painter: Painter
    private var isBlank = true

    /// nil: there is no memory for it.
    init?(size: Size, texts: TextMaker) {
        let stride = (size.width * 4 + 63) & ~63
        // libyuv's widest rows may reach a little beyond their end.
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
