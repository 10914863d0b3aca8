/// What is shown under the first frames of the item that came after it, while the seam between them fades.
struct FadeOut {
    private(set) var content: Content
    /// In group time.
    private(set) var begin: Time
    private(set) var end: Time

    enum Content {
        /// Its last frames, each at its time.
        case run(Slot)
        /// The last frame of what is played no more.
        case frame(FeedScreen.Shown)
    }

    init(_ content: Content, from begin: Time, to end: Time) {
        (self.content, self.begin, self.end) = (content, begin, end)
    }

    var slot: Slot? { if case .run(let slot) = content { slot } else { nil } }

    /// How many frames of it wait to be shown.
    var waiting: Int { slot?.waiting ?? 0 }

    func isOver(at groupTime: Time) -> Bool { groupTime < begin || groupTime >= end }

    /// How much is seen of what comes: from 0 to `FadedFrame.whole`.
    func weight(at groupTime: Time) -> Int {
        let part = Double((groupTime - begin).ticks) / Double(max(1, (end - begin).ticks))
        return max(0, min(FadedFrame.whole, Int(part * Double(FadedFrame.whole))))
    }

    /// Walks to the frame that is due; says how many went by unseen.
    mutating func advance(to groupTime: Time, keeping behind: Int) -> Int {
        guard var slot else { return 0 }
        defer { content = .run(slot) }
        return slot.advance(to: groupTime, keeping: behind)
    }

    /// How many of its frames were due by its end and were not shown.
    var unseen: Int { slot.map { $0.frames[$0.dueIndex...].count { !$0.isShown } } ?? 0 }

    mutating func shift(by change: Time) {
        (begin, end) = (begin + change, end + change)
        guard var slot else { return }
        slot.shift(by: change)
        content = .run(slot)
    }

    mutating func notePresented(_ index: Int) {
        guard var slot else { return }
        slot.notePresented(index)
        content = .run(slot)
    }

    /// What is shown of it; nil: it has no frame.
    func frame(at groupTime: Time) -> (shown: FeedScreen.Shown, serial: Int)? {
        switch content {
        case .frame(let shown): return (shown, shown.serial)
        case .run(let slot):
            guard !slot.frames.isEmpty else { return nil }
            let due = slot.frames[slot.dueIndex]
            return (FeedScreen.Shown(due.frame, serial: due.serial, item: slot.run.item), due.serial)
        }
    }

    /// Where its run stands among others; says whether it does.
    mutating func resequence(_ place: (RunID) -> RunID?) -> Bool {
        guard var slot else { return true }
        guard let run = place(slot.run) else { return false }
        slot.become(run)
        content = .run(slot)
        return true
    }
}
