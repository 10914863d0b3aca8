// Passes that begin together: when the next one begins, and who takes part in it.
extension Wall {
    mutating func turnPasses(at wall: Time) {
        for index in groups.ids where groups[index].isTogether && !awaitsLengths(index) {
            let now = groups[index].clock.position(at: wall)
            groups[index].nextPassStart = nextPassStart(of: index)
            while let next = groups[index].nextPassStart, next <= now {
                // Those that are as long as this one are counted at once: there may be billions.
                let length = next - groups[index].passStart
                let alike = passesAlike(index)
                let passes = min(alike, max(1, Int((now - groups[index].passStart).ticks / length.ticks)))
                groups[index].pass += passes
                groups[index].passStart += length * Int64(passes)
                if groups[index].turnPass() { separate(index, at: wall) }
                groups[index].nextPassStart = groups[index].isTogether ? nextPassStart(of: index) : nil
            }
            if let next = groups[index].nextPassStart { wake(at: groups[index].clock.wallTime(of: next)) }
        }
    }

    /// Before its clock goes for the first time, a group counts no passes while sources of it are being opened: which
    /// pass it enters does not depend on which of them is faster.
    private func awaitsLengths(_ index: GroupID) -> Bool {
        !groups[index].hasStarted
            && feeds.contains { feed in
                feed.group == index && feed.phase == .playing && !feed.isOpen
                    && openings.values.contains { $0.feed == feed.id && !$0.hangs }
            }
    }

    /// How many passes, from this one on, the same members take part in.
    private func passesAlike(_ index: GroupID) -> Int {
        let pass = groups[index].pass
        let counts = members(of: index).map { feed in
            if case .passes(let count) = feed.timeline.loop { count } else { Int.max }
        }
        let next = counts.filter { $0 > pass }.min() ?? .max
        // Where nobody takes part in the pass that follows, there is none.
        return (next == counts.max() && next < .max ? next - 1 : next) - pass
    }

    /// The feeds that play in its pass, also those that have ended in it for good.
    private func members(of index: GroupID) -> [Feed<Picture, Source>] {
        let pass = groups[index].pass
        return feeds.filter {
            $0.group == index && ($0.phase == .playing || $0.phase == .ended && $0.pass == pass && !$0.slots.isEmpty)
        }
    }

    /// When the pass that follows begins: when the longest (or shortest) of its members has ended.
    /// A member that was never opened is not waited for; one of unknown length is.
    private func nextPassStart(of index: GroupID) -> Time? {
        let group = groups[index]
        let members = members(of: index)
        guard members.contains(where: { $0.timeline.takesPart(inPass: group.pass + 1) }) else { return nil }
        var ends: [Time] = []
        for member in members where member.timeline.takesPart(inPass: group.pass) {
            if let length = member.timeline.passLength {
                let origin = member.pass == group.pass ? member.origin : group.passStart - member.offset
                if length > .zero, origin + length > group.passStart { ends.append(origin + length) }
            } else if member.isOpen {
                return nil
            }
        }
        return group.until == .longest ? ends.max() : ends.min()
    }
}
