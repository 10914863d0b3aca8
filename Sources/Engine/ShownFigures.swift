import Base
import Decoded
import Feeds
import Media
import Threads

/// Measures frames that are on the screen, on a thread of its own that starts with the first order.
///
/// When a scene is about to be shown, the wall orders that its frames be measured, one order at a time.
final class ShownFigures: Sendable {
    private let tasks = TaskQueue("figures")
    /// A converter for each pair, by the pair's index. Used by the thread "figures" only.
    private let converters = Locked<[PairConverter]>([])

    /// `answer` is called on the thread "figures", or at once, with nil for each pair, if that thread takes no order.
    func measure(_ order: FiguresOrder, answer: @escaping @Sendable ([FiguresOrder.Answer?]) -> Void) {
        let isTaken = tasks.add { [converters] in
            let answers = converters.locked { converters in
                while converters.count < order.pairs.count { converters.append(PairConverter()) }
                return zip(order.pairs, converters).map(Self.answer)
            }
            answer(answers)
        }
        if !isTaken { answer(order.pairs.map { _ in nil }) }
    }

    func stop(within limit: Int64) -> [String] { tasks.stop(within: limit) }

    /// Returns nil if the pair can't be measured.
    private static func answer(_ pair: FiguresOrder.Pair, by converter: PairConverter) -> FiguresOrder.Answer? {
        guard let first = pair.reference.frame.original, let second = pair.other.frame.original else { return nil }
        do throws(SourceTrouble) {
            let isMapped = !first.colorimetry.isComparable(with: second.colorimetry)
            // Orientation of the other frame relative to the reference on screen, by their containers and the layout.
            let orientation = second.orientation.then(first.orientation.undone)
            func alike(_ reference: CodecFrame, _ other: CodecFrame) throws(SourceTrouble) -> FramePair {
                try converter.pair(
                    reference, other, as: FrameShape(of: reference).comparable, oriented: orientation)
            }
            let reference = try samples(of: pair.reference, first, isMapped: isMapped)
            let other = try samples(of: pair.other, second, isMapped: isMapped)
            let from = FrameShape(of: other.codecFrame).compared(orientation)
            let reached = FrameShape(of: reference.codecFrame).comparable.reached(from: from)
            let words = from.words(convertedTo: reached, isMapped: isMapped)
            let now = try alike(reference.codecFrame, other.codecFrame)
            var shifts: [Double]?
            if let before = pair.before, let one = before.reference.frame.original,
                let two = before.other.frame.original
            {
                let earlier = try samples(of: before.other, two, isMapped: isMapped).codecFrame
                let former = try samples(of: before.reference, one, isMapped: isMapped).codecFrame
                let errors = [
                    try alike(reference.codecFrame, earlier).error(), now.error(),
                    try alike(former, other.codecFrame).error(),
                ]
                shifts = [.infinity] + errors + [.infinity]
            }
            return FiguresOrder.Answer(
                now.figures(), words.map { "\($0.own) as \($0.target)" }, referencePart: reference.part,
                otherPart: other.part, shifts: shifts)
        } catch { return nil }
    }

    /// Returns the measured samples of a frame. `part`: their place in the frame as it is stored; nil for all of it.
    /// `isMapped`: true if the colours are mapped to an SDR display.
    private static func samples(
        of side: FiguresOrder.Side, _ original: Frame.Original, isMapped: Bool
    ) throws(SourceTrouble) -> (codecFrame: CodecFrame, part: Rect?) {
        let (codecFrame, part) = try CodecFrame.part(side.crop, of: original)
        return (isMapped ? try SpaceConverter(.sdr).codecFrame(of: codecFrame) : codecFrame, part)
    }
}
