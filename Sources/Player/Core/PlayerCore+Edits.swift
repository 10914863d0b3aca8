import Base
import Feeds
import Layout
import Scene

// Changes that features ask for.
extension PlayerCore {
    mutating func make(_ edit: Edit, at now: Time) {
        switch edit {
        // The feature `Notices` shows them.
        case .notice, .announce: playbacks.effects.wakeScreen()
        case .emit(let what): emit(what, at: now)
        case .window(let command): playbacks.effects.window(command)
        case .setABLoop(let tile, let scope, let marks, let shortest):
            playbacks.set(marks, of: group(of: tile, scope), shortest: shortest, at: now)
        case .focus(let tile): if tile != focus { setFocus(tile, at: now) }
        case .toggleZoom: toggleZoom(at: now)
        case .overlay(let compared, let group): overlay(compared, group: group, at: now)
        case .compare(let tile, let compared): tiles[tile].layout.content = .comparison(compared)
        case .showSide(let side, let tile): tiles[tile].comparison?.side = side
        case .swapSides(let tile): tiles[tile].comparison?.isSwapped.toggle()
        case .magnify(let group, let zoom): magnify(group, zoom, at: now)
        case .changeItem(let item, let tile, let body): changeItem(item, of: tile, body)
        case .keepSamples(let isWanted): keepSamples(isWanted, at: now)
        case .showOnlyWholeComparisons: needs.showsOnlyWholeComparisons = true
        case .recordFrames(let tile): needs.recordedTile = tile
        case .measure(let order): playbacks.effects.measure(order)
        case .draw: playbacks.effects.wakeScreen()
        case .wakeRecorder: playbacks.effects.wakeTakes()
        case .holdPosition(let group, let begin): playbacks.clocks[group].holdPosition(from: begin)
        case .releasePosition(let group, let length): releasePosition(of: group, settingBackBy: length)
        case .cover(let covers): cover(covers, at: now)
        case .uncover(let tiles): uncover(tiles, at: now)
        case .leaveTop(let tile): leaveTop(of: tile, at: now)
        case .openAhead(let item, let feed, let name): openAhead(item, of: feed, for: name, at: now)
        case .giveUpAhead(let name, let feed): supply.giveUp(.ahead(name), of: feed)
        case .lookAgain(let instant): playbacks.effects.hasten(nextUpdateTo: instant)
        }
    }

    /// Shows a comparison of two tiles over the wall, in place of the one before.
    private mutating func overlay(_ compared: ComparisonLayout?, group: String, at now: Time) {
        tiles.endOverlay(&output)
        guard let compared, let feed = focusedFeed else { return }
        var layout = TileLayout(id: "", place: .fractions(.all), content: .comparison(compared))
        layout.group = group
        let tile = tiles.overlay { Tile(id: $0, layout, feed: feed) }
        output.overlay(tile)
        tiles.settleComparisons(&playbacks)
        let members = tiles[tile].comparison?.members ?? []
        for feed in Set(members.map { tiles[$0].feed }).sorted() { playbacks.sharpen(feed, context(at: now)) }
    }

    private mutating func magnify(_ group: String, _ zoom: FrameZoom?, at now: Time) {
        magnified[group] = zoom
        for feed in feeds.ids where playbacks.feeds[feed].viewers.contains(where: { tiles[$0].layout.group == group }) {
            playbacks.sharpen(feed, context(at: now))
        }
    }

    /// Paused feeds decode their frame again, to keep its samples as decoded. Playing feeds keep them from now on.
    private mutating func keepSamples(_ isWanted: Bool, at now: Time) {
        needs.keepsSamples = isWanted
        if isWanted { for feed in feeds.ids { playbacks.sharpen(feed, context(at: now)) } }
    }

    /// Changes the part of an item that is the tile's own. Its feed does not know that part.
    private mutating func changeItem(_ place: ItemPlace, of tile: TileID, _ body: (inout Item) -> Void) {
        tiles[tile].changeItem(at: place, body)
    }
}
