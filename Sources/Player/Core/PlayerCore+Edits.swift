import Base
import Feeds
import Layout
import Scene

// Changes that features ask for.
extension PlayerCore {
    mutating func make(_ edit: Edit, at now: Time) {
        // A request for another call changes nothing that features read.
        if case .lookAgain = edit {} else { changes.insert(.state) }
        switch edit {
        // The feature `Notices` shows them.
        case .notice, .announce: played.playbacks.effects.wakeScreen()
        case .emit(let what): emit(what, at: now)
        case .window(let command): played.playbacks.effects.window(command)
        case .setABLoop(let tile, let scope, let marks, let shortest):
            played.playbacks.set(marks, of: played.prepareGroup(of: tile, for: scope), shortest: shortest, at: now)
        case .pause(let group, let switching): played.playbacks.pause(group, switching, at: now)
        case .setRate(let change, let group): played.playbacks.setRate(change, of: group, at: now)
        case .jump(let group, let position): played.playbacks.jump(group, to: position, at: now)
        case .grab(let tile, let position, let width):
            played.playbacks.grab(tile, of: tiles[tile].feed, at: position, width: width, now: now)
        case .drag(let pixels): played.playbacks.drag(by: pixels, at: now)
        case .letGo: played.playbacks.endScrub(at: now)
        case .focus(let tile): if tile != focus { played.setFocus(tile, &output, conditions(at: now)) }
        case .toggleZoom: played.toggleZoom(&output, conditions(at: now))
        case .overlay(let compared, let group): played.overlay(compared, group: group, &output, conditions(at: now))
        case .compare(let tile, let compared): played.tiles[tile].layout.content = .comparison(compared)
        case .showSide(let side, let tile): played.tiles[tile].comparison?.side = side
        case .swapSides(let tile): played.tiles[tile].layout.compare?.isSwapped.toggle()
        case .magnify(let group, let zoom): played.magnify(group, zoom, &output, conditions(at: now))
        case .changeLayout(let tile, let body):
            played.edit(tile, conditions(at: now), body)
            played.playbacks.sharpen(context(at: now))
        case .changeItem(let item, let tile, let body): played.tiles[tile].changeItem(at: item, body)
        case .keepSamples(let isWanted): keepSamples(isWanted, at: now)
        case .showOnlyWholeComparisons: needs.showOnlyWholeComparisons()
        case .recordFrames(let tile): needs.recordFrames(of: tile)
        case .measure(let order): played.playbacks.effects.measure(order)
        case .draw: played.playbacks.effects.wakeScreen()
        case .wakeRecorder: played.playbacks.effects.wakeTakes()
        case .holdPosition(let group, let begin): played.playbacks.holdPosition(of: group, from: begin)
        case .releasePosition(let group, let length):
            played.playbacks.releasePosition(of: group, settingBackBy: length)
        case .cover(let covers):
            played.cover(covers, at: now)
            played.playbacks.effects.wakePipelines(pool.pipelines.indices)
        case .uncover(let tiles): played.uncover(tiles, conditions(at: now))
        case .leaveTop(let tile): played.leaveTop(of: tile, conditions(at: now))
        case .openAhead(let item, let feed, let name):
            supply.openAhead(item, of: feed, for: name, &played.playbacks, context(at: now))
        case .giveUpAhead(let name, let feed): supply.giveUpAhead(name, of: feed)
        case .lookAgain(let instant): played.playbacks.effects.hasten(nextUpdateTo: instant)
        }
    }

    /// Paused feeds decode their frame again, to keep its samples. Playing feeds keep the samples of the frames that
    /// follow.
    private mutating func keepSamples(_ isWanted: Bool, at now: Time) {
        needs.keepSamples(isWanted)
        if isWanted { played.playbacks.sharpen(context(at: now)) }
    }

    /// Decodes the frames of a tile in their own size from now on; nil ends that.
    mutating func decodeInFullSize(_ tile: TileID?, at now: Time) {
        needs.decodeInFullSize(tile)
        if let tile, tiles.contains(tile) { played.playbacks.sharpen(tiles[tile].feed, context(at: now)) }
        updateAndWakeAll(at: now)
    }
}
