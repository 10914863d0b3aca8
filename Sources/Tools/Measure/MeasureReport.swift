import Base
import Console
import Measurement
import Media

/// Everything that `measure` found out, and the files made of it.
struct MeasureReport {
    /// Format of a file of measurements, which its extension states.
    enum Format: String { case html, csv, json }

    /// Films that were compared, the reference first.
    let compared: [FilmComparison.Film]
    let measured: FilmComparison.Measured
    /// Sizes of the files, the reference's first.
    let sizes: [FileSize]
    let space: ComparisonSpace
    /// Sentences about conversions, lacks and damage, as they were printed.
    let remarks: [String]

    /// Name without secrets.
    var reference: String { compared[0].name }
    var films: [MeasuredFilm] { measured.films }

    /// Requested figures, whether the films have such planes or not.
    var names: [FrameFigures.Name] {
        if space == .linear { return [.psnrAverage] }
        let hasVMAF = films.contains { $0.mean?[.vmaf] != nil }
        return FrameFigures.Name.allCases.filter { $0 != .vmaf || hasVMAF }
    }

    /// Name of a figure. Luminance has a name of its own, since its figures can't be compared with those of code
    /// values.
    func label(_ name: FrameFigures.Name) -> String { space == .linear ? "psnr-pq" : name.rawValue }

    func bytes(as format: Format) -> [UInt8] {
        switch format {
        case .csv: csv
        case .json: json
        case .html: page
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
        JSONWriter.line(
            value(figure: { $0.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }) { index, figures in
                func rows(_ number: String) -> PropertyValue {
                    .list(
                        films[index].rows.enumerated().map { frame, row in
                            ([number: .integer(frame), "time": .number(row.time.seconds)] as PropertyValue)
                                .adding(figures(row.figures))
                        })
                }
                // "pictures" is an older name of the same rows.
                return ["frames": rows("frame"), "pictures": rows("picture")]
            })
    }

    /// The report as an object. `figure`: value of a figure. `frames`: what it states of the frames of each film.
    private func value(
        figure: @escaping (Double?) -> PropertyValue,
        frames: (_ film: Int, (FrameFigures?) -> PropertyValue) -> PropertyValue
    ) -> PropertyValue {
        let names = names
        func object(_ value: (FrameFigures.Name) -> Double?) -> PropertyValue {
            .object(names.map { PropertyField(label($0), figure(value($0))) })
        }
        func head(_ name: String, _ source: String, _ more: PropertyValue, _ index: Int) -> PropertyValue {
            let film = compared[index], part = film.crop.pixels(in: film.source.facts.stored)
            let crop = [part.x, part.y, part.width, part.height].map(PropertyValue.integer)
            return ([name: .text(source)] as PropertyValue).adding(more)
                .adding(["crop": film.crop == .all ? .null : .list(crop)]).adding(sizes[index].json)
        }
        let others = films.enumerated().map { index, film -> PropertyValue in
            let offsets: PropertyValue = [
                "offset": .number(film.offset.seconds), "offset-frames": .integerOrNull(film.frames.map { Int($0) }),
                "better-offset": figure(film.betterOffset?.seconds), "better-by": figure(film.fit.better?.gain),
            ]
            let percentiles = Self.percentiles.map { percent in
                PropertyField("percentile-\(percent)", object { film.percentile(percent, $0) })
            }
            let figures: PropertyValue = [
                "colorimetry": measured.traits[index + 1]?.colorimetry.json ?? .null, "mean": object { film.mean?[$0] },
            ]
            return head("source", film.source, offsets, index + 1).adding(figures).adding(.object(percentiles))
                .adding(frames(index) { row in object { row?[$0] } })
        }
        return head("reference", reference, [:], 0).adding([
            "space": .text(space.rawValue), "colorimetry": measured.traits.first??.colorimetry.json ?? .null,
            "others": .list(others),
        ])
    }

    /// Most worst frames of each film.
    static let mostWorst = 5
    /// Largest size of a page of five films, and growth for each further film, in bytes. Crops of noise, which PNG does
    /// not compress, stay below the growth.
    private static let (mostBytes, bytesOfFilm) = (5_000_000, 1_000_000)

    /// Measurements as one page that needs no network: means, curves over time, and the worst frames.
    ///
    /// The page shows as many frames as fit into its limit: first the worst of each film, then the second worst of each,
    /// and so on. Encodes images, which takes some time.
    private var page: [UInt8] {
        var shown = films.map { _ in [PropertyValue]() }
        var left = Self.mostBytes + Self.bytesOfFilm * max(0, films.count - 5) - page(shown).count
        rank: for rank in 0..<Self.mostWorst {
            for film in films.indices where rank < measured.worst[film].all.count {
                let frame = frame(measured.worst[film].all[rank], of: films[film])
                let bytes = JSONWriter.bytes(of: frame).count + 1
                guard bytes <= left else { break rank }
                left -= bytes
                shown[film].append(frame)
            }
        }
        return page(shown)
    }

    /// `shown`: worst frames of each film.
    private func page(_ shown: [[PropertyValue]]) -> [UInt8] {
        func texts(_ texts: [String]) -> PropertyValue { .list(texts.map { .text($0.printable) }) }
        func file(_ name: String, _ index: Int) -> PropertyValue {
            let size = sizes[index]
            return [
                "name": .text(name.printable), "size-text": .textOrNull(size.sizeText),
                "bitrate-text": .textOrNull(size.rateText),
            ]
        }
        let columns = films[0].columns(most: 900)
        let report = value(figure: PropertyValue.numberOrNull) { index, _ in
            let film = films[index]
            let lowest = names.compactMap { name -> PropertyField? in
                guard let lowest = film.lowest(name), lowest.value.isFinite, !(film.isEqual && name == .ssim)
                else { return nil }
                return PropertyField(
                    label(name),
                    [
                        "value": .number(lowest.value), "frame": .integer(lowest.frame),
                        "time": .number(lowest.time.seconds),
                    ])
            }
            let ranges = names.map { name in
                let ranges = columns.map { column -> PropertyValue in
                    guard let (least, most, finite) = film.range(name, of: column.frames) else { return .null }
                    return .list([.number(least), .number(most), .numberOrNull(finite)])
                }
                return PropertyField(label(name), .list(ranges))
            }
            let more: PropertyValue = [
                "measured": .integer(film.measured.count), "rows": .integer(film.rows.count),
                "colours": texts(MeasureText.colours(measured.traits[index + 1], measured.traits.first ?? nil, space)),
                "lowest": .object(lowest), "columns": .object(ranges),
                "worst-found": .integer(measured.worst[index].all.count), "worst": .list(shown[index]),
            ]
            return file(film.source, index + 1).adding(more)
        }
        let places = columns.map { place, frames -> PropertyValue in
            let rows = films[0].rows, last = frames.upperBound - 1
            return [
                "place": .number(place), "frame": .integer(frames.lowerBound), "last": .integer(last),
                "time": .number(rows[frames.lowerBound].time.seconds), "until": .number(rows[last].time.seconds),
            ]
        }
        let value = report.adding(file(reference, 0)).adding([
            "version": .text(version), "names": texts(names.map(label)), "remarks": texts(remarks),
            "columns": .list(places),
        ])
        // A name must not end the script element.
        let parts = JSONWriter.bytes(of: value).split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
        let json = String(decoding: Array(parts.joined(separator: "\\u003c".utf8)), as: UTF8.self)
        let lines = (MeasureText.lines(of: self) + remarks).map(\.escapedForHTML)
        return Array(MeasurePage.html(lines: lines.joined(separator: "\n"), json: json).utf8)
    }

    /// A worst frame: crops at full size, their place in the frame, and the whole reference. The differences are four
    /// times as strong, as in the wall's `difference`.
    private func frame(_ worst: WorstFrames<FramePair>.Place, of film: MeasuredFilm) -> PropertyValue {
        let number = film.rows.firstIndex { $0.time == worst.time } ?? 0, row = film.rows[number]
        let figures = names.map { PropertyField(label($0), .numberOrNull(row.figures?[$0])) }
        let words: PropertyValue = [
            "frame": .integer(number), "time": .number(row.time.seconds), "figures": .object(figures),
        ]
        guard let images = PairImages(worst.frame, cropping: Size(320, 192), whole: 160, gain: 4) else { return words }
        func list(_ numbers: Int...) -> PropertyValue { .list(numbers.map(PropertyValue.integer)) }
        func image(_ type: String, _ bytes: [UInt8]) -> PropertyValue {
            .text("data:image/\(type);base64,\(base64(bytes))")
        }
        let crop = images.crop
        return words.adding([
            "crop": list(crop.x, crop.y, crop.width, crop.height),
            "size": list(images.frame.width, images.frame.height),
            "shown": list(images.wholeSize.width, images.wholeSize.height), "whole": image("jpeg", images.whole),
            "reference": image("png", images.reference), "other": image("png", images.other),
            "difference": image("png", images.difference),
        ])
    }
}

extension String {
    /// Text, or value of an attribute, for HTML. Unprintable characters are replaced by their numbers.
    var escapedForHTML: String {
        let entities: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
        ]
        return printable.unicodeScalars.map { entities[$0] ?? String($0) }.joined()
    }
}
