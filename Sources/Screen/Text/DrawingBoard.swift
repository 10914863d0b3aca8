import Base

/// A drawing that is ordered from the text thread.
enum DrawingOrder: Hashable {
    case text(TextOrder)
    case line(LyricsLineOrder)
    case frame(SubtitleOrder)

    /// True if it has room for a pixel.
    var hasRoom: Bool {
        switch self {
        case .text(let order): order.height > 0 && order.maxWidth > 0
        case .line(let order): order.height > 0 && order.maxWidth > 0
        case .frame(let order): !order.size.isEmpty
        }
    }
}

/// Drawings that a view wants of its words, the most urgent first.
struct WordsWanted {
    /// Drawings for this instant.
    var now: [DrawingOrder] = []
    /// Drawings that will be needed soon: made in advance while there is memory for them.
    var soon: [DrawingOrder] = []

    var all: [DrawingOrder] { now + soon }
}

/// Drawings that the text thread has to make, and those that it has made. A value: `TextMaker` keeps it in a `Locked`.
///
/// A text is ordered once, and stays ordered until it is drawn. With each present a view replaces the list of words
/// that it wants. Only words on these lists are drawn, and they are kept.
struct DrawingBoard {
    /// Rises with each drawing that is made.
    private(set) var generation = 0
    /// Texts that were ordered and not drawn, oldest first.
    private var texts: [DrawingOrder] = []
    /// The views' lists, beginning with the view that is next.
    private var wishes: [(view: ObjectIdentifier, wanted: WordsWanted)] = []
    private var madeTexts = DrawingStore()
    private var madeWords = DrawingStore()

    static let mostTexts = 256
    /// Bound for drawn texts, and separately for drawn words, in bytes. Wanted words are kept in any case.
    static let mostBytes = DrawingStore.mostBytes

    // MARK: the views' side

    /// Returns a drawn text; nil until it is drawn. The call orders it.
    mutating func text(_ order: TextOrder) -> (any Drawing)? {
        let order = DrawingOrder.text(order)
        if let drawing = madeTexts.drawing(order) { return drawing }
        if texts.contains(order) { return nil }
        if texts.count == Self.mostTexts { texts.removeFirst() }
        texts.append(order)
        return nil
    }

    /// Returns drawn words; nil until they are drawn. The call orders nothing.
    mutating func words(_ order: DrawingOrder) -> (any Drawing)? { madeWords.drawing(order) }

    /// Replaces the words that the view wanted before.
    mutating func want(_ wanted: WordsWanted, by view: ObjectIdentifier) {
        let possible = WordsWanted(now: wanted.now.filter(\.hasRoom), soon: wanted.soon.filter(\.hasRoom))
        if let place = wishes.firstIndex(where: { $0.view == view }) {
            wishes[place].wanted = possible
        } else {
            wishes.append((view, possible))
        }
        wishes.removeAll { $0.wanted.all.isEmpty }
    }

    /// Drops all drawings and the views' lists, which will not be asked for again.
    mutating func forget() { (wishes, madeTexts, madeWords) = ([], DrawingStore(), DrawingStore()) }

    // MARK: the text thread's side

    /// True if something is to be drawn.
    var hasWork: Bool { due != nil }

    /// Returns the next order, which stays until `keep`; nil if there is none.
    mutating func take() -> DrawingOrder? {
        guard let (order, wish) = due else { return nil }
        if let wish { wishes.append(wishes.remove(at: wish)) }
        return order
    }

    mutating func keep(_ drawing: any Drawing, for order: DrawingOrder) {
        generation += 1
        switch order {
        case .text:
            texts.removeAll { $0 == order }
            madeTexts.keep(drawing, for: order, sparing: [])
        case .line, .frame:
            madeWords.keep(drawing, for: order, sparing: Set(wishes.flatMap(\.wanted.all)))
        }
    }

    /// The next order. Texts come first, since they are few and small. Then come the words that each view shows now, in
    /// turn, and then the words that it shows soon.
    private var due: (order: DrawingOrder, wish: Int?)? {
        if let order = texts.first { return (order, nil) }
        if let urgent = firstUnmade({ $0.now }) { return urgent }
        return wantedBytes < Self.mostBytes ? firstUnmade { $0.soon } : nil
    }

    private func firstUnmade(_ part: (WordsWanted) -> [DrawingOrder]) -> (order: DrawingOrder, wish: Int?)? {
        for (place, wish) in wishes.enumerated() {
            if let order = part(wish.wanted).first(where: { !madeWords.holds($0) }) { return (order, place) }
        }
        return nil
    }

    /// Size of the wanted drawings that are made, in bytes.
    private var wantedBytes: Int {
        wishes.reduce(0) { sum, wish in wish.wanted.all.reduce(sum) { $0 + madeWords.bytes(of: $1) } }
    }
}

/// Drawings by their order. If there are too many, the least recently used one is dropped.
private struct DrawingStore {
    private var entries: [DrawingOrder: (drawing: any Drawing, lastUse: Int)] = [:]
    private var uses = 0
    private var total = 0

    static let most = 512
    static let mostBytes = 32 << 20

    mutating func drawing(_ order: DrawingOrder) -> (any Drawing)? {
        uses += 1
        entries[order]?.lastUse = uses
        return entries[order]?.drawing
    }

    func holds(_ order: DrawingOrder) -> Bool { entries[order] != nil }

    func bytes(of order: DrawingOrder) -> Int { entries[order]?.drawing.bytes ?? 0 }

    /// Adds a drawing. To make room, drops neither this drawing nor a wanted one.
    mutating func keep(_ drawing: any Drawing, for order: DrawingOrder, sparing wanted: Set<DrawingOrder>) {
        uses += 1
        total += drawing.bytes - bytes(of: order)
        entries[order] = (drawing, uses)
        while entries.count > Self.most || total > Self.mostBytes,
            let oldest = entries.filter({ $0.key != order && !wanted.contains($0.key) })
                .min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[oldest.key] = nil
            total -= oldest.value.drawing.bytes
        }
    }
}
