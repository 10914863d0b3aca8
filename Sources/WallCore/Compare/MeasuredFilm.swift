/// What was measured of one film beside the reference: a row for each frame of the reference, in order.
public struct MeasuredFilm: Sendable {
    /// As it was named.
    public let source: String
    public let offset: Time
    /// The offset in frames, to the nearest whole number; nil: it is a film of another rate than the reference.
    public let frames: Int64?
    public private(set) var rows: [Row] = []

    public struct Row: Hashable, Sendable {
        /// In the reference.
        public let time: Time
        /// nil: no frame of the film belongs to it.
        public var figures: FrameFigures?
    }

    /// A frame by its number, from 0.
    public struct Place: Hashable, Sendable {
        public let frame: Int
        public let time: Time
        public let value: Double
    }

    public init(source: String, offset: Time, frames: Int64? = nil) {
        (self.source, self.offset, self.frames) = (source, offset, frames)
    }

    public mutating func addRow(at time: Time) { rows.append(Row(time: time)) }

    public subscript(frame: Int) -> FrameFigures? {
        get { rows[frame].figures }
        set { rows[frame].figures = newValue }
    }

    /// One score for each frame that was measured.
    public mutating func add(vmaf scores: [Double]) {
        let measured = rows.indices.filter { rows[$0].figures != nil }
        for (row, score) in zip(measured, scores) { rows[row].figures?.vmaf = score }
    }

    public var measured: [FrameFigures] { rows.compactMap(\.figures) }

    /// nil: nothing was measured.
    public var mean: FrameFigures? { FrameFigures(meanOf: measured) }

    /// Every frame is the reference's, sample by sample.
    public var isEqual: Bool { lowest(.psnrAverage)?.value == .infinity }

    /// The first frame with the lowest value. nil: nothing was measured.
    public func lowest(_ name: FrameFigures.Name) -> Place? {
        var lowest: Place?
        for (frame, row) in rows.enumerated() {
            guard let value = row.figures?[name], value < lowest?.value ?? .infinity || lowest == nil else { continue }
            lowest = Place(frame: frame, time: row.time, value: value)
        }
        return lowest
    }
}
