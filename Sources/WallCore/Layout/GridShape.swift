extension GridLayout {
    /// The size of a window in which these frames leave no background beside them: the largest of that shape within
    /// the usual window. Of frames of unlike shapes the middle one counts. nil: there are none.
    public func windowSize(for frames: [Size]) -> Size? {
        let shapes = frames.filter { !$0.isEmpty }.map { Double($0.width) / Double($0.height) }.sorted()
        guard !shapes.isEmpty else { return nil }
        // The mean by ratio, as of 16:9 and 9:16 it is 1:1.
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
