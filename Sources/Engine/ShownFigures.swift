import Base
import Feeds
import Media
import Threads

/// Measures frames that are on the screen, on a thread of its own that starts with the first order.
///
/// When a scene is about to be shown, the wall orders that its frames be measured, one order at a time.
final class ShownFigures: Sendable {
    private let tasks = TaskQueue("figures")
    /// Two converters for each pair, by the pair's index. Used by the thread "figures" only.
    private let converters = Locked<[FrameConverter]>([])

    /// `answer` is called on the thread "figures", or at once, with nil for each pair, if that thread takes no order.
    func measure(_ order: FiguresOrder, answer: @escaping @Sendable ([FiguresOrder.Answer?]) -> Void) {
        let isTaken = tasks.add { [converters] in
            let answers = converters.locked { converters in
                while converters.count < 2 * order.pairs.count { converters.append(FrameConverter()) }
                return order.pairs.enumerated().map { place, pair in
                    Self.answer(pair, converters[2 * place], converters[2 * place + 1])
                }
            }
            answer(answers)
        }
        if !isTaken { answer(order.pairs.map { _ in nil }) }
    }

    func stop(within limit: Int64) -> Worker.JoinResult { tasks.stop(within: limit) }

    /// Returns nil if the pair can't be measured.
    private static func answer(
        _ pair: FiguresOrder.Pair, _ references: FrameConverter, _ others: FrameConverter
    ) -> FiguresOrder.Answer? {
        guard let first = pair.reference.original, let second = pair.other.original else { return nil }
        do throws(SourceTrouble) {
            var reference = try CodecFrame(first), other = try CodecFrame(second)
            let isMapped = !first.colorimetry.isComparable(with: second.colorimetry)
            if isMapped {
                let space = SpaceConverter(.sdr)
                (reference, other) = (try space.codecFrame(of: reference), try space.codecFrame(of: other))
            }
            // Orientation of the other frame relative to the reference on screen, by their containers and the layout.
            let orientation = second.orientation.then(first.orientation.undone)
            let from = FrameShape(of: other).compared(orientation), to = FrameShape(of: reference).comparable
            let reached = to.reached(from: from)
            let pair = FramePair(
                reference: try references.codecFrame(reference, as: to),
                other: try others.codecFrame(other, as: to, oriented: orientation)
            )
            let words = from.words(convertedTo: reached, isMapped: isMapped)
            return FiguresOrder.Answer(
                pair.figures(), words.map { FiguresOrder.Conversion(from: $0.own, to: $0.target) })
        } catch {
            return nil
        }
    }
}
