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
        guard worker != nil, DrawingOrder.text(order).hasRoom else { return nil }
        let drawing = board.state.locked { $0.drawings.text(order) }
        if drawing == nil { board.work.wake() }
        guard case .text(let bitmap)? = drawing else { return nil }
        return bitmap
    }

    /// What a view wants drawn of its words, in the place of what it wanted before; `onReady` tells when to look again.
    func want(_ wanted: WordsWanted, by view: ObjectIdentifier) {
        if worker == nil { return }
        let hasWork = board.state.locked { state in
            state.drawings.want(wanted, by: view)
            return state.drawings.hasWork
        }
        if hasWork { board.work.wake() }
    }

    /// nil: not drawn. It is not asked for by that.
    func line(_ order: LyricsLineOrder) -> LyricsLine? {
        guard case .line(let line)? = board.state.locked({ $0.drawings.words(.line(order)) }) else { return nil }
        return line
    }

    /// nil: not drawn.
    func frame(_ order: SubtitleOrder) -> SubtitleFrame? {
        guard case .frame(let frame)? = board.state.locked({ $0.drawings.words(.frame(order)) }) else { return nil }
        return frame
    }

    /// What was made before will not be asked for again.
    func forget() { board.state.locked { $0.drawings.forget() } }

    /// Rises each time that bitmaps were made.
    var generation: Int { board.state.locked { $0.drawings.generation } }

    public enum Settled { case settled, stillBusy }

    /// Something was asked for, and is not made.
    public var isBusy: Bool { lyrics.isBusy || board.state.locked { $0.isBusy } }

    /// Waits until all that was asked for is made, and words are read; who draws them asks for more then.
    public func settle(within limit: Int64) -> Settled {
        let deadline = monotonicNanoseconds() + limit
        guard lyrics.settle(within: limit) else { return .stillBusy }
        return board.state.wait(on: board.idle) { state -> Wait<Settled> in
            if !state.isBusy { return .done(.settled) }
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

/// What the text thread and its customers share.
private final class Board: Sendable {
    let state = Monitor(State())
    let work = WakeCondition()
    let idle = WakeCondition()

    struct State {
        var drawings = DrawingBoard()
        /// The text thread draws, or tells.
        var isAtWork = false
        /// `onReady` was called for all that is made.
        var isReported = true
        var isStopping = false

        var isBusy: Bool { isAtWork || !isReported || drawings.hasWork }
    }
}

private enum TextTask {
    case draw(DrawingOrder)
    /// There is nothing else to draw.
    case notify
    case end
}

private func makeTexts(_ board: Board, _ onReady: () -> Void) {
    // Not before the first order: a wall without texts never looks at the fonts.
    var renderer: TextRenderer?
    let subtitles = SubtitleRenderers()
    while true {
        switch nextTask(board) {
        case .draw(let order):
            if renderer?.measured.areTooMany ?? true { renderer = TextRenderer() }
            let drawing: Drawing =
                switch order {
                case .text(let order): .text(renderer?.draw(order) ?? .empty)
                case .line(let order): .line(renderer?.draw(order) ?? .empty)
                case .frame(let order): .frame(subtitles.draw(order))
                }
            board.state.locked { state in
                state.drawings.keep(drawing, for: order)
                state.isReported = false
            }
        case .notify: onReady()
        case .end: return
        }
    }
}

private func nextTask(_ board: Board) -> TextTask {
    board.state.locked { $0.isAtWork = false }
    board.idle.wake()
    return board.state.wait(on: board.work) { state -> Wait<TextTask> in
        if state.isStopping { return .done(.end) }
        if let order = state.drawings.take() {
            state.isAtWork = true
            return .done(.draw(order))
        }
        // What was ordered last may not be wanted any more: it is told all the same.
        if state.isReported { return .again(deadline: nil) }
        (state.isReported, state.isAtWork) = (true, true)
        return .done(.notify)
    }
}
