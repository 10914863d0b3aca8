import Base
import Measurement
import Media

/// The worst frames of each film as HTML: crops at full size, and their places in the frame.
///
/// Crops are of bounded size. The page shows as many frames as fit into its limit: first the worst of each film, then
/// the second worst of each, and so on.
struct MeasureWorst {
    private let report: MeasureReport
    /// Figures by film, the worst frame's first.
    private let figures: [[String]]

    /// Most worst frames of each film.
    static let mostFrames = 5
    /// Largest size of a page of five films, and growth for each further film, in bytes. Crops of noise, which PNG does
    /// not compress, stay below the growth.
    private static let (mostBytes, bytesOfFilm) = (5_000_000, 1_000_000)
    private static let largestCrop = Size(320, 192)
    private static let longestWhole = 160
    /// Gain of the shown differences, as in the wall's `difference`.
    private static let gain = 4

    /// `bytes`: size of the page without these frames. Encodes images, which takes some time.
    init(_ report: MeasureReport, beside bytes: Int) {
        self.report = report
        var figures = report.films.map { _ in [String]() }
        var left = Self.mostBytes + Self.bytesOfFilm * max(0, report.films.count - 5) - bytes
        left -= Self.text(report, figures).utf8.count
        rank: for rank in 0..<Self.mostFrames {
            for film in report.films.indices where rank < report.worst[film].all.count {
                let figure = Self.figure(report, film, rank)
                guard figure.utf8.count < left else { break rank }
                left -= figure.utf8.count + 1
                figures[film].append(figure)
            }
        }
        self.figures = figures
    }

    var text: String { Self.text(report, figures) }

    private static func text(_ report: MeasureReport, _ figures: [[String]]) -> String {
        report.films.indices.map { film -> String in
            let name = report.films[film].source.escapedForHTML
            let heading = "<h2>\(MeasureHTML.key(film)) The worst frames of <span class=\"name\">\(name)</span></h2>"
            let all = report.worst[film].all
            if all.isEmpty { return "\(heading)\n<p>Every frame is equal to the reference's.</p>" }
            let count = figures[film].count, most = report.worst[film].all.count
            let fewer = count < most ? " \(count) of \(most) frames are shown, to limit the size of this page." : ""
            return """
                \(heading)
                <p class="note">Left the reference, then this film, then the difference of their colours, \(gain) times
                as strong. The crops show, pixel by pixel, the part of the frame that differs most; the rectangle is its
                place. The scale is in code values of 8 bits, for each of red, green and blue.\(fewer)</p>
                \(figures[film].joined(separator: "\n"))
                """
        }.joined(separator: "\n")
    }

    private static func figure(_ report: MeasureReport, _ film: Int, _ rank: Int) -> String {
        let worst = report.worst[film].all[rank], row = report.films[film].rows[worst.number]
        let words = report.names.map { "\(report.label($0)) \(MeasureText.value(row.figures?[$0], $0))" }
        let caption =
            "<figcaption>Frame \(worst.number), \(fixed(row.time.seconds, 3)) s: \(words.joined(separator: ", "))"
        guard let images = PairImages(worst.frame, cropping: largestCrop, whole: longestWhole, gain: gain) else {
            return "<figure>\(caption)</figcaption></figure>"
        }
        let (crop, frame) = (images.crop, images.frame)
        let place =
            "<br>\(crop.width)x\(crop.height) at \(crop.x), \(crop.y) of \(frame.width)x\(frame.height)</figcaption>"
        let crops = [
            (images.reference, "reference"), (images.other, "other"), (images.difference, "difference"),
        ].map { png, what in
            image("png", png, crop.size, "\(what), frame \(worst.number)")
        }
        // The scale stays beside the difference also where a narrow window wraps the crops.
        let last = "<div class=\"last\">\(crops[2])\n\(scale(crop.height))</div>"
        let whole = image("jpeg", images.whole, images.wholeSize, "the whole reference, frame \(worst.number)")
        return """
            <figure>
            <div class="place"><div class="whole">\(whole)\(mark(crop, frame))</div>
            \(caption)\(place)</div>
            <div class="frames">\(crops[0])
            \(crops[1])
            \(last)</div></figure>
            """
    }

    private static func image(_ type: String, _ bytes: [UInt8], _ size: Size, _ alt: String) -> String {
        "<img src=\"data:image/\(type);base64,\(bytes.base64)\" width=\"\(size.width)\" height=\"\(size.height)\" "
            + "alt=\"\(alt)\">"
    }

    /// The rectangle of a crop over the whole frame.
    private static func mark(_ crop: Rect, _ frame: Size) -> String {
        func share(_ part: Int, _ whole: Int) -> String { "\(fixed(Double(part) / Double(whole) * 100, 2))%" }
        return "<span style=\"left:\(share(crop.x, frame.width));top:\(share(crop.y, frame.height));"
            + "width:\(share(crop.width, frame.width));height:\(share(crop.height, frame.height))\"></span>"
    }

    /// The differences that black, three greys and white mean.
    private static func scale(_ height: Int) -> String {
        let most = 256 / gain
        let marks = (0...4).reversed().map { quarter in
            "<span>\(most * quarter / 4)\(quarter == 4 ? "+" : "")</span>"
        }
        return "<div class=\"scale\" style=\"height:\(height)px\"><div class=\"ramp\"></div>"
            + "<div>\(marks.joined())</div></div>"
    }
}
