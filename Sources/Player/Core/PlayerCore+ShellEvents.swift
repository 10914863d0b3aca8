import Base
import Feeds

// Events of the shell: the window, pipelines, openers and the sound.
extension PlayerCore {
    /// Hands an event of the shell to the part that it concerns, and commits the change.
    mutating func note(_ event: ShellEvent, at now: Time) {
        take(event, at: now)
        commit(at: now)
    }

    private mutating func take(_ event: ShellEvent, at now: Time) {
        switch event {
        case .presented: changes.insert(.scenes)
        case .lease: changes.insert(.frames)
        default: changes.insert(.state)
        }
        switch event {
        case .began: change(at: now) { $0.tileFeeds.transport.begin(at: now) }
        case .refresh(let interval): output.refreshInterval = interval
        case .resized(let size):
            guard size != output.size, !size.isEmpty else { return }
            change(at: now) { changed in
                changed.placeTiles(in: size)
                changed.playout(at: now).sharpen()
            }
        case .presented: presented(at: now)
        case .display(let isOff):
            if output.isDisplayOff != isOff { change(at: now) { $0.output.isDisplayOff = isOff } }
        case .frames(let frames): change(at: now) { $0.output.frames = frames }
        case .restBegan: change(at: now) { $0.tileFeeds.transport.suspend(at: now) }
        case .restEnded: change(at: now) { $0.tileFeeds.transport.resume(at: now) }
        case .pictureInPictureShows(let tile): change(at: now) { $0.tileFeeds.show(only: tile, &$0.output) }
        case .wallReturns: change(at: now) { $0.output.offStage = .warming }
        case .pictureInPicture(let state, let tile, let reason):
            emit(.pip(tile: tile, state: state, reason: reason), at: now)
        case .ends: playout(at: now).endItems()

        case .pipelines(let count, let cores): change(at: now) { $0.supply.pool.setLimit(count, cores: cores) }
        case .lease(let report, let lease):
            let seats = pool.seats
            if supply.take(report, of: lease, playout(at: now)) { touch(.playback) }
            if pool.seats != seats { changes.insert(.state) }
        case .decoderClosed(let pipeline): supply.pool.note(pipeline, hasDecoder: false)

        case .opening(let answer, let ticket):
            if supply.take(answer, for: ticket, playout(at: now)) { touch(.playback) }
        case .poster(let answer, let order):
            supply.posterLoads.take(answer, for: order, &tileFeeds.tiles, tileFeeds.transport.outbox, at: now)
            touch(.playback)

        case .monitored(let state): sounds.note(state, tileFeeds.transport.outbox, playout(at: now))
        case .outlet(let outlet): sounds.state.outlet = outlet
        case .sounds(let conditions): sounds.note(conditions, &tileFeeds.tiles, playout(at: now))
        case .mendedSound(let sound, let source):
            sounds.note(.wrongSamples, of: sound, source, playout(at: now))
        }
    }
}
