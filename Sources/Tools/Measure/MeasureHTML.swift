import Base
import Console
import Measurement
import Media

/// Measurements as one page that needs no network: means, curves over time, and the worst frames.
///
/// The page is complete without its script, which shows the values under the pointer.
struct MeasureHTML {
    private let report: MeasureReport

    init(_ report: MeasureReport) { self.report = report }

    var text: String {
        let title = "\(report.films.count == 1 ? report.films[0].source : "films") beside \(report.reference)"
        let head = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title.escapedForHTML)</title>
            <style>
            \(MeasureStyle.text)
            </style>
            </head>
            <body>
            <h1>Measured beside <span class="name">\(report.reference.escapedForHTML)</span></h1>
            \(table)
            \(remarks)
            \(colours)
            \(plots)
            """
        let foot = """
            <p class="note">PSNR and SSIM as FFmpeg's filters psnr and ssim count them, by Quadrille \(version). The
            mean of PSNR is that of the mean error; inf: equal. The 1st percentile is the lowest value that at least 1 %
            of the measured frames do not exceed (the nearest rank), the 5th that of 5 %. A bit rate is that of the
            video if the file states it, else that of the whole file.</p>
            \(MeasurePointer.script)
            </body>
            </html>

            """
        let worst = MeasureWorst(report, beside: head.utf8.count + foot.utf8.count).text
        return "\(head)\n\(worst)\n\(foot)"
    }

    /// Conversions, frames without a counterpart and the like, as HTML.
    private var remarks: String {
        report.remarks.isEmpty
            ? "" : "<ul class=\"note\">\(report.remarks.map { "<li>\($0.escapedForHTML)</li>" }.joined())</ul>"
    }

    /// Colour properties of each film, as HTML.
    private var colours: String {
        zip(report.films, report.traits.dropFirst()).map { film, traits in
            let lines = MeasureText.colours(traits, report.traits.first ?? nil, report.space).map(\.escapedForHTML)
            return lines.isEmpty
                ? ""
                : "<p class=\"note\"><span class=\"name\">\(film.source.escapedForHTML)</span>: "
                    + "\(lines.joined(separator: "<br>"))</p>"
        }.joined(separator: "\n")
    }

    // MARK: the figures

    private var table: String {
        let names = report.names
        let head = names.map { "<th>\(report.label($0))</th>" }.joined()
        let rows = report.films.enumerated().map { index, film in
            "<tr><td>\(Self.key(index)) \(film.source.escapedForHTML)</td><td>\(film.measured.count) of "
                + "\(film.rows.count)</td><td>\(fixed(film.offset.seconds, 3)) s</td>\(size(index + 1))"
                + names.map { cell(film, $0) }.joined() + "</tr>"
        }
        return """
            <div class="wide"><table>
            <tr><th>film</th><th>frames</th><th>offset</th><th>file</th>\(head)</tr>
            <tr><td>the reference</td><td></td><td></td>\(size(0))<td colspan="\(names.count)"></td></tr>
            \(rows.joined(separator: "\n"))
            </table></div>
            """
    }

    /// Mean, lowest value and percentiles of a film.
    private func cell(_ film: MeasuredFilm, _ name: FrameFigures.Name) -> String {
        let mean = MeasureText.value(film.mean?[name], name)
        guard let lowest = film.lowest(name), lowest.value.isFinite, !(film.isEqual && name == .ssim) else {
            return "<td>\(mean)</td>"
        }
        let percentiles = zip(MeasureReport.percentiles, ["1st", "5th"]).map { percent, words in
            "\(words) \(MeasureText.value(film.percentile(percent, name), name))"
        }
        let lines =
            [
                "lowest \(MeasureText.value(lowest.value, name))",
                "frame \(lowest.frame), \(fixed(lowest.time.seconds, 3)) s", "percentiles",
            ] + percentiles
        return "<td>\(mean)<small>\(lines.joined(separator: "<br>"))</small></td>"
    }

    /// Size and bit rate of a file. The reference's index is 0.
    private func size(_ index: Int) -> String {
        let size = report.sizes[index]
        return "<td>\(size.sizeText ?? "-")<small>\(size.rateText ?? "")</small></td>"
    }

    /// The mark in the colour of a film's curves.
    static func key(_ film: Int) -> String {
        "<span class=\"key f\(film % MeasurePlot.colours.count)\" aria-hidden=\"true\">&#9632;</span>"
    }

    private var plots: String {
        let psnr = report.space == .linear ? "PSNR-PQ, in dB" : "PSNR, average, in dB"
        return [(FrameFigures.Name.psnrAverage, psnr), (.ssim, "SSIM"), (.vmaf, "VMAF")].filter {
            report.names.contains($0.0)
        }.map { name, title in
            let plot = MeasurePlot(name, of: report.films, title: title)
            let pointer = plot.isEmpty ? "" : MeasurePointer(name, of: report.films).html
            return "<h2>\(title)</h2>\n<div class=\"plot\">\n\(plot.svg)\n\(pointer)\n</div>"
        }.joined(separator: "\n")
    }
}

extension String {
    /// Text, or value of an attribute, for HTML. Unprintable characters are replaced by their numbers.
    var escapedForHTML: String {
        printable.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension [UInt8] {
    var base64: String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
