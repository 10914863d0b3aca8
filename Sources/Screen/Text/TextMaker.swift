import Threads

/// Texts ─▶ bitmaps, on a thread that owns libass and fontconfig: their first look at the fonts can take seconds.
///
/// Any thread may call any method; only `settle` and `stop` wait. Its maker stops it. Where the system has no thread
/// for it, no text is ever made.
public final class TextMaker: Sendable {
    private let board: Board
    private let worker: Worker?

    /// `onReady` is called on the text thread each time that bitmaps were made which somebody had asked for.
    public init(onReady: @escaping @Sendable () -> Void) {
        let board = Board()
        self.board = board
        worker = try? Worker("text", .batch) { makeTexts(board, onReady) }
    }

    /// nil: not made yet. It is asked for by that, and `onReady` tells when to ask again.
    /// Drawn literally, on one line; as high and as wide as it comes out, `maxWidth` at most.
    public func bitmap(_ text: String, height: Int, maxWidth: Int, style: TextStyle) -> TextBitmap? {
        let order = TextOrder(text: text, height: height, maxWidth: maxWidth, style: style)
        guard height > 0, maxWidth > 0, worker != nil else { return nil }
        let answer = board.state.locked { $0.answer(order) }
        if answer.isNew { board.work.wake() }
        return answer.bitmap
    }

    /// What was made before will not be asked for again.
    func forget() { board.state.locked { $0.forget() } }

    /// Rises each time that bitmaps were made.
    var generation: Int { board.state.locked { $0.generation } }

    public enum Settled { case settled, stillBusy }

    /// Waits until all that was asked for is made.
    public func settle(within limit: Int64) -> Settled {
        let deadline = monotonicNanoseconds() + limit
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
        return worker?.join(within: limit) ?? .joined
    }
}

/// What the text thread and its customers share.
private final class Board: Sendable {
    let state = Monitor(State())
    let work = WakeCondition()
    let idle = WakeCondition()

    struct State {
        /// What was asked for and is not made, oldest first.
        var orders: [TextOrder] = []
        var made: [TextOrder: Entry] = [:]
        var isMaking = false
        var isStopping = false
        var generation = 0
        private var uses = 0
        private var bytes = 0

        static let mostOrders = 256
        static let mostBitmaps = 512
        static let mostBytes = 32 << 20

        struct Entry {
            var bitmap: TextBitmap
            var lastUse: Int
        }

        mutating func answer(_ order: TextOrder) -> (bitmap: TextBitmap?, isNew: Bool) {
            uses += 1
            if let bitmap = made[order]?.bitmap {
                made[order]!.lastUse = uses
                return (bitmap, false)
            }
            if orders.contains(order) { return (nil, false) }
            if orders.count == State.mostOrders { orders.removeFirst() }
            orders.append(order)
            return (nil, true)
        }

        mutating func forget() { (made, bytes) = ([:], 0) }

        mutating func keep(_ bitmap: TextBitmap, for order: TextOrder) {
            orders.removeAll { $0 == order }
            made[order] = Entry(bitmap: bitmap, lastUse: uses)
            bytes += bitmap.pixels.count * 4
            while made.count > State.mostBitmaps || bytes > State.mostBytes, made.count > 1,
                let oldest = made.filter({ $0.key != order }).min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                made[oldest.key] = nil
                bytes -= oldest.value.bitmap.pixels.count * 4
            }
            generation += 1
        }
    }
}

private func makeTexts(_ board: Board, _ onReady: () -> Void) {
    // Not before the first order: a wall without texts never looks at the fonts.
    var renderer: TextRenderer?
    while let order = nextOrder(board) {
        if renderer == nil { renderer = TextRenderer() }
        let bitmap = renderer?.draw(order) ?? .empty
        let isLast = board.state.locked { state in
            state.keep(bitmap, for: order)
            return state.orders.isEmpty
        }
        if isLast { onReady() }
    }
}

/// nil: the end.
private func nextOrder(_ board: Board) -> TextOrder? {
    board.state.locked { $0.isMaking = false }
    board.idle.wake()
    return board.state.wait(on: board.work) { state -> Wait<TextOrder?> in
        if state.isStopping { return .done(nil) }
        guard let order = state.orders.first else { return .again(deadline: nil) }
        state.isMaking = true
        return .done(order)
    }
}
