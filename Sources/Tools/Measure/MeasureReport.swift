import Base
import Console
import Measurement
import Media

/// Everything that `measure` found out, and the files made of it.
struct MeasureReport {
    /// Name without secrets.
    let reference: String
    let films: [MeasuredFilm]
    /// Sizes of the files, the reference's first.
    let sizes: [FileSize]
    let worst: [WorstFrames<FramePair>]
    /// Coded traits of the films, the reference first; nil if no frame of one was compared.
    let traits: [CodedTraits?]
    let space: ComparisonSpace
    /// Sentences about conversions, lacks and damage, as they were printed.
    let remarks: [String]
    /// Measured part of each film, in pixels of its upright frames, the reference's first; nil for whole frames.
    let parts: [Rect?]

    /// Requested figures, whether the films have such planes or not.
    var names: [FrameFigures.Name] {
        if space == .linear { return [.psnrAverage] }
        let hasVMAF = films.contains { $0.mean?[.vmaf] != nil }
        return FrameFigures.Name.allCases.filter { $0 != .vmaf || hasVMAF }
    }

    /// Name of a figure. Luminance has a name of its own, since its figures can't be compared with those of code
    /// values.
    func label(_ name: FrameFigures.Name) -> String { space == .linear ? "psnr-pq" : name.rawValue }

    func bytes(as format: MeasureOptions.Format) -> [UInt8] {
        switch format {
        case .csv: csv
        case .json: json
        case .html: Array(MeasureHTML(self).text.utf8)
        }
    }

    /// Percentiles of a film that are reported.
    static let percentiles = [1, 5]

    /// A row for each frame of the reference. A value is empty if the other film has no frame for it, or no such plane.
    private var csv: [UInt8] {
        let names = names
        var text = (["other", "picture", "time"] + names.map(label)).joined(separator: ",") + "\n"
        for film in films {
            let source = film.source.csvField
            for (frame, row) in film.rows.enumerated() {
                text += "\(source),\(frame),\(row.time.seconds.sixDecimals)"
                for name in names { text += "," + (row.figures?[name]?.sixDecimals ?? "") }
                text += "\n"
            }
        }
        return Array(text.utf8)
    }

    private var json: [UInt8] {
        let names = names
        func number(_ value: Double?) -> PropertyValue {
            value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
        }
        func fields(_ figures: FrameFigures?) -> [PropertyField] {
            names.map { PropertyField(label($0), number(figures?[$0])) }
        }
        func crop(_ index: Int) -> PropertyField {
            PropertyField(
                "crop",
                parts[index].map { .list([$0.x, $0.y, $0.width, $0.height].map { .integer($0) }) } ?? .null)
        }
        let others = films.indices.map { index -> PropertyValue in
            let (film, traits) = (films[index], traits[index + 1])
            func rows(_ number: String) -> PropertyValue {
                .list(
                    film.rows.enumerated().map { frame, row in
                        .object(
                            [PropertyField(number, .integer(frame)), PropertyField("time", .number(row.time.seconds))]
                                + fields(row.figures))
                    })
            }
            let percentiles = Self.percentiles.map { percent in
                let values = names.map { PropertyField(label($0), number(film.percentile(percent, $0))) }
                return PropertyField("percentile-\(percent)", .object(values))
            }
            return .object(
                [
                    PropertyField("source", .text(film.source)),
                    PropertyField("offset", .number(film.offset.seconds)),
                    PropertyField("offset-frames", film.frames.map { .integer(Int($0)) } ?? .null),
                    PropertyField("better-offset", number(film.betterOffset?.seconds)),
                    PropertyField("better-by", number(film.fit.better?.gain)), crop(index + 1),
                ] + sizes[index + 1].json + [
                    PropertyField("colorimetry", traits?.colorimetry.json ?? .null),
                    PropertyField("mean", .object(fields(film.mean))),
                ] + percentiles + [
                    PropertyField("frames", rows("frame")),
                    // Older name of the same rows.
                    PropertyField("pictures", rows("picture")),
                ])
        }
        return JSONWriter.line(
            [PropertyField("reference", .text(reference)), crop(0)] + sizes[0].json + [
                PropertyField("space", .text(space.rawValue)),
                PropertyField("colorimetry", traits.first??.colorimetry.json ?? .null),
                PropertyField("others", .list(others)),
            ])
    }
}
