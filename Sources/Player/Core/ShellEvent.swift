import Base
import Decoded
import Feeds
import Heard

/// Events of the threads around the player (the shell: Engine, the main loop, the sound). Each case is one thing that
/// has happened to a window, a pipeline, an opener or the sound.
///
/// `PlayerCore.note` hands each event to the part that it concerns. Pipelines ask for tasks and deliver frames by calls
/// of their own (Wall+Supply.swift), and the main loop asks for scenes (PlayerCore+Update.swift).
public enum ShellEvent {
    // MARK: the window

    /// The window is there: the clocks start as soon as their feeds have frames.
    case began
    /// Time between refreshes of the display.
    case refresh(every: Time)
    /// The window has another size. Rects follow at once, frames when the next ones are decoded.
    case resized(to: Size)
    /// The scene requested last is on the screen. Its frames are reported only now.
    case presented
    /// The schedule has switched the display off or on.
    case display(isOff: Bool)
    /// The decoding of video is wanted or not. With `none`, clocks run on and each tile resumes where its timeline is.
    case frames(Frames)
    /// The wall is hidden, and its clocks rest: those that run, or are about to, are paused until `restEnded`.
    case restBegan
    case restEnded
    /// The window of picture in picture shows only this tile, or the whole wall again if it is nil. Hidden tiles yield
    /// their pipelines and keep their frames. Their clocks go on. Live sources stay connected.
    case pictureInPictureShows(TileID?)
    /// The wall is about to return from picture in picture: the hidden tiles get their frames first.
    case wallReturns
    /// Picture in picture of a tile has another state. `reason`: why picture in picture failed, or ended without a
    /// command.
    case pictureInPicture(PipState, of: String, reason: String?)
    /// The program ends, and with it all items on the screen.
    case ends

    // MARK: pipelines

    /// Number of pipelines that may be used. The shell has threads for them.
    case pipelines(Int, cores: Double? = nil)
    /// A pipeline reports on its lease.
    case lease(LeaseReport, of: Lease)
    /// A pipeline has closed its unused decoder.
    case decoderClosed(pipeline: Int)

    // MARK: openers

    /// Answer to the `OpenOrder` with this ticket.
    case opening(Result<OpenedSource, SourceTrouble>, ticket: Int)
    case poster(Result<Frame, SourceTrouble>, for: PosterOrder)

    // MARK: sound

    /// State of the monitored microphone.
    case monitored(SoundScene.Monitored.State)
    /// Nothing can be heard for this reason, until the sound output is open again: nil.
    case outage(Unheard?)
    /// Condition of each sound.
    case sounds([SoundID: SoundCondition])
    /// Samples of a sound, in this source, were no numbers or absurd.
    case mendedSound(SoundID, of: String)
}

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
        case .began: change(at: now) { $0.transport.begin(at: now) }
        case .refresh(let interval): output.refreshInterval = interval
        case .resized(let size):
            guard size != output.size, !size.isEmpty else { return }
            change(at: now) { changed in
                changed.placeTiles(in: size)
                changed.playout(at: now).sharpen()
            }
        case .presented: presented(at: now)
        case .display(let isOff): if output.isDisplayOff != isOff { change(at: now) { $0.output.isDisplayOff = isOff } }
        case .frames(let frames): change(at: now) { $0.output.frames = frames }
        case .restBegan: change(at: now) { $0.transport.suspend(at: now) }
        case .restEnded: change(at: now) { $0.transport.resume(at: now) }
        case .pictureInPictureShows(let tile): change(at: now) { $0.tileFeeds.show(only: tile) }
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
            take(answer, for: order, at: now)
            touch(.playback)

        case .monitored(let state): sounds.note(state, playout(at: now))
        case .outage(let reason): sounds.state.outage = reason
        case .sounds(let conditions): sounds.note(conditions, &tileFeeds.tiles, playout(at: now))
        case .mendedSound(let sound, let source): sounds.note(.wrongSamples, of: sound, source, playout(at: now))
        }
    }
}
