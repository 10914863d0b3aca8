import Base
import Expectations
import Testing

@testable import Screen

/// The orders that the text thread draws, their sequence, and the drawings that are kept.
@Suite struct DrawingBoardTests {
    private let left = Owner(), right = Owner()

    private final class Owner {
        var id: ObjectIdentifier { ObjectIdentifier(self) }
    }

    private func line(_ number: Int, width: Int = 100) -> DrawingOrder {
        .line(
            LyricsLineOrder(
                syllables: [.init(text: "\(number)")], height: 10, maxWidth: width, color: .black, sung: .black))
    }

    private func text(_ name: String) -> TextOrder { TextOrder(text: name, height: 10, maxWidth: 100, style: .plain) }

    /// A drawing that takes `mebibytes`.
    private func drawing(mebibytes: Int) -> any Drawing {
        let bitmap = TextBitmap(size: Size(1024, 128 * mebibytes), pixels: [])
        return LyricsLine(plain: bitmap, sung: bitmap, rows: [])
    }

    /// Draws until no order is left. Returns the orders drawn.
    private func work(_ board: inout DrawingBoard, mebibytes: Int = 0) -> [DrawingOrder] {
        var taken: [DrawingOrder] = []
        while taken.count < 100, let order = board.take() {
            board.keep(drawing(mebibytes: mebibytes), for: order)
            taken.append(order)
        }
        return taken
    }

    private func made(_ orders: [DrawingOrder], _ board: inout DrawingBoard) -> [DrawingOrder] {
        var made: [DrawingOrder] = []
        for order in orders where board.words(order) != nil { made.append(order) }
        return made
    }

    @Test func whatIsNotWantedAnyMoreIsNotDrawn() {
        var board = DrawingBoard()
        for time in 0..<300 { board.want(WordsWanted(now: [line(time)], soon: [line(time + 1)]), by: left.id) }
        let taken = work(&board)
        expect(taken, equals: [line(299), line(300)])
        board.want(WordsWanted(now: [line(301)]), by: left.id)
        board.want(WordsWanted(), by: left.id)
        expect(!board.hasWork)
    }

    @Test func whatIsShownNowComesFirstAndTheViewsTakeTurns() {
        var board = DrawingBoard()
        board.want(WordsWanted(now: [line(1)], soon: [line(2), line(3)]), by: left.id)
        board.want(WordsWanted(now: [line(11)], soon: [line(12), line(13)]), by: right.id)
        let taken = work(&board)
        expect(taken, equals: [1, 11, 2, 12, 3, 13].map { line($0) })
    }

    /// Each drawing takes longer than a present.
    @Test func aViewThatWantsAnotherFrameWithEachPresentLeavesTheOtherItsTurn() {
        var board = DrawingBoard()
        var taken: [DrawingOrder] = []
        for time in 0..<6 {
            board.want(WordsWanted(now: [line(time)], soon: [line(time + 1)]), by: left.id)
            board.want(WordsWanted(now: [line(100 + time)], soon: [line(101 + time)]), by: right.id)
            guard let order = board.take() else { continue }
            board.keep(drawing(mebibytes: 0), for: order)
            taken.append(order)
        }
        expect(taken, equals: [0, 101, 2, 103, 4, 105].map { line($0) })
    }

    /// Three drawings of so many MiB are shown now. Of those shown soon, as many are drawn as have room.
    @Test(arguments: [(1, 9), (5, 7), (8, 4), (20, 3), (90, 3)])
    func whatIsWantedIsDrawnOnceHoweverLargeItIs(_ mebibytes: Int, _ count: Int) {
        var board = DrawingBoard()
        let now = (1...3).map { line($0) }, soon = (11...16).map { line($0) }
        for _ in 0..<5 {
            board.want(WordsWanted(now: now, soon: soon), by: left.id)
            _ = work(&board, mebibytes: mebibytes)
            let there = made(now + soon, &board)
            expect(there, equals: Array((now + soon).prefix(count)))
        }
        expect(board.generation, equals: count)
        // Drawings that are no longer wanted are dropped.
        for number in 20...21 {
            board.want(WordsWanted(now: [line(number)]), by: left.id)
            _ = work(&board, mebibytes: mebibytes)
        }
        let kept = made((1...30).map { line($0) }, &board).count
        expect(kept * mebibytes, atMost: max(DrawingBoard.mostBytes >> 20, mebibytes), "\(kept)")
    }

    @Test func wordsTakeNoRoomFromTextsNorTheyFromThem() {
        var board = DrawingBoard()
        _ = board.text(text("a"))
        board.want(WordsWanted(now: [line(1), line(2)]), by: left.id)
        let first = board.take()
        expect(first, equals: DrawingOrder.text(text("a")))
        board.keep(TextBitmap.empty, for: .text(text("a")))
        _ = work(&board, mebibytes: 40)
        let small = board.text(text("a"))
        expect(small != nil)
        _ = board.text(text("b"))
        let large = TextBitmap(size: Size(3000, 3000), pixels: [UInt32](repeating: 0, count: 9_000_000))
        board.keep(large, for: .text(text("b")))
        let kept = made([line(1), line(2)], &board)
        expect(kept.count, equals: 2)
        let (gone, there) = (board.text(text("a")), board.text(text("b")))
        expect(gone == nil && there != nil)
    }

    @Test func whatHasNoRoomIsNotOrdered() {
        var board = DrawingBoard()
        board.want(WordsWanted(now: [line(1, width: 0)], soon: [line(2, width: 0)]), by: left.id)
        expect(!board.hasWork)
    }
}
