import Base
import Console
import Files
import Measurement
import Media

/// Text that `measure` prints: for each film the means, and where it is farthest from the reference.
enum MeasureText {
    static func lines(of report: MeasureReport) -> [String] {
        report.films.indices.flatMap { index -> [String] in
            let film = report.films[index]
            guard let mean = film.mean else { return [] }
            let rows = report.names.filter { mean[$0] != nil }.map { name -> [String] in
                [report.label(name), value(mean[name], name), extremes(film, name)]
            }
            let remarks =
                [sizes(report.sizes[index + 1], report.sizes[0])].compactMap { $0 }
                + colours(report.measured.traits[index + 1], report.measured.traits.first ?? nil, report.space)
            return [heading(of: film, report.reference)] + (remarks + aligned(rows)).map { "  \($0)" }
        }
    }

    private static func heading(of film: MeasuredFilm, _ reference: String) -> String {
        let count = film.measured.count
        let place = film.offset == .zero ? "" : film.offset > .zero ? " ahead" : " behind"
        let offset = place.isEmpty ? "" : ", \(fixed(film.offset.magnitude.seconds, 3)) s\(place)"
        return "\(film.source) beside \(reference)\(offset): \(count) \(count == 1 ? "frame" : "frames")"
    }

    /// Returns the sizes of two files; nil if nothing is known of them.
    private static func sizes(_ size: FileSize, _ reference: FileSize) -> String? {
        guard let words = size.words else { return reference.words.map { "file: the reference \($0)" } }
        return "file: \(words)" + (reference.words.map { "; the reference \($0)" } ?? "")
    }

    /// Returns how a film and the reference were stored, the space in which they are compared, and what the figures do
    /// not take into account.
    static func colours(_ traits: CodedTraits?, _ reference: CodedTraits?, _ space: ComparisonSpace) -> [String] {
        guard let traits, let reference else { return [] }
        let isAlike = traits.words == reference.words
        let both = isAlike ? "both \(traits.words)" : "\(traits.words); the reference \(reference.words)"
        let light = zip([traits, reference], ["the film", "the reference"]).compactMap { traits, name in
            space == .sdr ? nil : traits.colorimetry.light.words.map { "\(name): \($0)" }
        }
        return ["colours: \(both)"] + light + remarks([traits.colorimetry, reference.colorimetry], space)
    }

    private static func remarks(_ both: [SourceColorimetry], _ space: ComparisonSpace) -> [String] {
        switch space {
        case .coded:
            let isUnusual = both.contains { $0.isHDR || $0.isWide }
            let isGuess = both.allSatisfy { $0.assumed.contains(.matrix) } && both[0].matrix != both[1].matrix
            return (isUnusual ? ["figures compare code values"] : [])
                + (isGuess ? ["neither states its matrix: code values are compared"] : [])
        case .sdr:
            let names = ["the film", "the reference"]
            let shown = zip(both, names).compactMap { colorimetry, name -> String? in
                let remarks = colorimetry.remarks(ToneMapping())
                return remarks.isEmpty ? nil : "\(name): \(remarks.joined(separator: ", "))"
            }
            return ["figures compare colours on an SDR display, in BT.709"] + shown
        case .linear: return ["figures compare luminance in nits, encoded by PQ; the white of SDR has 203 nits"]
        }
    }

    static func value(_ value: Double?, _ name: FrameFigures.Name) -> String {
        guard let value else { return "-" }
        guard value.isFinite else { return "inf" }
        switch name {
        case .psnrY, .psnrU, .psnrV, .psnrAverage: return "\(fixed(value, 2)) dB"
        case .ssim: return fixed(value, 5)
        case .vmaf: return fixed(value, 2)
        }
    }

    /// Such as "lowest 28.10 dB in frame 3, at 0.120 s; percentiles 1 %: 30.12 dB, 5 %: 31.40 dB".
    private static func extremes(_ film: MeasuredFilm, _ name: FrameFigures.Name) -> String {
        guard let lowest = film.lowest(name) else { return "" }
        if !lowest.value.isFinite || film.isEqual && name == .ssim { return "all equal" }
        let values = MeasureReport.percentiles.compactMap { percent in
            film.percentile(percent, name).map { "\(percent) %: \(value($0, name))" }
        }
        return "lowest \(value(lowest.value, name)) in frame \(lowest.frame), at \(fixed(lowest.time.seconds, 3)) s; "
            + "percentiles \(values.joined(separator: ", "))"
    }
}

/// Size of a measured file and its bits a second.
struct FileSize {
    /// nil for a source that is no file.
    let bytes: Int64?
    /// nil for an image, and if neither the video nor the file states it.
    let bitRate: Int?
    /// True if the bit rate is that of the whole file, and not of the video stream alone.
    let isRateOfFile: Bool

    /// `source`: name as it was given.
    init(of source: String, _ facts: SourceFacts) {
        bytes = SourceName.path(of: source).flatMap { isFile($0) ? FileIdentity(path: $0)?.size : nil }
        isRateOfFile = facts.bitRate == nil
        let length = facts.kind == .still ? .zero : facts.length ?? .zero
        let rateOfFile = length > .zero ? bytes.map { Int((Double($0) * 8 / length.seconds).rounded()) } : nil
        bitRate = facts.bitRate ?? rateOfFile
    }

    /// Such as "12.34 MB".
    var sizeText: String? { bytes.map { Self.text(Double($0), ["bytes", "kB", "MB", "GB", "TB"]) } }

    /// Such as "850 kbit/s", with "(file)" if sound and container are counted, too.
    var rateText: String? {
        bitRate.map {
            Self.text(Double($0), ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"]) + (isRateOfFile ? " (file)" : "")
        }
    }

    /// Size and rate for a line of text; nil if neither is known.
    var words: String? {
        let known = [sizeText, rateText].compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    private static func text(_ value: Double, _ units: [String]) -> String {
        var (value, unit) = (value, 0)
        while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return "\(fixed(value, unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2)) \(units[unit])"
    }

    var json: PropertyValue {
        [
            "size": .integerOrNull(bytes.map { Int($0) }), "bitrate": .integerOrNull(bitRate),
            "bitrate-of": bitRate == nil ? .null : .text(isRateOfFile ? "file" : "video"),
        ]
    }
}
