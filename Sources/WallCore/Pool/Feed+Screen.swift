// What a feed has on the screen: what is due, what is over, and whether it has what a clock jumps to.
extension Feed {
    // MARK: what is on screen

    enum Due {
        case show(slot: Int, entry: Int)
        case notYet
        case ended
    }

    /// What is due now. Slots that are over have been dropped before (`advance`).
    func due(at now: Time) -> Due {
        if let front = slots.first, let start = front.start, front.first < front.pictures.count {
            guard let instant = front.instant, instant <= now || last == nil else { return .notYet }
            let entry = front.pictures.lastIndex { start + $0.offset <= now } ?? front.first
            return .show(slot: 0, entry: entry)
        }
        if case .playing = phase, !slots.isEmpty { return slots[0].isWhole ? .ended : .notYet }
        if case .playing = phase { return .notYet }
        return .ended
    }

    /// When the picture on screen is to be followed by another, in group time.
    func nextDue(after now: Time) -> Time? {
        guard let front = slots.first, let start = front.start else { return nil }
        if let instant = front.instant, instant > now { return instant }
        if front.first + 1 < front.pictures.count { return start + front.pictures[front.first + 1].offset }
        guard slots.count > 1, let next = slots[1].instant, !slots[1].pictures.isEmpty || slots[1].isWhole else {
            return nil
        }
        return max(next, now)
    }

    /// A picture is due now, and not here: what is shown is another one.
    func lacksPicture(at now: Time) -> Bool {
        guard phase == .playing, hasSeat, let current = current(at: now), !current.isWhole else { return false }
        if current.isRefilled(at: now) { return true }
        return current.knownTo.map { $0 <= now } ?? true
    }

    /// When that will be so unless more is decoded, in group time.
    func lackBegins(after now: Time) -> Time? {
        guard let current = current(at: now), !current.isWhole, let end = current.knownTo, end > now else { return nil }
        return end
    }

    func current(at now: Time) -> Slot? {
        slots.last { $0.instant.map { $0 <= now } ?? false }
    }

    /// Drops what is over, but for the last `behind` pictures: a step back shows them at once. Returns the sources and
    /// how many pictures were never seen.
    mutating func advance(
        to now: Time, keeping behind: Int
    ) -> (missed: Int, dropped: [Slot]) {
        var missed = 0
        var dropped: [Slot] = []
        if slots.count > 1, let current = slots.indices.last(where: { $0 > 0 && slots[$0].canTakeOver(at: now) }) {
            for index in 0..<current {
                missed += slots[index].pictures[slots[index].first...].count { !$0.isShown }
                if let shown = slots[index].pictures.last { keep(shown, of: slots[index]) }
            }
            dropped = Array(slots[..<current])
            tail = slots[current - 1].tail(of: behind)
            slots.removeFirst(current)
        }
        if !slots.isEmpty {
            missed += slots[0].advance(to: now, keeping: isReplayable(0) ? Int.max : behind)
            if let tail { self.tail = tail.tail(of: behind - slots[0].first) }
        }
        return (missed, dropped)
    }

    /// The clock goes back over the front's beginning: the pictures that were kept from before it are the front again.
    mutating func takeTail(backTo now: Time) {
        guard let tail, let first = slots.first?.instant, let instant = tail.instant, let end = tail.end,
            instant <= now, now < end, end <= first
        else { return }
        slots.insert(tail, at: 0)
        self.tail = nil
    }

    /// The picture stays on screen until something else is due.
    mutating func keep(_ entry: Slot.Entry, of slot: Slot) {
        last = Shown(picture: entry.picture, serial: entry.serial, item: slot.run.item)
    }

    // MARK: jumps

    /// What it holds has a picture for this instant.
    func covers(_ now: Time) -> Bool {
        guard let index = slots.lastIndex(where: { $0.instant.map { $0 <= now } ?? false }) else { return false }
        let slot = slots[index]
        guard index == 0 || slots[..<index].allSatisfy(\.isWhole), let start = slot.start else { return false }
        guard let first = slot.pictures.first, start + first.offset <= max(now, start + slot.entry) else {
            return false
        }
        if let end = slot.end, now >= end {
            return slot.isWhole && index == slots.count - 1 && following(slot.run) == nil
        }
        return now < start + slot.decodedTo
    }

    /// The picture for this instant is being decoded to stand before those that it holds.
    func refills(_ now: Time) -> Bool { current(at: now)?.isRefilled(at: now) ?? false }

    /// When the picture after the one at `now` begins, across seams too; as far as it is known.
    func nextPicture(after now: Time) -> Time {
        for slot in slots {
            guard let start = slot.start else { break }
            if let next = slot.pictures.first(where: { start + $0.offset > now }) { return start + next.offset }
        }
        // Not decoded yet: as long as the ones before.
        guard let last = slots.last(where: { !$0.pictures.isEmpty }), let start = last.start else { return now }
        return max(start + last.decodedTo, now + Time(ticks: 1))
    }

    /// An instant of the picture before the one at `now`.
    func previousPicture(before now: Time) -> Time {
        for slot in slots.reversed() {
            guard let start = slot.start else { continue }
            if let current = slot.pictures.lastIndex(where: { start + $0.offset <= now }) {
                return current > 0
                    ? start + slot.pictures[current - 1].offset
                    : start + slot.pictures[current].offset - Time(ticks: 1)
            }
        }
        return now - Time(ticks: 1)
    }
}
