import Base
import Feeds
import Scene

// Hidden walls: a wall that is not visible may stop decoding and pause its clocks.
extension PlayerCore {
    /// Turns the decoding of video on or off. With `none`, clocks run on and each tile resumes where its timeline is.
    public mutating func setFrames(_ frames: Frames, at now: Time) {
        change(at: now) { $0.output.setFrames(frames) }
    }

    /// Pauses the clocks that run, or are about to, until `resume`. Paused clocks stay as they are.
    public mutating func suspend(at now: Time) {
        change(at: now) { changed in
            changed.restsSince = changed.restsSince ?? now
            changed.playbacks.clocks.suspend(at: now)
        }
    }

    public mutating func resume(at now: Time) {
        change(at: now) { changed in
            if let since = changed.restsSince {
                for feed in changed.feeds.ids {
                    changed.playbacks.feeds[feed].noteRest(since: since, until: now)
                }
            }
            changed.restsSince = nil
            changed.playbacks.clocks.resume(at: now, after: changed.frameHold)
        }
    }

    /// Records whether the schedule has switched the display off.
    public mutating func noteDisplay(isOff: Bool, at now: Time) {
        if output.isDisplayOff != isOff { change(at: now) { $0.output.isDisplayOff = isOff } }
    }
}
