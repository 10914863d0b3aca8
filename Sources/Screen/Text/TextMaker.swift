import Media
import Threads
import WallCore

/// Texts ─▶ bitmaps, on a thread that owns libass and fontconfig: their first look at the fonts can take seconds.
///
/// Any thread may call any method; only `settle` and `stop` wait. Its maker stops it. Where the system has no thread
/// for it, no text is ever made.
public final class TextMaker: Sendable {
    /// The words that it may be asked to draw.
    public let lyrics: LyricsLibrary
    private let board: Board
    private let worker: Worker?

    /// `onReady` is called on any thread each time that bitmaps were made which somebody had asked for, or words read.
    public init(onReady: @escaping @Sendable () -> Void) {
        let board = Board()
        self.board = board
        lyrics = LyricsLibrary(onReady: onReady)
        worker = try? Worker("text", .batch) { makeTexts(board, onReady) }
    }

    /// nil: not made yet. It is asked for by that, and `onReady` tells when to ask again.
    /// Drawn literally, on one line; as high and as wide as it comes out, `maxWidth` at most.
    public func bitmap(_ text: String, height: Int, maxWidth: Int, style: TextStyle) -> TextBitmap? {
        let order = TextOrder(text: text, height: height, maxWidth: maxWidth, style: style)
        guard height > 0, maxWidth > 0, case .text(let bitmap) = drawing(.text(order)) else { return nil }
        return bitmap
    }

    /// nil: not drawn yet, as above.
    func line(_ order: LyricsLineOrder) -> LyricsLine? {
        guard order.height > 0, order.maxWidth > 0, case .line(let line) = drawing(.line(order)) else { return nil }
        return line
    }

    /// nil: not drawn yet, as above.
    func frame(_ order: SubtitleOrder) -> SubtitleFrame? {
        guard !order.size.isEmpty, case .frame(let frame) = drawing(.frame(order)) else { return nil }
        return frame
    }

    private func drawing(_ order: DrawingOrder) -> Drawing? {
        guard worker != nil else { return nil }
        let answer = board.state.locked { $0.answer(order) }
        if answer.isNew { board.work.wake() }
        return answer.drawing
    }

    /// What was made before will not be asked for again.
    func forget() { board.state.locked { $0.forget() } }

    /// Rises each time that bitmaps were made.
    var generation: Int { board.state.locked { $0.generation } }

    public enum Settled { case settled, stillBusy }

    /// Something was asked for, and is not made.
    public var isBusy: Bool { lyrics.isBusy || board.state.locked { !$0.orders.isEmpty || $0.isMaking } }

    /// Waits until all that was asked for is made, and words are read; who draws them asks for more then.
    public func settle(within limit: Int64) -> Settled {
        let deadline = monotonicNanoseconds() + limit
        guard lyrics.settle(within: limit) else { return .stillBusy }
        return board.state.wait(on: board.idle) { state -> Wait<Settled> in
            if state.orders.isEmpty && !state.isMaking { return .done(.settled) }
            return monotonicNanoseconds() >= deadline ? .done(.stillBusy) : .again(deadline: deadline)
        }
    }

    /// Ends the thread. A font scan that is under way is not waited for longer than `limit`.
    @discardableResult
    public func stop(within limit: Int64 = 1_000_000_000) -> Worker.JoinResult {
        board.state.locked { $0.isStopping = true }
        board.work.wake()
        let end = monotonicNanoseconds() + limit
        let lyrics = lyrics.stop(within: limit)
        let texts = worker?.join(within: max(0, end - monotonicNanoseconds())) ?? .joined
        return lyrics == .stillRunning ? lyrics : texts
    }
}

/// What is to be drawn.
enum DrawingOrder: Hashable {
    case text(TextOrder)
    case line(LyricsLineOrder)
    case frame(SubtitleOrder)
}

enum Drawing {
    case text(TextBitmap)
    case line(LyricsLine)
    case frame(SubtitleFrame)

    var bytes: Int {
        switch self {
        case .text(let bitmap): bitmap.pixels.count * 4
        case .line(let line): line.size.width * line.size.height * 8
        case .frame(let frame): (frame.bitmap?.pixels.count ?? 0) * 4
        }
    }
}

/// What the text thread and its customers share.
private final class Board: Sendable {
    let state = Monitor(State())
    let work = WakeCondition()
    let idle = WakeCondition()

    struct State {
        /// What was asked for and is not made, oldest first.
        var orders: [DrawingOrder] = []
        var made: [DrawingOrder: Entry] = [:]
        var isMaking = false
        var isStopping = false
        var generation = 0
        private var uses = 0
        private var bytes = 0

        static let mostOrders = 256
        static let mostDrawings = 512
        static let mostBytes = 32 << 20

        struct Entry {
            var drawing: Drawing
            var lastUse: Int
        }

        mutating func answer(_ order: DrawingOrder) -> (drawing: Drawing?, isNew: Bool) {
            uses += 1
            if let drawing = made[order]?.drawing {
                made[order]!.lastUse = uses
                return (drawing, false)
            }
            if orders.contains(order) { return (nil, false) }
            if orders.count == State.mostOrders { orders.removeFirst() }
            orders.append(order)
            return (nil, true)
        }

        mutating func forget() { (made, bytes) = ([:], 0) }

        mutating func keep(_ drawing: Drawing, for order: DrawingOrder) {
            orders.removeAll { $0 == order }
            made[order] = Entry(drawing: drawing, lastUse: uses)
            bytes += drawing.bytes
            while made.count > State.mostDrawings || bytes > State.mostBytes, made.count > 1,
                let oldest = made.filter({ $0.key != order }).min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                made[oldest.key] = nil
                bytes -= oldest.value.drawing.bytes
            }
            generation += 1
        }
    }
}

private func makeTexts(_ board: Board, _ onReady: () -> Void) {
    // Not before the first order: a wall without texts never looks at the fonts.
    var renderer: TextRenderer?
    let subtitles = SubtitleRenderers()
    while let order = nextOrder(board) {
        if renderer == nil { renderer = TextRenderer() }
        let drawing: Drawing =
            switch order {
            case .text(let order): .text(renderer?.draw(order) ?? .empty)
            case .line(let order): .line(renderer?.draw(order) ?? .empty)
            case .frame(let order): .frame(subtitles.draw(order))
            }
        let isLast = board.state.locked { state in
            state.keep(drawing, for: order)
            return state.orders.isEmpty
        }
        if isLast { onReady() }
    }
}

/// nil: the end.
private func nextOrder(_ board: Board) -> DrawingOrder? {
    board.state.locked { $0.isMaking = false }
    board.idle.wake()
    return board.state.wait(on: board.work) { state -> Wait<DrawingOrder?> in
        if state.isStopping { return .done(nil) }
        guard let order = state.orders.first else { return .again(deadline: nil) }
        state.isMaking = true
        return .done(order)
    }
}
