import Base
import Commands
import Scene

// Scrubbing: a drag over a tile moves its group's clock within the item under it.
extension Wall {
    mutating func scrub(_ scrub: Command.Scrub, at now: Time) {
        switch scrub {
        case .began(let point, let way):
            if !grabLine(at: point, now: now), way == .sideways { grab(point, at: now) }
        case .moved(let right, let down):
            if heldLine == nil { drag(by: right, at: now) } else { moveLine(by: right, down) }
        case .ended:
            heldLine = nil
            letGo(at: now)
        }
    }

    /// Starts a scrub. A tile that is not ready, or has no length, does not scrub. During a jump the scrub starts at
    /// the position to which the jump goes.
    private mutating func grab(_ point: Point, at now: Time) {
        guard clocks.scrub == nil, let tile = tile(at: point), let item = feeds[tiles[tile].feed].itemOnScreen else {
            return
        }
        let group = feeds[tiles[tile].feed].group
        guard clocks[group].hasStarted else { return }
        let onBar = placeOnBar(at: point)?.position
        let width = onBar == nil ? output.rectToDecode(of: tile).width : places(of: tile).bar.width
        clocks.grab(
            HeldScrub(
                of: tile, group, at: onBar ?? clocks[group].destination(at: now), item: item, width: max(1, width),
                tolerance: clocks[group].dueTolerance, then: clocks[group].motionToCome),
            at: now)
        emitClock(group, at: now)
    }

    private mutating func drag(by pixels: Int, at now: Time) {
        guard let scrub = clocks.scrub else { return }
        clocks[scrub.group].want(.position(scrub.position(movedBy: pixels)))
        continueJump(scrub.group, at: now)
    }

    /// Ends a scrub. The clock goes to the newest position, and then on as before.
    private mutating func letGo(at now: Time) {
        guard let ended = clocks.letGo() else { return }
        if case .position(let wanted) = clocks[ended.group].pendingJump { seek(ended.group, to: wanted, at: now) }
        if ended.motion == .running {
            clocks[ended.group].run(at: now, after: frameHold)
        } else {
            clocks[ended.group].stand(at: now)
        }
        emitClock(ended.group, at: now)
    }
}

// Clicks: on a tile's bar, and beside it.
extension Wall {
    mutating func click(_ point: Point, at now: Time) {
        guard let (tile, position) = placeOnBar(at: point) else { return moveFocus(.at(point), at: now) }
        let group = feeds[tiles[tile].feed].group
        guard clocks[group].hasStarted else { return }
        jump(group, by: position - clocks[group].destination(at: now), at: now)
    }

    /// Toggles the zoom, or jumps on the bar. The first click has moved the focus.
    mutating func doubleClick(_ point: Point, at now: Time) {
        if placeOnBar(at: point) == nil { toggleZoom(at: now) } else { click(point, at: now) }
    }

    /// Returns the group time that the bar under a point of the window shows there. nil if there is no bar.
    private func placeOnBar(at point: Point) -> (tile: TileID, position: Time)? {
        guard let tile = tile(at: point), let item = feeds[tiles[tile].feed].itemOnScreen,
            let share = places(of: tile).shareOfBar(at: point, hasPlot: figures.isOn && figurePlot(of: tile) != nil)
        else { return nil }
        let place = item.lowerBound + (item.upperBound - item.lowerBound).part(share)
        let tolerance = clocks[feeds[tiles[tile].feed].group].dueTolerance
        return (tile, min(place, item.upperBound - tolerance - Time(ticks: 1)))
    }

    /// Returns the places of marks on a tile as it is drawn, or will be when it has grown.
    private func places(of tile: TileID) -> MarksPlaces {
        MarksPlaces(in: viewToCome(of: tile).marksRect)
    }
}
