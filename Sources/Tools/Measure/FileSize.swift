import Base
import Glibc
import Media

/// Size of a measured file and its bits a second.
struct FileSize {
    /// nil for a source that is no file.
    let bytes: Int64?
    /// nil for an image, and if neither the video nor the file states it.
    let bitRate: Int?
    let basis: Basis

    /// Extent of the bit rate: the video stream alone, or the whole file.
    enum Basis: String { case video, file }

    /// `source`: name as it was given.
    init(of source: String, _ facts: SourceFacts) {
        var status = stat()
        let isFile = SourceName.path(of: source).map { stat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG }
        bytes = isFile ?? false ? Int64(status.st_size) : nil
        if let stated = facts.bitRate {
            (bitRate, basis) = (stated, .video)
        } else if let bytes, facts.kind != .still, let length = facts.length, length > .zero {
            (bitRate, basis) = (Int((Double(bytes) * 8 / length.seconds).rounded()), .file)
        } else {
            (bitRate, basis) = (nil, .video)
        }
    }

    /// Such as "12.34 MB".
    var sizeText: String? { bytes.map { Self.text(Double($0), ["bytes", "kB", "MB", "GB", "TB"]) } }

    /// Such as "850 kbit/s", with "(file)" if sound and container are counted, too.
    var rateText: String? {
        bitRate.map {
            Self.text(Double($0), ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"]) + (basis == .file ? " (file)" : "")
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
            "bitrate-of": bitRate == nil ? .null : .text(basis.rawValue),
        ]
    }
}
