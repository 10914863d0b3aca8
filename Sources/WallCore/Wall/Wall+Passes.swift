// Passes that begin together: when the next one begins, and who takes part in it.
extension Wall {
    mutating func turnPasses(at wall: Time) {
        for index in clocks.ids where clocks[index].isTogether && !awaitsLengths(index) {
            let now = clocks[index].clock.position(at: wall)
            let next = nextPassStart(of: index)
            clocks[index].changePasses { $0.setNextStart(next) }
            while let next = clocks[index].passes.nextStart, next <= now {
                // Those that are as long as this one are counted at once: there may be billions.
                let length = next - clocks[index].passes.start
                let alike = passesAlike(index)
                let passes = min(alike, max(1, Int((now - clocks[index].passes.start).ticks / length.ticks)))
                clocks[index].changePasses { $0.turn(passes, of: length) }
                if !clocks[index].isTogether { separate(index, at: wall) }
                let following = clocks[index].isTogether ? nextPassStart(of: index) : nil
                clocks[index].changePasses { $0.setNextStart(following) }
            }
            if let next = clocks[index].passes.nextStart {
                orders.scheduleUpdate(at: clocks[index].clock.wallTime(of: next))
            }
        }
    }

    /// Before its clock goes for the first time, a group counts no passes while sources of it are being opened: which
    /// pass it enters does not depend on which of them is faster.
    private func awaitsLengths(_ index: GroupID) -> Bool {
        !clocks[index].hasStarted
            && feeds.contains { feed in
                feed.group == index && feed.phase == .playing && !feed.isOpen
                    && openings.isAwaited(by: feed.id)
            }
    }

    /// How many passes, from this one on, the same members take part in.
    private func passesAlike(_ index: GroupID) -> Int {
        let pass = clocks[index].passes.number
        let counts = members(of: index).map { feed in
            if case .passes(let count) = feed.timeline.loop { count } else { Int.max }
        }
        let next = counts.filter { $0 > pass }.min() ?? .max
        // Where nobody takes part in the pass that follows, there is none.
        return (next == counts.max() && next < .max ? next - 1 : next) - pass
    }

    /// The feeds that play in its pass, also those that have ended in it for good.
    private func members(of index: GroupID) -> [Feed] {
        let pass = clocks[index].passes.number
        return feeds.filter {
            $0.group == index
                && ($0.phase == .playing || $0.phase == .ended && $0.anchor.pass == pass && !$0.slots.isEmpty)
        }
    }

    /// When the pass that follows begins: when the longest (or shortest) of its members has ended.
    /// A member that was never opened is not waited for; one of unknown length is.
    private func nextPassStart(of index: GroupID) -> Time? {
        let group = clocks[index]
        let members = members(of: index)
        guard members.contains(where: { $0.timeline.takesPart(inPass: group.passes.number + 1) }) else { return nil }
        var ends: [Time] = []
        for member in members where member.timeline.takesPart(inPass: group.passes.number) {
            if let length = member.timeline.passLength {
                let origin =
                    member.anchor.pass == group.passes.number
                    ? member.anchor.origin : group.passes.start - member.anchor.offset
                if length > .zero, origin + length > group.passes.start { ends.append(origin + length) }
            } else if member.isOpen {
                return nil
            }
        }
        return group.until == .longest ? ends.max() : ends.min()
    }
}
