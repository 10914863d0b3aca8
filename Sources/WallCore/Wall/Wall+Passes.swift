// Passes that begin together: when the next one begins, and who takes part in it.
extension Wall {
    mutating func turnPasses(at now: Time) {
        for group in clocks.ids where clocks[group].isTogether && !awaitsLengths(group) {
            let groupTime = clocks[group].dueTime(at: now)
            noteNextPass(of: group, at: groupTime)
            while let next = clocks[group].passes.nextStart, next <= groupTime {
                // Those that are as long as this one are counted at once: there may be billions.
                let length = next - clocks[group].passes.start
                let alike = passesAlike(group)
                let passes = min(alike, max(1, Int((groupTime - clocks[group].passes.start).ticks / length.ticks)))
                clocks[group].changePasses { $0.turn(passes, of: length) }
                if !clocks[group].isTogether { separate(group, at: now) }
                clocks[group].changePasses { $0.setNextStart(nil, isExpected: false) }
                if clocks[group].isTogether { noteNextPass(of: group, at: groupTime) }
            }
            clocks[group].notePassesAtBegin()
            if let next = clocks[group].passes.nextStart {
                orders.scheduleUpdate(at: clocks[group].clock.wallTime(of: next))
            }
        }
    }

    /// If the length of a pass becomes known only after the pass should have ended, because a source did not answer, the
    /// pass ends now, and the next pass starts from its beginning.
    private mutating func noteNextPass(of group: GroupID, at groupTime: Time) {
        let isLate = clocks[group].passes.lacksLength && clocks[group].hasStarted
        let next = nextPassStart(of: group).map { isLate ? max($0, groupTime) : $0 }
        let pass = clocks[group].passes.number
        let isExpected = next == nil && members(of: group).contains { $0.timeline.takesPart(inPass: pass + 1) }
        clocks[group].changePasses { $0.setNextStart(next, isExpected: isExpected) }
    }

    /// Before its clock goes for the first time, a group counts no passes while sources of it are being opened: which
    /// pass it enters does not depend on which of them is faster.
    private func awaitsLengths(_ group: GroupID) -> Bool {
        !clocks[group].hasStarted
            && feeds.contains { feed in
                feed.group == group && feed.phase == .playing && !feed.isOpen
                    && openings.isAwaited(by: feed.id)
            }
    }

    /// How many passes, from this one on, the same members take part in.
    private func passesAlike(_ group: GroupID) -> Int {
        let pass = clocks[group].passes.number
        let counts = members(of: group).map { feed in
            if case .passes(let count) = feed.timeline.loop { count } else { Int.max }
        }
        let next = counts.filter { $0 > pass }.min() ?? .max
        // Where nobody takes part in the pass that follows, there is none.
        return (next == counts.max() && next < .max ? next - 1 : next) - pass
    }

    /// The feeds that play in its pass, also those that have ended in it for good.
    private func members(of group: GroupID) -> [Feed] {
        let pass = clocks[group].passes.number
        return feeds.filter {
            $0.group == group && !$0.isLive
                && ($0.phase == .playing || $0.phase == .ended && $0.anchor.pass == pass && !$0.slots.isEmpty)
        }
    }

    /// When the pass that follows begins: when the longest (or shortest) of its members has ended.
    /// A member that was never opened is not waited for; one of unknown length is.
    private func nextPassStart(of id: GroupID) -> Time? {
        let group = clocks[id]
        let members = members(of: id)
        guard members.contains(where: { $0.timeline.takesPart(inPass: group.passes.number + 1) }) else { return nil }
        var ends: [Time] = [], breakLength = Time.zero
        for member in members where member.timeline.takesPart(inPass: group.passes.number) {
            // Its pass becomes longer by the time that a source did not answer.
            if group.hasStarted, member.slots.indices.contains(where: member.isAwaited) { return nil }
            if let length = member.timeline.length(ofPass: group.passes.number) {
                let origin =
                    member.anchor.pass == group.passes.number
                    ? member.anchor.origin : group.passes.start - member.anchor.offset
                guard length > .zero, origin + length > group.passes.start else { continue }
                ends.append(origin + length + member.delay(inPass: group.passes.number))
                guard group.until == .shortest else { continue }
                // A break makes the pass longer, on whichever tile it is.
                ends[ends.count - 1] -= member.breakLength
                breakLength = max(breakLength, member.breakLength)
            } else if member.isOpen {
                return nil
            }
        }
        return group.until == .longest ? ends.max() : ends.min().map { $0 + breakLength }
    }

    /// A member has another sequence.
    mutating func sequenceHasChanged(in group: GroupID) {
        guard clocks[group].isTogether, clocks[group].hasStarted else { return }
        let next = nextPassStart(of: group)
        clocks[group].changePasses { $0.setNextStart(next) }
    }
}
