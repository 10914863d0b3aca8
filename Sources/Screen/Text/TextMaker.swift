import Media
import Threads

/// Draws texts as bitmaps, on a thread that owns libass and fontconfig: their first scan of the fonts can take seconds.
///
/// Any thread may call any method. Only `settle` and `stop` wait. Its creator stops it. If the system has no thread for
/// it, no text is ever drawn.
public final class TextMaker: Sendable {
    /// The lyrics that it draws.
    public let lyrics: LyricsLibrary
    private let board = Locked(Board())
    private let worker: Worker?

    /// `onReady`: called on any thread each time that requested bitmaps were drawn, or lyrics were read.
    public init(onReady: @escaping @Sendable () -> Void) {
        lyrics = LyricsLibrary(onReady: onReady)
        worker = try? Worker("text", .batch) { [board] in makeTexts(board, onReady) }
    }

    /// Returns a text as a bitmap; nil until it is drawn. The call orders it, and `onReady` is called when it is drawn.
    /// The text is drawn literally, on one line, at most `maxWidth` wide.
    public func bitmap(_ text: String, height: Int, maxWidth: Int, style: TextStyle) -> TextBitmap? {
        let order = TextOrder(text: text, height: height, maxWidth: maxWidth, style: style)
        guard worker != nil, DrawingOrder.text(order).hasRoom else { return nil }
        let drawing = board.locked { $0.drawings.text(order) }
        if drawing == nil { board.wake() }
        return drawing as? TextBitmap
    }

    /// Replaces what a view wants drawn of its words. `onReady` is called when they are drawn.
    func want(_ wanted: WordsWanted, by view: ObjectIdentifier) {
        if worker == nil { return }
        let hasWork = board.locked { board in
            board.drawings.want(wanted, by: view)
            return board.drawings.hasWork
        }
        if hasWork { board.wake() }
    }

    /// nil until the line is drawn. The call orders nothing.
    func line(_ order: LyricsLineOrder) -> LyricsLine? { words(.line(order)) as? LyricsLine }

    /// nil until the frame is drawn. The call orders nothing.
    func frame(_ order: SubtitleOrder) -> SubtitleFrame? { words(.frame(order)) as? SubtitleFrame }

    private func words(_ order: DrawingOrder) -> (any Drawing)? { board.locked { $0.drawings.words(order) } }

    /// Drops the drawings, which will not be asked for again.
    func forget() { board.locked { $0.drawings.forget() } }

    /// Rises each time that bitmaps were made.
    var generation: Int { board.locked { $0.drawings.generation } }

    public enum Settled { case settled, stillBusy }

    /// True if something was ordered and is not drawn.
    public var isBusy: Bool { lyrics.isBusy || board.locked { $0.isBusy } }

    /// Waits until all orders are drawn and lyrics are read. The caller may then order more.
    public func settle(within limit: Int64) -> Settled {
        let deadline = monotonicNanoseconds() + limit
        guard lyrics.settle(within: limit) else { return .stillBusy }
        return board.wait(by: deadline) { $0.isBusy ? nil : .settled } ?? .stillBusy
    }

    /// Ends the threads. A font scan that is under way is not waited for longer than `limit`. Returns the names of the
    /// threads that have not ended.
    @discardableResult
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        board.change { $0.isStopping = true }
        let end = monotonicNanoseconds() + limit
        let missing = lyrics.stop(within: limit)
        return missing + (worker?.join(within: max(0, end - monotonicNanoseconds())) ?? [])
    }
}

/// State that the text thread shares with its callers.
private struct Board {
    var drawings = DrawingBoard()
    /// True while the text thread draws or calls `onReady`.
    var isAtWork = false
    /// True if `onReady` was called for all drawings.
    var isReported = true
    var isStopping = false

    var isBusy: Bool { isAtWork || !isReported || drawings.hasWork }
}

private enum TextTask {
    case draw(DrawingOrder)
    /// Calls `onReady`, since nothing else is to be drawn.
    case notify
    case end
}

private func makeTexts(_ board: Locked<Board>, _ onReady: () -> Void) {
    // Made at the first order: a wall without texts never scans the fonts.
    var renderer: TextRenderer?
    let subtitles = SubtitleRenderers()
    while true {
        switch nextTask(board) {
        case .draw(let order):
            if renderer?.measured.areTooMany ?? true { renderer = TextRenderer() }
            let drawing: any Drawing =
                switch order {
                case .text(let order): renderer?.draw(order) ?? TextBitmap.empty
                case .line(let order): renderer?.draw(order) ?? LyricsLine.empty
                case .frame(let order): subtitles.draw(order)
                }
            board.locked { board in
                board.drawings.keep(drawing, for: order)
                board.isReported = false
            }
        case .notify: onReady()
        case .end: return
        }
    }
}

private func nextTask(_ board: Locked<Board>) -> TextTask {
    board.change { $0.isAtWork = false }
    return board.wait { board -> Wait<TextTask> in
        if board.isStopping { return .done(.end) }
        if let order = board.drawings.take() {
            board.isAtWork = true
            return .done(.draw(order))
        }
        // Calls `onReady` even if the last order was withdrawn.
        if board.isReported { return .again(deadline: nil) }
        (board.isReported, board.isAtWork) = (true, true)
        return .done(.notify)
    }
}
