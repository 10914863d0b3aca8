/// Colorimetry of a source's samples. Parts that the source does not state are assumed by one rule.
public struct SourceColorimetry: Hashable, Sendable {
    public var matrix: Matrix
    public var range: Range
    public var transfer: Transfer
    public var primaries: Primaries
    /// Parts that the source does not state.
    public var assumed: Parts
    public var light = LightLevels()
    /// nil for a source without Dolby Vision.
    public var dolbyVision: DolbyVision?

    public struct DolbyVision: Hashable, Sendable {
        public let profile: Int
        public let base: Base

        /// Kind of its samples, without its metadata.
        public enum Base: Sendable {
            /// Samples of a kind that no tags name: those of profile 5, and of profile 10 in part.
            case own
            case pq, hlg, sdr, unknown
        }

        public init(profile: Int, _ base: Base) { (self.profile, self.base) = (profile, base) }
    }

    public struct Parts: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let matrix = Parts(rawValue: 1)
        public static let transfer = Parts(rawValue: 2)
        public static let primaries = Parts(rawValue: 4)
        public static let range = Parts(rawValue: 8)
    }

    /// Conversion from Y, U and V to red, green and blue. `other` has FFmpeg's name.
    public enum Matrix: Hashable, Sendable { case rgb, bt601, bt709, bt2020, other(String) }
    public enum Range: Hashable, Sendable { case limited, full }
    /// Conversion from light to code values. `bt1886` stands for the common curve of BT.601, BT.709 and BT.2020.
    public enum Transfer: Hashable, Sendable { case bt1886, srgb, gamma22, gamma28, linear, pq, hlg, other(String) }
    public enum Primaries: Hashable, Sendable {
        case bt601With525Lines, bt601With625Lines, bt709, bt2020, displayP3, other(String)
    }

    /// Parts that a stream or a frame states; nil for those that it leaves open.
    public struct Tags: Hashable, Sendable {
        public var matrix: Matrix?
        public var range: Range?
        public var transfer: Transfer?
        public var primaries: Primaries?

        public init(
            matrix: Matrix? = nil, range: Range? = nil, transfer: Transfer? = nil, primaries: Primaries? = nil
        ) {
            (self.matrix, self.range, self.transfer, self.primaries) = (matrix, range, transfer, primaries)
        }
    }

    /// Images follow JFIF's convention whatever their size; a video's matrix depends on its size.
    public enum Kind: Sendable { case video, image }

    /// Applies mpv's rule for parts that are not stated. The matrix is BT.709 from 1280 columns or above 576 rows, else
    /// BT.601. Transfer and primaries follow the matrix. The range is limited. `size`: the coded size, before rotation.
    public init(_ tags: Tags, size: Size, kind: Kind = .video) {
        let isLarge = size.width >= 1280 || size.height > 576
        let matrix = tags.matrix ?? (kind == .video && isLarge ? .bt709 : .bt601)
        let isOfImages = kind == .image || matrix == .rgb
        self.matrix = matrix
        range = tags.range ?? (matrix == .rgb ? .full : .limited)
        transfer = tags.transfer ?? (isOfImages ? .srgb : .bt1886)
        let following: Primaries =
            switch matrix {
            case .bt601 where !isOfImages: size.height > 486 ? .bt601With625Lines : .bt601With525Lines
            case .bt2020: .bt2020
            case .rgb, .bt601, .bt709, .other: .bt709
            }
        primaries = tags.primaries ?? following
        assumed = [
            tags.matrix == nil ? .matrix : [], tags.transfer == nil ? .transfer : [],
            tags.primaries == nil ? .primaries : [], tags.range == nil ? .range : [],
        ]
    }

    /// Adds what a frame or its stream states beside the tags. Dolby Vision states the colours of untagged samples.
    public mutating func add(_ light: LightLevels, _ dolbyVision: DolbyVision?) {
        (self.light, self.dolbyVision) = (light, dolbyVision)
        guard assumed.isSuperset(of: [.matrix, .transfer]) else { return }
        switch dolbyVision?.base {
        case .own:
            (matrix, transfer, primaries) = (.other(Matrix.dolbyVision), .pq, .bt2020)
            if assumed.contains(.range) { range = .full }
        case .pq: (matrix, transfer, primaries) = (.bt2020, .pq, .bt2020)
        case .hlg: (matrix, transfer, primaries) = (.bt2020, .hlg, .bt2020)
        case .sdr, .unknown, nil: break
        }
    }

    public var isHDR: Bool { transfer == .pq || transfer == .hlg }

    /// True if code values of both can be compared, at most after a conversion of the matrix, which swscale has to know.
    ///
    /// The curves of SDR differ by less than displays do, and the primaries of BT.601 and BT.709 nearly coincide.
    public func isComparable(with other: SourceColorimetry) -> Bool {
        transfer.family == other.transfer.family && primaries.family == other.primaries.family
            && (matrix == other.matrix || matrix.isCommon && other.matrix.isCommon)
    }

    /// Text for the user: `BT.709 (assumed)`, `BT.601, full range`, `PQ, BT.2020`.
    public var words: String {
        var parts = [name]
        if !isHDR, primaries.family != matrix.ownPrimaries.family { parts.append("primaries \(primaries.words)") }
        if range == .full, matrix != .rgb { parts.append("full range") }
        let text = parts.joined(separator: ", ")
        return assumedWords.map { "\(text) (\($0))" } ?? text
    }

    /// Short name, without the parts that are usual for it.
    private var name: String {
        if isHDR {
            let isUsual = matrix.isCommon && matrix.ownPrimaries.family == primaries.family
            return "\(transfer.words), \(primaries.words)\(isUsual ? "" : ", matrix \(matrix.words)")"
        }
        return transfer.family == .bt1886 ? matrix.words : "\(matrix.words), \(transfer.words)"
    }

    /// nil if nothing important was assumed. RGB files hardly ever state more than RGB.
    private var assumedWords: String? {
        if matrix == .rgb { return nil }
        if assumed.isSuperset(of: [.matrix, .transfer, .primaries]) { return "assumed" }
        return assumedNames.isEmpty ? nil : "\(alternatives(assumedNames, "and")) assumed"
    }

    public var assumedNames: [String] {
        [(Parts.matrix, "matrix"), (.transfer, "transfer"), (.primaries, "primaries"), (.range, "range")]
            .filter { assumed.contains($0.0) }.map(\.1)
    }

    /// Value for reports in JSON, with the names that mpv uses.
    public var json: PropertyValue {
        [
            "matrix": .text(matrix.code), "range": .text("\(range)"), "transfer": .text(transfer.code),
            "primaries": .text(primaries.code), "assumed": .list(assumedNames.map { .text($0) }),
            "min-luma": light.masteringBlack.map { .number($0) } ?? .null,
            "max-luma": light.masteringPeak.map { .number($0) } ?? .null,
            "max-cll": light.maxCLL.map { .integer($0) } ?? .null,
            "max-fall": light.maxFALL.map { .integer($0) } ?? .null,
            "dolby-vision-profile": dolbyVision.map { .integer($0.profile) } ?? .null,
        ]
    }
}

extension SourceColorimetry.Matrix {
    /// True for a matrix that swscale converts.
    public var isCommon: Bool {
        switch self {
        case .rgb, .bt601, .bt709, .bt2020, .other("fcc"), .other("smpte240m"): true
        case .other: false
        }
    }

    public var code: String { names.code }
    public var words: String { names.words }

    /// Name for reports in JSON, and words for the user.
    private var names: (code: String, words: String) {
        switch self {
        case .rgb: ("rgb", "RGB")
        case .bt601: ("bt.601", "BT.601")
        case .bt709: ("bt.709", "BT.709")
        case .bt2020: ("bt.2020-ncl", "BT.2020")
        case .other("bt2020c"): ("bt.2020-cl", "BT.2020 with constant luminance")
        case .other("ictcp"): ("ictcp", "ICtCp")
        case .other("ycgco"): ("ycgco", "YCgCo")
        case .other("smpte240m"): ("smpte-240m", "SMPTE 240M")
        case .other("fcc"): ("fcc", "FCC")
        case .other(Self.dolbyVision): ("dolbyvision", "IPT of Dolby Vision")
        case .other(let name): (name, name)
        }
    }

    /// FFmpeg's name for the samples of Dolby Vision's profile 5.
    public static let dolbyVision = "ipt-c2"

    /// Primaries of the standard that defines the matrix.
    fileprivate var ownPrimaries: SourceColorimetry.Primaries {
        switch self {
        case .bt2020, .other("bt2020c"), .other("ictcp"), .other(Self.dolbyVision): .bt2020
        case .rgb, .bt601, .bt709, .other: .bt709
        }
    }
}

extension SourceColorimetry.Transfer {
    fileprivate var family: Self {
        switch self {
        case .bt1886, .srgb, .gamma22, .gamma28: .bt1886
        case .linear, .pq, .hlg, .other: self
        }
    }

    public var code: String { names.code }
    public var words: String { names.words }

    /// Name for reports in JSON, and words for the user.
    private var names: (code: String, words: String) {
        switch self {
        case .bt1886: ("bt.1886", "BT.1886")
        case .srgb: ("srgb", "sRGB")
        case .gamma22: ("gamma2.2", "gamma 2.2")
        case .gamma28: ("gamma2.8", "gamma 2.8")
        case .linear: ("linear", "linear")
        case .pq: ("pq", "PQ")
        case .hlg: ("hlg", "HLG")
        case .other(let name): (name, name)
        }
    }
}

extension SourceColorimetry.Primaries {
    var family: Self {
        switch self {
        case .bt601With525Lines, .bt601With625Lines, .bt709: .bt709
        case .bt2020, .displayP3, .other: self
        }
    }

    public var code: String { names.code }
    public var words: String { names.words }

    /// Name for reports in JSON, and words for the user.
    private var names: (code: String, words: String) {
        switch self {
        case .bt601With525Lines: ("bt.601-525", "BT.601")
        case .bt601With625Lines: ("bt.601-625", "BT.601")
        case .bt709: ("bt.709", "BT.709")
        case .bt2020: ("bt.2020", "BT.2020")
        case .displayP3: ("display-p3", "Display P3")
        case .other("smpte431"): ("dci-p3", "DCI-P3")
        case .other("bt470m"): ("bt.470m", "BT.470 M")
        case .other("film"): ("film-c", "film")
        case .other(let name): (name, name)
        }
    }
}
