import Base
import Feeds
import Layout
import Scene

// Decodes frames on the screen again, in another size.
extension Playbacks {
    /// While the clock is paused, decodes the frame on screen again if it must be larger or keep its decoded samples.
    /// While the clock runs, the next frames come in the new size by themselves.
    mutating func sharpen(_ feed: FeedID, _ context: WallContext) {
        let playback = self.context(of: feed, at: context.now)
        guard !playback.isRunning, case .going = playback.group.phase,
            feeds[feed].phase == .playing || feeds[feed].phase == .ended,
            let shown = feeds[feed].screen.last, let place = shown.item,
            let front = feeds[feed].slots.first,
            !front.isStill
        else { return }
        let natural = shown.frame.natural
        let isSideways = feeds[feed].timeline.item(at: place)?.turn.isSideways ?? false
        let upright = isSideways ? Size(natural.height, natural.width) : natural
        let wanted = DecodeSizes(self, context).decodeSize(upright, of: feed, item: place)
        let isLarger = wanted.width > shown.frame.size.width + 1 || wanted.height > shown.frame.size.height + 1
        guard isLarger || !shown.frame.keeps(DecodeSizes(self, context).keeping(feed)) else { return }
        feeds[feed].decodeAgain(playback, &effects)
    }

    /// Does the same for each feed that `isWanted` selects.
    mutating func sharpen(_ context: WallContext, where isWanted: (Feed) -> Bool = { _ in true }) {
        for feed in feeds.ids where isWanted(feeds[feed]) { sharpen(feed, context) }
    }
}
