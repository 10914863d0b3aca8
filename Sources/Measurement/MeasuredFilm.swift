import Base

/// Figures of one film against the reference: a row for each frame of the reference, in order.
public struct MeasuredFilm: Sendable {
    /// Name of the film, as it was given.
    public let source: String
    public let offset: Time
    /// Offset in frames, to the nearest whole number; nil if the film's rate differs from the reference's.
    public let frames: Int64?
    public private(set) var rows: [Row] = []
    public var fit = ShiftedFit()

    public struct Row: Hashable, Sendable {
        /// Time in the reference.
        public let time: Time
        /// nil if no frame of the film belongs to this one.
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

    /// Adds one score for each measured frame.
    public mutating func add(vmaf scores: [Double]) {
        let measured = rows.indices.filter { rows[$0].figures != nil }
        for (row, score) in zip(measured, scores) { rows[row].figures?.vmaf = score }
    }

    public var measured: [FrameFigures] { rows.compactMap(\.figures) }

    /// nil if nothing was measured.
    public var mean: FrameFigures? { FrameFigures(meanOf: measured) }

    /// Returns a percentile of the frames' values, by the nearest rank; nil if nothing was measured.
    public func percentile(_ percent: Int, _ name: FrameFigures.Name) -> Double? {
        Measurement.percentile(percent, of: measured.compactMap { $0[name] })
    }

    /// Offset at which the film fits clearly better; nil if none is known. The frames of the reference tell the length
    /// of a frame.
    public var betterOffset: Time? {
        guard let shift = fit.better, rows.count > 1 else { return nil }
        let frame = Time(ticks: (rows[rows.count - 1].time - rows[0].time).ticks / Int64(rows.count - 1))
        return offset + frame * Int64(shift.frames)
    }

    /// True if every frame equals the reference's, sample by sample.
    public var isEqual: Bool { lowest(.psnrAverage)?.value == .infinity }

    /// Returns the first frame with the lowest value; nil if nothing was measured.
    public func lowest(_ name: FrameFigures.Name) -> Place? {
        let places = rows.enumerated().compactMap { frame, row in
            row.figures?[name].map { Place(frame: frame, time: row.time, value: $0) }
        }
        return places.min { $0.value < $1.value }
    }
}

/// Returns the percentile of values by the nearest rank: the lowest value that at least `percent` hundredths of the
/// values do not exceed. `percent`: from 1 to 100. nil if there are no values.
public func percentile(_ percent: Int, of values: [Double]) -> Double? {
    let rank = (values.count * percent + 99) / 100
    return rank > 0 ? values.sorted()[rank - 1] : nil
}

extension MeasuredFilm {
    /// Columns of a plot, at most `most`: the place of each, from 0 to 1 of the width, and its frames.
    public func columns(most: Int) -> [(place: Double, frames: Range<Int>)] {
        guard let first = rows.first?.time, let last = rows.last?.time else { return [] }
        let width = min(most, rows.count)
        return (0..<width).map { column in
            let frames = rows.count * column / width..<rows.count * (column + 1) / width
            let time = rows[frames.lowerBound].time
            return (last > first ? (time - first).seconds / (last - first).seconds : 0.5, frames)
        }
    }

    /// Returns the lowest and the highest value of some frames, and the highest finite one; nil if none was measured.
    public func range(
        _ name: FrameFigures.Name, of frames: Range<Int>
    ) -> (least: Double, most: Double, mostFinite: Double?)? {
        let values = rows[frames].compactMap { $0.figures?[name] }
        guard let least = values.min(), let most = values.max() else { return nil }
        return (least, most, values.filter(\.isFinite).max())
    }
}
