import Base
import Scene

// Events of the shell: the window, pipelines, openers and the sound. The wall is updated if something became due.
extension PlayerCore {
    /// Hands an event of the shell to the part that it concerns.
    public mutating func note(_ event: ShellEvent, at now: Time) {
        switch event {
        case .began: change(at: now) { $0.begin(at: now) }
        case .refresh(let interval): output.setRefreshInterval(interval)
        case .resized(let size):
            guard size != output.size, !size.isEmpty else { return }
            change(at: now) { changed in
                changed.placeTiles(in: size)
                for feed in changed.feeds.ids { changed.playbacks.sharpen(feed, changed.context(at: now)) }
            }
        case .presented: presented(at: now)
        case .display(let isOff):
            if output.isDisplayOff != isOff { change(at: now) { $0.output.noteDisplay(isOff: isOff) } }
        case .frames(let frames): change(at: now) { $0.output.setFrames(frames) }
        case .restBegan: change(at: now) { $0.suspend(at: now) }
        case .restEnded: change(at: now) { $0.resume(at: now) }
        case .pictureInPictureShows(let tile): change(at: now) { $0.show(only: tile) }
        case .wallReturns: change(at: now) { $0.output.warmHidden() }
        case .pictureInPicture(let state, let tile, let reason):
            emit(.pip(tile: tile, state: state, reason: reason), at: now)
        case .ends: for feed in feeds.ids { emit(playbacks.feeds[feed].screen.close(), of: feed, at: now) }

        case .pipelines(let count, let cores): change(at: now) { $0.supply.setLimit(count, cores: cores) }
        case .lease(let report, let lease):
            if supply.take(report, of: lease, &playbacks, context(at: now)) { update(at: now) }
        case .decoderClosed(let pipeline): supply.noteClosed(pipeline)

        case .opening(let answer, let ticket):
            if supply.take(answer, for: ticket, &playbacks, context(at: now)) { update(at: now) }
        case .poster(let answer, let order):
            supply.take(answer, for: order, &tiles, &playbacks.effects, at: now)
            update(at: now)

        case .monitored(let state): sounds.note(state, &playbacks.effects, context(at: now))
        case .outlet(let outlet): sounds.note(outlet)
        case .sounds(let conditions): sounds.note(conditions, &tiles, &playbacks, context(at: now))
        }
    }

    /// Starts the clocks as soon as their feeds have frames.
    private mutating func begin(at now: Time) {
        beganAt = now
        for group in clocks.ids {
            let motion = playbacks.clocks[group].motionToCome
            playbacks.clocks[group].wait(at: now, until: now + Playbacks.longestStartWait, then: motion)
        }
    }

    private mutating func suspend(at now: Time) {
        restsSince = restsSince ?? now
        playbacks.clocks.suspend(at: now)
    }

    private mutating func resume(at now: Time) {
        if let since = restsSince {
            for feed in feeds.ids { playbacks.feeds[feed].screen.noteRest(since: since, until: now) }
        }
        restsSince = nil
        playbacks.clocks.resume(at: now, after: frameHold)
    }

    private mutating func show(only tile: TileID?) {
        // The tile may have been removed meanwhile.
        let present = tile.flatMap { tiles.contains($0) ? $0 : nil }
        tiles.endOverlay(&output)
        output.show(only: present)
    }
}
