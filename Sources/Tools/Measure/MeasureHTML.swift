import Base
import Console
import Measurement
import Media

/// Measurements as one page that needs no network: means, curves over time, and the worst frames.
struct MeasureHTML {
    private let report: MeasureReport

    /// Number of worst frames that each film shows.
    static let worstFrames = 5
    private static let longestSide = 960
    /// Gain of the shown differences, as in the wall's `difference`.
    private static let gain = 4

    init(_ report: MeasureReport) { self.report = report }

    var text: String {
        let title = "\(report.films.count == 1 ? report.films[0].source : "films") beside \(report.reference)"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title.escapedForHTML)</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <h1>Measured beside <span class="name">\(report.reference.escapedForHTML)</span></h1>
            \(table)
            \(colours)
            \(plots)
            \(report.films.indices.map(worst).joined(separator: "\n"))
            <p class="note">PSNR and SSIM as FFmpeg's filters psnr and ssim count them, by Quadrille \(version). The mean of
            PSNR is that of the mean error; inf: equal.</p>
            </body>
            </html>

            """
    }

    private var style: String {
        let colours = MeasurePlot.colours.enumerated().map { index, pair in
            (".f\(index) { --line: \(pair.light) }", ".f\(index) { --line: \(pair.dark) }")
        }
        return """
            :root { color-scheme: light dark; --ink: #1b1b1f; --paper: #ffffff; --faint: #6a6a74; --rule: #d9d9e0 }
            \(colours.map(\.0).joined(separator: "\n"))
            @media (prefers-color-scheme: dark) {
            :root { --ink: #e6e6ea; --paper: #16161a; --faint: #9a9aa6; --rule: #34343c }
            \(colours.map(\.1).joined(separator: "\n"))
            }
            body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
              max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
            h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2.5rem } .name { overflow-wrap: anywhere }
            table { border-collapse: collapse } .wide { overflow-x: auto }
            th, td { text-align: right; padding: .25rem .8rem; border-bottom: 1px solid var(--rule); vertical-align: top }
            th:first-child, td:first-child { text-align: left; padding-left: 0 }
            td { font-variant-numeric: tabular-nums; white-space: nowrap }
            td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 9rem }
            small, .note { color: var(--faint) } td small { display: block }
            svg { width: 100%; height: auto; display: block } svg text { fill: var(--faint); font: 12px system-ui, sans-serif }
            .grid { stroke: var(--rule); fill: none } .curve { stroke: var(--line); fill: none; stroke-width: 1.5 }
            .band { fill: var(--line); opacity: .25; stroke: none } .key { color: var(--line) }
            figure { margin: 1rem 0 } figcaption { color: var(--faint) }
            .frames { display: grid; grid-template-columns: repeat(3, 1fr); gap: .4rem }
            .frames img { width: 100%; height: auto; display: block; background: #000 }
            """
    }

    /// Colour properties of each film, as HTML.
    private var colours: String {
        zip(report.films, report.traits.dropFirst()).map { film, traits in
            let lines = MeasureText.colours(traits, report.traits.first ?? nil).map(\.escapedForHTML)
            return lines.isEmpty
                ? ""
                : "<p class=\"note\"><span class=\"name\">\(film.source.escapedForHTML)</span>: "
                    + "\(lines.joined(separator: "<br>"))</p>"
        }.joined(separator: "\n")
    }

    // MARK: the figures

    private var table: String {
        let names = report.names
        let head = names.map { "<th>\($0.rawValue)</th>" }.joined()
        let rows = report.films.enumerated().map { index, film in
            let cells = names.map { name -> String in
                let lowest = film.lowest(name).map { place in
                    place.value.isFinite && !(film.isEqual && name == .ssim)
                        ? "<small>lowest \(MeasureText.value(place.value, name))<br>frame \(place.frame), "
                            + "\(fixed(place.time.seconds, 3)) s</small>" : ""
                }
                return "<td>\(MeasureText.value(film.mean?[name], name))\(lowest ?? "")</td>"
            }
            return "<tr><td>\(key(index)) \(film.source.escapedForHTML)</td><td>\(film.measured.count) of "
                + "\(film.rows.count)</td><td>\(fixed(film.offset.seconds, 3)) s</td>\(cells.joined())</tr>"
        }
        return """
            <div class="wide"><table>
            <tr><th>film</th><th>frames</th><th>offset</th>\(head)</tr>
            \(rows.joined(separator: "\n"))
            </table></div>
            """
    }

    private func key(_ film: Int) -> String {
        "<span class=\"key f\(film % MeasurePlot.colours.count)\" aria-hidden=\"true\">&#9632;</span>"
    }

    private var plots: String {
        [(FrameFigures.Name.psnrAverage, "PSNR, average, in dB"), (.ssim, "SSIM"), (.vmaf, "VMAF")].filter {
            report.names.contains($0.0)
        }.map { name, title in
            "<h2>\(title)</h2>\n" + MeasurePlot(name, of: report.films, title: title).svg
        }.joined(separator: "\n")
    }

    // MARK: the worst frames

    private func worst(of film: Int) -> String {
        let measured = report.films[film], name = measured.source.escapedForHTML
        let heading = "<h2>\(key(film)) The worst frames of <span class=\"name\">\(name)</span></h2>"
        let all = report.worst[film].all
        guard !all.isEmpty else { return "\(heading)\n<p>Every frame is equal to the reference's.</p>" }
        let figures = all.map { worst -> String in
            let row = measured.rows[worst.number]
            let words = report.names.map { "\($0.rawValue) \(MeasureText.value(row.figures?[$0], $0))" }
            let caption =
                "<figcaption>Frame \(worst.number), \(fixed(row.time.seconds, 3)) s: \(words.joined(separator: ", "))"
                + "</figcaption>"
            guard let images = PairImages(worst.frame, longest: Self.longestSide, gain: Self.gain) else {
                return "<figure>\(caption)</figure>"
            }
            let parts = [
                (images.reference, "reference"), (images.other, "other"), (images.difference, "difference"),
            ].map { jpeg, what in
                "<img src=\"data:image/jpeg;base64,\(jpeg.base64)\" width=\"\(images.size.width)\" "
                    + "height=\"\(images.size.height)\" alt=\"\(what), frame \(worst.number)\">"
            }
            return "<figure>\(caption)<div class=\"frames\">\(parts.joined(separator: "\n"))</div></figure>"
        }
        return """
            \(heading)
            <p class="note">Left the reference, then this film, then their difference, \(Self.gain) times as strong.</p>
            \(figures.joined(separator: "\n"))
            """
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
