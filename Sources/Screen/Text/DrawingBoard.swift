import WallCore

/// What is to be drawn.
enum DrawingOrder: Hashable {
    case text(TextOrder)
    case line(LyricsLineOrder)
    case frame(SubtitleOrder)

    /// There is a pixel for it.
    var hasRoom: Bool {
        switch self {
        case .text(let order): order.height > 0 && order.maxWidth > 0
        case .line(let order): order.height > 0 && order.maxWidth > 0
        case .frame(let order): !order.size.isEmpty
        }
    }
}

enum Drawing {
    case text(TextBitmap)
    case line(LyricsLine)
    case frame(SubtitleFrame)

    var bytes: Int {
        switch self {
        case .text(let bitmap): bitmap.pixels.count * 4
        case .line(let line): line.size.width * line.size.height * 8
        case .frame(let frame): frame.bytes
        }
    }
}

/// What a view wants drawn of its words, the most urgent first.
struct WordsWanted {
    /// For what it shows at this instant.
    var now: [DrawingOrder] = []
    /// For what it shows soon: drawn ahead of time while there is memory for it.
    var soon: [DrawingOrder] = []

    var all: [DrawingOrder] { now + soon }
    var isEmpty: Bool { now.isEmpty && soon.isEmpty }
}

/// What the text thread has to draw, and what it has drawn. A value: `TextMaker` keeps it behind its monitor.
///
/// A text is asked for once, and stays ordered until it is drawn. What a view wants of its words it says with each
/// present, in the place of what it wanted before: nothing else of them is drawn, and that is kept.
struct DrawingBoard {
    /// Rises with each drawing that is made.
    private(set) var generation = 0
    /// What was asked for and is not made, oldest first.
    private var texts: [DrawingOrder] = []
    /// The view whose turn it is comes first.
    private var wishes: [Wish] = []
    private var madeTexts = DrawingStore()
    private var madeWords = DrawingStore()

    static let mostTexts = 256
    /// Texts may take so many bytes, and words as many again; what views show now is kept whatever it takes.
    static let mostBytes = DrawingStore.mostBytes

    private struct Wish {
        let view: ObjectIdentifier
        var wanted: WordsWanted
    }

    // MARK: the views' side

    /// nil: not made yet. It is ordered by that.
    mutating func text(_ order: TextOrder) -> Drawing? {
        let order = DrawingOrder.text(order)
        if let drawing = madeTexts.drawing(order) { return drawing }
        if texts.contains(order) { return nil }
        if texts.count == Self.mostTexts { texts.removeFirst() }
        texts.append(order)
        return nil
    }

    /// nil: not made, whether it is wanted or not.
    mutating func words(_ order: DrawingOrder) -> Drawing? { madeWords.drawing(order) }

    /// In the place of what the view wanted before.
    mutating func want(_ wanted: WordsWanted, by view: ObjectIdentifier) {
        var wanted = wanted
        wanted.now.removeAll { !$0.hasRoom }
        wanted.soon.removeAll { !$0.hasRoom }
        let place = wishes.firstIndex { $0.view == view }
        if let place, wanted.isEmpty {
            wishes.remove(at: place)
        } else if let place {
            wishes[place].wanted = wanted
        } else if !wanted.isEmpty {
            wishes.append(Wish(view: view, wanted: wanted))
        }
    }

    /// What was made, and words that were wanted, will not be asked for again.
    mutating func forget() { (wishes, madeTexts, madeWords) = ([], DrawingStore(), DrawingStore()) }

    // MARK: the text thread's side

    /// Something is to be drawn.
    var hasWork: Bool { due != nil }

    /// What is to be drawn next; it stays ordered until `keep`. nil: nothing.
    mutating func take() -> DrawingOrder? {
        guard let (order, wish) = due else { return nil }
        if let wish { wishes.append(wishes.remove(at: wish)) }
        return order
    }

    mutating func keep(_ drawing: Drawing, for order: DrawingOrder) {
        generation += 1
        switch order {
        case .text:
            texts.removeAll { $0 == order }
            madeTexts.keep(drawing, for: order, sparing: [])
        case .line, .frame:
            madeWords.keep(drawing, for: order, sparing: Set(wishes.flatMap(\.wanted.all)))
        }
    }

    /// Texts first, which are few and small; then what each view is to show now, in turn; then what it is to show soon.
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

    /// Of what is made and wanted.
    private var wantedBytes: Int {
        wishes.reduce(0) { sum, wish in wish.wanted.all.reduce(sum) { $0 + madeWords.bytes(of: $1) } }
    }
}

/// Drawings by what was ordered. When they are too many, the one goes that was not asked for the longest.
private struct DrawingStore {
    private var entries: [DrawingOrder: Entry] = [:]
    private var uses = 0
    private var total = 0

    static let most = 512
    static let mostBytes = 32 << 20

    private struct Entry {
        var drawing: Drawing
        var lastUse: Int
    }

    mutating func drawing(_ order: DrawingOrder) -> Drawing? {
        uses += 1
        entries[order]?.lastUse = uses
        return entries[order]?.drawing
    }

    func holds(_ order: DrawingOrder) -> Bool { entries[order] != nil }

    func bytes(of order: DrawingOrder) -> Int { entries[order]?.drawing.bytes ?? 0 }

    /// Neither this one nor one that is wanted goes for it.
    mutating func keep(_ drawing: Drawing, for order: DrawingOrder, sparing wanted: Set<DrawingOrder>) {
        uses += 1
        total += drawing.bytes - bytes(of: order)
        entries[order] = Entry(drawing: drawing, lastUse: uses)
        while entries.count > Self.most || total > Self.mostBytes,
            let oldest = entries.filter({ $0.key != order && !wanted.contains($0.key) })
                .min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[oldest.key] = nil
            total -= oldest.value.drawing.bytes
        }
    }
}
