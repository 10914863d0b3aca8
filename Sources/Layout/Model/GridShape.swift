import Base

extension GridLayout {
    /// Returns the largest window size within the usual window that leaves no background beside these frames; nil if
    /// there are none. For frames of different shapes the median counts.
    public func windowSize(for frames: [Size]) -> Size? {
        let shapes = frames.filter { !$0.isEmpty }.map { Double($0.width) / Double($0.height) }.sorted()
        guard !shapes.isEmpty else { return nil }
        // The geometric mean: 16:9 and 9:16 give 1:1.
        let middle = (shapes[(shapes.count - 1) / 2] * shapes[shapes.count / 2]).squareRoot()
        let shape = middle * Double(columns) / Double(rows)
        let usual = WindowLayout().size
        let width = min(Double(usual.width), Double(usual.height) * shape)
        return Size(
            Self.even(width, in: Self.leastSide...usual.width),
            Self.even(width / shape, in: Self.leastSide...usual.height))
    }

    /// Room for marks, however long and narrow the frames are.
    private static let leastSide = 180

    /// Encoders take sides of even length alone.
    private static func even(_ length: Double, in range: ClosedRange<Int>) -> Int {
        min(max(2 * Int((length / 2).rounded()), range.lowerBound), range.upperBound)
    }
}
