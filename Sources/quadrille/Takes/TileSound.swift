import Base
import Engine
import Heard
import Media
import Player
import Speaker
import Threads

/// A source of samples for a take. `stop` ends it; samples that it has not delivered by then are lost.
protocol TakeInput: Sendable {
    /// The sound server's name of the input; nil while there is none.
    var device: String? { get }
    func stop()
}

extension SoundInput: TakeInput {}

/// The sound that belongs to what a tile plays, for a take. It is decoded and mixed a second time, so that a tile that is
/// muted or not focused is recorded in full. Ended by `stop`.
///
/// Its thread makes the samples as they become due, and the director's thread follows what the tile plays.
final class TileSound: TakeInput {
    private let director: SoundDirector
    private let mailbox = Mailbox((), .withoutPipe)

    /// Samples in one call of `take`: 50 ms.
    private static let block = SoundGrid.rate / 20
    private static let blockLength = SoundGrid.time(of: Int64(block))
    /// If the thread is this late, the samples in between are left out.
    private static let latest = Time.seconds(1)

    /// `name`: the tile's name. `take`: receives the samples on this object's thread, with the times at which they are
    /// heard. Throws if the system has no thread left.
    init(
        of tile: TileID, _ name: String, _ runner: LockedWall, take: @escaping SoundInput.Take,
        printLine: @escaping @Sendable (String) -> Void
    ) throws(NoThread) {
        let mixer = Mixer(), reported = Locked(false)
        director = try SoundDirector(mixer: mixer) {
            runner.read { wall, now in wall.snapshot(at: now).soundScene(of: tile) }
        } notice: { notice in
            guard case .conditions(let conditions) = notice, !conditions.isEmpty,
                conditions.values.allSatisfy({ $0 == .soundless }), !reported.locked({ exchange(&$0, with: true) })
            else { return }
            printLine("quadrille: \(name): it has no sound of its own; audio.input names a microphone")
        }
        do throws(NoThread) {
            try mailbox.start("tile sound") { [director, mailbox] in
                var next = Time.now, stream = 0
                var samples = [Float](repeating: 0, count: Self.block * 2)
                while true {
                    mailbox.wait(until: (next + Self.blockLength).nanoseconds)
                    if mailbox.isStopping { return }
                    // The tile may play something else now.
                    director.wake()
                    var continuity = stream == 0 ? StreamContinuity.broken : .unbroken
                    if Time.now - next > Self.latest { (next, continuity) = (Time.now, .broken) }
                    if continuity == .broken { stream += 1 }
                    samples.withUnsafeMutableBufferPointer {
                        mixer.render(to: $0.baseAddress!, frames: Self.block, heard: next, continuity)
                    }
                    let place = SoundInput.Place(heardAt: next, stream: stream)
                    samples.withUnsafeBufferPointer { take($0, place) }
                    next += Self.blockLength
                }
            }
        } catch {
            _ = director.stop()
            throw error
        }
    }

    /// A tile's sound is none of the server's devices.
    var device: String? { nil }

    func stop() {
        mailbox.stop(within: .max)
        _ = director.stop()
    }
}
