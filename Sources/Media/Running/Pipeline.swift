import Threads
import WallCore

/// A thread with at most one video decoder, and a scaler. It decodes for whoever the wall lends it to.
///
/// The decoder stays open between leases: a run of the same source, or one with equal codec parameters,
/// goes on with it; else it is closed before the next is opened.
final class Pipeline: Sendable {
    let worker: Worker
    private let reading: Monitor<Deadline?>

    init(_ index: Int, keeper: Keeper, store: PictureStore, formats: PictureFormats) {
        let reading = Monitor<Deadline?>(nil)
        self.reading = reading
        worker = Worker("pipeline \(index)") {
            let hands = Hands(keeper: keeper, store: store, formats: formats)
            while let job = keeper.nextJob(index) {
                reading.locked { $0 = job.source.deadline }
                hands.work(job)
                reading.locked { $0 = nil }
            }
        }
    }

    /// What it reads from comes back at once, with an error.
    func interrupt() { reading.locked { $0?.cancel() } }

    /// How many packets came from what it reads.
    var packets: Int { reading.locked { $0?.packets ?? 0 } }
}

/// What a pipeline's thread works with. Never leaves that thread.
private final class Hands {
    private let keeper: Keeper
    private let store: PictureStore
    private let formats: PictureFormats
    private let scaler = Scaler()
    private var decoder: Decoder?

    init(keeper: Keeper, store: PictureStore, formats: PictureFormats) {
        (self.keeper, self.store, self.formats) = (keeper, store, formats)
    }

    func work(_ job: Job<Source>) {
        do throws(SourceTrouble) {
            let ending = try decode(job)
            switch ending {
            case .ended(let end):
                let source = job.source.facts.isSeekable ? job.source : nil
                keeper.change { wall, now in wall.finish(job.lease, end: end, keeping: source, at: now) }
            case .dropped:
                keeper.change { wall, now in wall.giveUp(job.lease, source: job.source, at: now) }
            }
        } catch {
            // Called back at the end: that is no fault of the source.
            let isCalledBack = job.source.deadline.isCancelled
            keeper.change { wall, now in
                if isCalledBack {
                    wall.giveUp(job.lease, source: job.source, at: now)
                } else {
                    wall.fail(job.lease, error, at: now)
                }
            }
        }
    }

    /// `end` in media time; nil where the run was cut off.
    private enum Ending { case ended(Time?), dropped }

    private func decode(_ job: Job<Source>) throws(SourceTrouble) -> Ending {
        let meter = CostMeter()
        let reel = Reel(
            source: job.source, decoder: try decoder(for: job), from: job.from, until: job.until,
            isWanted: { [keeper] in keeper.isWanted(job.lease) })
        defer { reel.leave() }
        while true {
            let picture: DecodedPicture
            switch try reel.next() {
            case .end(let end): return .ended(end)
            case .abandoned: return .dropped
            case .picture(let next): picture = next
            }
            if let (spent, media) = meter.reading(at: picture.start) {
                keeper.change { wall, _ in wall.noteCost(job.lease, spent: spent, on: media) }
            }
            switch keeper.admit(job.lease, picture) {
            case .skip: continue
            case .end: return .ended(nil)
            case .drop, .wait: return .dropped
            case .scale(let size):
                let scaled = try scaler.picture(
                    from: picture, size: size, turn: job.turn, flip: job.flip, formats: formats, store: store)
                keeper.change { wall, now in
                    wall.deliver(job.lease, scaled, pts: picture.start, length: picture.length, at: now)
                }
            }
        }
    }

    private func decoder(for job: Job<Source>) throws(SourceTrouble) -> Decoder {
        if let decoder, decoder.continues(with: job.source) {
            keeper.change { wall, _ in wall.noteDecoder(job.lease, .continued) }
            return decoder
        }
        decoder = nil
        keeper.change { wall, _ in wall.noteDecoder(job.lease, .closed) }
        let opened = try Decoder.open(for: job.source, threads: threads(for: job.source))
        keeper.change { wall, _ in wall.noteDecoder(job.lease, .opened) }
        decoder = opened
        return opened
    }

    /// One thread a decoder, since tiles keep the cores busy; a picture larger than 2560x1440 wants two.
    private func threads(for source: Source) -> Int {
        source.facts.storage.width * source.facts.storage.height > 2560 * 1440 ? 2 : 1
    }
}

/// What this thread spends on decoding, by the second of media.
private final class CostMeter {
    private var began: (spent: Time, media: Time)?

    /// Once a second of media: the processor time it took.
    func reading(at media: Time) -> (spent: Time, media: Time)? {
        let spent = Time(nanoseconds: threadNanoseconds())
        guard let began else {
            self.began = (spent, media)
            return nil
        }
        guard media - began.media >= .seconds(1) else { return nil }
        self.began = (spent, media)
        return (spent - began.spent, media - began.media)
    }
}
