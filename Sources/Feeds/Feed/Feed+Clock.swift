import Base
import Layout
import Scene

// Changes of the clock that a feed follows.
extension Feed {
    /// Plans the slots for the A-B loop of the group. The run that plays when the A-B loop ends goes on playing.
    public mutating func settleABLoop(_ group: Group, _ effects: inout Effects) {
        guard reel.course.settle(group.abLoop) else { return }
        if course.abLoop != nil || slots.first.map({ $0.abIteration != 0 }) ?? true { return dropSlots(&effects) }
        reel.drop(from: slots.prefix { $0.abIteration == 0 }.count, &effects)
        reel.slots[reel.slots.count - 1].reopen()
        reel.chain(group)
    }

    /// Shifts the slots back by `abIterations` iterations of the A-B loop, after the group's clock was set back as far.
    public mutating func setBack(by abIterations: Int) {
        guard let abLoop = course.abLoop else { return }
        let change = abLoop.length * Int64(abIterations)
        reel.slots.setBack(by: abIterations, lasting: change)
        seam.shift(by: .zero - change)
    }

    /// Shifts the feed back by `change`, after the group's clock was set back as far.
    public mutating func setBack(by change: Time) {
        reel.course.shift(by: .zero - change)
        reel.slots.shift(by: .zero - change)
        seam.shift(by: .zero - change)
    }

    /// Shifts the slots by `change` after a change of the clock, which is at `groupTime` now.
    public mutating func move(by change: Time, to groupTime: Time) {
        reel.slots.shift(by: change)
        seam.changeClock(by: change)
        // An interrupted run that resumes after a live source starts when its first frame is decoded.
        guard !isLive, !anchor.awaitsFirstFrame, let front = slots.first, front.start == nil else { return }
        // The front has no start, because its source was live at the last connection.
        reel.slots[0].timing.begin(at: groupTime)
        reel.slots[0].timing.takeOver(at: nil)
        reel.course.begin(itemOf: front.run, at: groupTime)
    }
}
