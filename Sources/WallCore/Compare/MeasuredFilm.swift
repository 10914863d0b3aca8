/// What was measured of one film beside the reference: a row for each picture of the reference, in order.
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
        /// nil: no picture of the film belongs to it.
        public var figures: PictureFigures?
    }

    /// A picture by its number, from 0.
    public struct Place: Hashable, Sendable {
        public let picture: Int
        public let time: Time
        public let value: Double
    }

    public init(source: String, offset: Time, frames: Int64? = nil) {
        (self.source, self.offset, self.frames) = (source, offset, frames)
    }

    public mutating func addRow(at time: Time) { rows.append(Row(time: time)) }

    public subscript(picture: Int) -> PictureFigures? {
        get { rows[picture].figures }
        set { rows[picture].figures = newValue }
    }

    /// One score for each picture that was measured.
    public mutating func add(vmaf scores: [Double]) {
        let measured = rows.indices.filter { rows[$0].figures != nil }
        for (row, score) in zip(measured, scores) { rows[row].figures?.vmaf = score }
    }

    public var measured: [PictureFigures] { rows.compactMap(\.figures) }

    /// nil: nothing was measured.
    public var mean: PictureFigures? { PictureFigures(meanOf: measured) }

    /// Every picture is the reference's, sample by sample.
    public var isEqual: Bool { lowest(.psnrAverage)?.value == .infinity }

    /// The first picture with the lowest value. nil: nothing was measured.
    public func lowest(_ name: PictureFigures.Name) -> Place? {
        var lowest: Place?
        for (picture, row) in rows.enumerated() {
            guard let value = row.figures?[name], value < lowest?.value ?? .infinity || lowest == nil else { continue }
            lowest = Place(picture: picture, time: row.time, value: value)
        }
        return lowest
    }
}
