import Base

/// Load that a subtitle causes in libass, estimated from its text. libass has no limit of its own: huge letters, or a
/// drawing of a hundred thousand points, take gigabytes.
public struct SubtitleLoad: Sendable, Equatable {
    /// Area of all letters and drawings, in squares of the frame's height.
    public var area: Double
    /// Points of drawings and of clipping outlines.
    public var points: Int

    public init(area: Double = 0, points: Int = 0) { (self.area, self.points) = (area, points) }

    /// Limit for one subtitle, and for all that are shown at once. Letters of a tenth of the frame's height have an
    /// area of 0.01, so thousands of them fit.
    public static let most = (area: 64.0, points: 20_000)

    public var isTooMuch: Bool { area > Self.most.area || points > Self.most.points }

    public static func + (a: SubtitleLoad, b: SubtitleLoad) -> SubtitleLoad {
        SubtitleLoad(area: a.area + b.area, points: a.points + b.points)
    }
}

/// Letter sizes that the head of a script sets.
public struct SubtitleHead: Sendable {
    /// Height of the frame in the script's units.
    private(set) var height = 288.0
    /// Height of the largest letters of any style, in the same units, with borders and shadows.
    private(set) var largestStyle = 0.0
    private(set) var largestScale = 1.0

    /// Largest size that a layout can set, in 288ths of the frame's height, with borders and shadows.
    private static let usualStyle = 72.0

    /// nil if the script has no head of its own.
    public init(_ head: [UInt8]?) {
        guard let head else {
            largestStyle = Self.usualStyle
            return
        }
        var columns = [
            "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour", "backcolour", "bold",
            "italic", "underline", "strikeout", "scalex", "scaley", "spacing", "angle", "borderstyle", "outline",
            "shadow",
        ]
        var (across, down): (Double?, Double?)
        for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased().filter { $0 != " " }
            let rest = line[line.index(after: colon)...]
            switch name {
            case "playresx": across = Self.number(rest)
            case "playresy": down = Self.number(rest)
            case "format":
                let names = rest.split(separator: UInt8(ascii: ",")).map {
                    String(decoding: $0, as: UTF8.self).lowercased().filter { $0 != " " }
                }
                if names.contains("fontsize") { columns = names }
            case "style":
                let values = rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                let fields = Dictionary(zip(columns, values)) { first, _ in first }
                func value(_ name: String, default usual: Double) -> Double {
                    fields[name].flatMap(Self.number)?.magnitude ?? usual
                }
                let scale = max(value("scalex", default: 100), value("scaley", default: 100)) / 100
                let edges = 2 * (value("outline", default: 2) + value("shadow", default: 2))
                largestScale = max(largestScale, scale)
                largestStyle = max(largestStyle, value("fontsize", default: 18) * scale + edges)
            default: break
            }
        }
        if largestStyle == 0 { largestStyle = 24 }
        // Derive missing values as libass does.
        if let down, down > 0 {
            height = down
        } else if let across, across > 0 {
            height = across == 1280 ? 1024 : max(1, across * 3 / 4)
        }
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
        let digits = bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            .prefix { isDigit($0) || ".-+".utf8.contains($0) }
        guard digits.count <= 40, let number = Double(String(decoding: digits, as: UTF8.self)) else { return nil }
        return number.isFinite ? number : nil
    }

    /// Load of a subtitle in libavcodec's form: its text begins after the eighth comma.
    public func load(of event: [UInt8]) -> SubtitleLoad {
        var load = SubtitleLoad()
        let fields = event.split(separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return load }
        let text = fields[8]
        load.points = text.split { !isDigit($0) && $0 != UInt8(ascii: ".") }.count / 2
        let (letters, isTilted, drawing) = count(text)
        let (size, scale, edges) = largestSize(in: text)
        let side = min(size / height, 1000)
        load.area = Double(letters) * side * side
        if drawing > 0 {
            // libass limits a drawing to eight million pixels, which is four squares of a frame of 1440 rows.
            let side = min((drawing * scale + edges) / height, 2)
            load.area += side * side
        }
        if isTilted { load.area *= 4 }
        return load
    }

    /// Returns the number of visible letters, whether something is rotated in 3D, and the longer side of all drawings
    /// together. The side is in the script's units before scaling.
    private func count(_ text: ArraySlice<UInt8>) -> (letters: Int, isTilted: Bool, drawing: Double) {
        var (letters, isInside, isTilted) = (0, false, false)
        var isDrawing = false
        var (drawing, number) = (0.0, 0.0)
        var (isNumber, isFraction) = (false, false)
        for (place, byte) in zip(text.indices, text) {
            if byte == UInt8(ascii: "{") { isInside = true }
            if byte == UInt8(ascii: "}") { isInside = false }
            if isInside, byte == UInt8(ascii: "\\") {
                let rest = text[(place + 1)...].prefix(4)
                if ["frx", "fry", "fax", "fay"].contains(where: { rest.starts(with: $0.utf8) }) { isTilted = true }
                if rest.count > 1, rest.first == UInt8(ascii: "p"), isDigit(rest[place + 2]) {
                    isDrawing = rest[place + 2] != UInt8(ascii: "0")
                }
            }
            // Takes the largest coordinate, on both sides of zero. `\p2` and above make a drawing smaller.
            if isDrawing, !isInside {
                if isDigit(byte) {
                    if !isFraction { number = min((isNumber ? number * 10 : 0) + Double(byte - 48), 1e9) }
                    isNumber = true
                    drawing = max(drawing, 2 * number)
                } else {
                    isFraction = isNumber && byte == UInt8(ascii: ".")
                    if !isFraction { isNumber = false }
                }
            }
            // The first byte of a letter.
            if !isInside, !isDrawing, byte != UInt8(ascii: "}"), byte != UInt8(ascii: " "), byte & 0xC0 != 0x80 {
                letters += 1
            }
        }
        return (letters, isTilted, drawing)
    }

    private static let edges = ["bord", "xbord", "ybord", "shad", "xshad", "yshad"]

    /// Returns the size of the letters in the script's units with borders and blur, their scale, and borders and blur
    /// alone.
    private func largestSize(in text: ArraySlice<UInt8>) -> (size: Double, scale: Double, edges: Double) {
        var (size, scale, edges) = (0.0, largestScale, 0.0)
        var place = text.startIndex
        while let slash = text[place...].firstIndex(of: UInt8(ascii: "\\")) {
            let rest = text[(slash + 1)...]
            func value(_ tag: String) -> Double? {
                guard rest.starts(with: tag.utf8) else { return nil }
                let digits = rest.dropFirst(tag.utf8.count).drop { $0 == UInt8(ascii: "(") }
                return Self.number(digits)
            }
            if let percent = value("fscx") ?? value("fscy") {
                scale = max(scale, percent.magnitude / 100)
            } else if rest.starts(with: "fs+".utf8) || rest.starts(with: "fs-".utf8) {
                size = max(size, largestStyle * (1 + (value("fs")?.magnitude ?? 0) / 10))
            } else if let letters = value("fs") {
                size = max(size, letters.magnitude)
            } else if let border = Self.edges.lazy.compactMap(value).first {
                edges += 2 * border.magnitude
            } else if let blur = value("blur") ?? value("be") {
                edges += 6 * min(blur.magnitude, 100)
            }
            place = slash + 1
        }
        return (max(size * scale, largestStyle * scale / largestScale) + edges, scale, edges)
    }
}
