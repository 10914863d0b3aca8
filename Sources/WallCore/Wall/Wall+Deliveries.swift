// What comes back from the pipelines: pictures, ends, failures, and what it cost.
extension Wall {
    /// The picture that was admitted.
    public mutating func deliver(_ lease: Lease, _ picture: any WallPicture, pts: Time, length: Time, at wall: Time) {
        if lease.purpose == .poster {
            guard feeds[lease.feed].poster?.id == lease.slot else { return }
            let entry = Slot.Entry(offset: .zero, pts: pts, serial: 0, picture: picture)
            feeds[lease.feed].poster?.pictures.append(entry)
            return takePoster(picture, of: lease.feed)
        }
        guard let index = slotIndex(of: lease) else { return }
        let slot = feeds[lease.feed].slots[index]
        let now = now(of: feeds[lease.feed], at: wall)
        let timeline = feeds[lease.feed].timeline
        let rate = timeline.rate(of: slot.run)
        let offset = max(.zero, (pts - timeline.piece(of: slot.run).start).lasting(at: rate))
        let serial = feeds[lease.feed].nextSerial()
        if refilling(lease) != nil {
            feeds[lease.feed].slots[index].refill?.pictures.append(
                .init(offset: offset, pts: pts, serial: serial, picture: picture, isShown: true))
            feeds[lease.feed].slots[index].refill?.decodedTo = offset + length.lasting(at: rate)
            let surplus = (slot.refill?.pictures.count ?? 0) + 1 - Depth.keptBehind
            if surplus > 0 { feeds[lease.feed].slots[index].refill?.pictures.removeFirst(surplus) }
            return
        }
        let coveredBefore = feeds[lease.feed].covers(now)
        feeds[lease.feed].slots[index].pictures.append(
            .init(offset: offset, pts: pts, serial: serial, picture: picture))
        let end = offset + length.lasting(at: rate)
        feeds[lease.feed].slots[index].decodedTo = end
        if let known = slot.length, offset >= known {
            // There is more in it than its container says.
            feeds[lease.feed].slots[index].length = end
            feeds[lease.feed].timeline.learn(end, of: slot.run)
            chain(lease.feed)
        }
        feeds[lease.feed].health.missed += leftOut(feeds[lease.feed], slot.run, length: length, at: wall)
        feeds[lease.feed].barrenPasses = 0
        feeds[lease.feed].trouble = nil
        feeds[lease.feed].said[lease.location] = nil
        let isFirst = slot.readyAt == nil
        let isAwaited = !coveredBefore && feeds[lease.feed].covers(now)
        if isFirst {
            feeds[lease.feed].slots[index].readyAt = wall
            if let leased = slot.leasedAt { feeds[lease.feed].learn(warmUp: wall - leased) }
        }
        let group = clocks[feeds[lease.feed].group]
        if case .waiting = group.phase {
            // The picture that the clock waits for decides when it goes on, not a timer.
            if isFirst || isAwaited {
                orders.wakeScreen()
                update(at: wall)
            }
        } else if isFirst, feeds[lease.feed].awaitsFirstPicture {
            update(at: wall)
        } else if index == 0 || isFirst {
            let waiting = feeds[lease.feed].slots[index].waiting
            // The screen sleeps until the next picture that it knows of.
            if waiting <= 2 { orders.wakeScreen() }
            if isAwaited, group.alignsTo == lease.feed { update(at: wall) }
        }
    }

    /// The run was read to its end, which is at `end` in media time (nil: it was cut off). Its source is kept for
    /// another run, or is of no more use.
    public mutating func finish(
        _ lease: Lease, end: Time?, keeping source: (any WallSource)?, closing useless: (any WallSource)? = nil, at wall: Time
    ) {
        handBack(lease, at: wall)
        if let source { park(source, of: lease.slot, at: lease.location, of: lease.feed) }
        if let useless { orders.close(useless) }
        if lease.purpose == .poster {
            if feeds[lease.feed].poster?.id == lease.slot { feeds[lease.feed].poster?.loading = .whole }
        } else if let (index, _) = refilling(lease) {
            endRefill(index, of: lease.feed, at: wall)
        } else if let index = slotIndex(of: lease) {
            feeds[lease.feed].slots[index].loading = .whole
            if let end {
                let run = feeds[lease.feed].slots[index].run
                let piece = feeds[lease.feed].timeline.piece(of: run)
                let played = max(.zero, end - piece.start).lasting(at: feeds[lease.feed].timeline.rate(of: run))
                let length = played > .zero ? max(played, Self.shortestRun) : .zero
                feeds[lease.feed].slots[index].length = length
                feeds[lease.feed].slots[index].decodedTo = length
                feeds[lease.feed].timeline.learn(length, of: run)
                settleEntry(lease.feed, slot: index, at: wall)
            }
        }
        update(at: wall)
    }

    /// The lease was taken back in the middle of the run; somebody goes on from where it stands.
    public mutating func returnLease(_ lease: Lease, source: any WallSource, at wall: Time) {
        handBack(lease, at: wall)
        if let (index, _) = refilling(lease) {
            park(source, of: lease.slot, at: lease.location, of: lease.feed)
            endRefill(index, of: lease.feed, at: wall)
        } else if let index = slotIndex(of: lease) {
            feeds[lease.feed].slots[index].loading = .ready(source)
        } else if feeds[lease.feed].poster?.id == lease.slot, lease.purpose == .poster {
            feeds[lease.feed].poster?.loading = .ready(source)
        } else {
            park(source, of: lease.slot, at: lease.location, of: lease.feed)
        }
        update(at: wall)
    }

    /// The source broke. What was decoded is played; a run without any picture has failed.
    public mutating func fail(
        _ lease: Lease, _ trouble: SourceTrouble, closing source: (any WallSource)? = nil, at wall: Time
    ) {
        handBack(lease, at: wall)
        if let source { orders.close(source) }
        if lease.purpose == .poster {
            if feeds[lease.feed].poster?.id == lease.slot {
                report(trouble, of: lease.feed, lease.location, item: lease.run.item, pts: nil, at: wall)
                feeds[lease.feed].poster?.loading = .failed(trouble)
            }
        } else if let index = slotIndex(of: lease) {
            let slot = feeds[lease.feed].slots[index]
            report(trouble, of: lease.feed, lease.location, item: slot.run.item, pts: slot.pictures.last?.pts, at: wall)
            if slot.refill?.wasWhole == true {
                endRefill(index, of: lease.feed, at: wall)
            } else if slot.pictures.isEmpty {
                feeds[lease.feed].slots[index].loading = .failed(trouble)
                settleFailure(of: lease.feed, slot: index, at: wall)
            } else {
                breakOff(lease.feed, slot: index, at: wall)
            }
        }
        update(at: wall)
    }

    /// The run ends at its last decoded picture.
    mutating func breakOff(_ feed: FeedID, slot index: Int, at wall: Time) {
        let isRefilling = feeds[feed].slots[index].refill != nil
        feeds[feed].slots[index].refill = nil
        feeds[feed].slots[index].loading = .whole
        feeds[feed].slots[index].length = feeds[feed].slots[index].decodedTo
        if isRefilling { enterWhereNothingIs(feed, at: wall) }
    }

    private mutating func handBack(_ lease: Lease, at wall: Time) {
        pool.takeBack(lease.pipeline)
        for tile in feeds[lease.feed].views.prefix(1) {
            tell(
                .release(tile: tiles[tile].name, item: lease.run.item, pipeline: lease.pipeline, open: pool.leased),
                at: wall)
        }
    }

    /// What a pipeline's thread did for some of a run's pictures.
    public mutating func noteCost(_ lease: Lease, _ effort: Effort, at wall: Time) {
        guard effort.media > .zero, let run = slot(of: lease)?.run else { return }
        let lasting = effort.media.lasting(at: feeds[lease.feed].timeline.rate(of: run))
        let (cost, labour) = (effort.spent.share(of: lasting), effort.worked.share(of: lasting))
        feeds[lease.feed].cost = feeds[lease.feed].cost.map { $0 * 0.75 + cost * 0.25 } ?? cost
        feeds[lease.feed].labour = feeds[lease.feed].labour.map { ($0 + labour) / 2 } ?? labour
        pool.learn(costs: feeds.compactMap(\.cost))
        settleDegrading(at: wall)
    }

    /// The pipeline opened or closed its decoder, or went on with the one it had.
    public mutating func noteDecoder(_ lease: Lease, _ manner: DecoderChange) {
        switch manner {
        case .closed: pool.note(lease.pipeline, hasDecoder: false)
        case .opened: pool.note(lease.pipeline, hasDecoder: true)
        case .continued:
            if let index = slotIndex(of: lease), feeds[lease.feed].slots[index].how == .reopened {
                feeds[lease.feed].slots[index].how = .continued
            }
        }
    }
}

/// What some media cost a pipeline's thread.
public struct Effort: Sendable {
    /// Of its run, in media time.
    public var media: Time
    /// Processor time.
    public var spent: Time
    /// Wall time, without waiting for room or for the source.
    public var worked: Time

    public init(media: Time, spent: Time, worked: Time) {
        (self.media, self.spent, self.worked) = (media, spent, worked)
    }
}

extension Time {
    fileprivate func share(of whole: Time) -> Double { Double(ticks) / Double(max(1, whole.ticks)) }
}

public enum DecoderChange: Sendable { case opened, closed, continued }
