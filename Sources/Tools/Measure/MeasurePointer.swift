import Base
import Measurement

/// Values of a plot for the page's script, which shows those under the pointer.
struct MeasurePointer {
    private let name: FrameFigures.Name
    private let films: [MeasuredFilm]

    init(_ name: FrameFigures.Name, of films: [MeasuredFilm]) { (self.name, self.films) = (name, films) }

    /// A place for the values, and the values of each column of the plot.
    var html: String {
        let columns = MeasurePlot.columns(of: films)
        let data = PropertyValue.object([
            PropertyField("names", .list(films.map { .text($0.source) })),
            PropertyField("places", .list(columns.map { .number($0.place) })),
            PropertyField("frames", .list(columns.map { .text(frames($0.frames)) })),
            PropertyField(
                "values", .list(films.map { film in .list(columns.map { .text(values($0.frames, film)) }) })),
        ])
        // A name must not end the script element.
        let text = JSONWriter.text(data).reduce(into: "") { $0 += $1 == "<" ? "\\u003c" : String($1) }
        return "<output></output>\n<script type=\"application/json\">\(text)</script>"
    }

    private func frames(_ frames: Range<Int>) -> String {
        func seconds(_ frame: Int) -> String { fixed(films[0].rows[frame].time.seconds, 3) }
        let last = frames.upperBound - 1
        return frames.count == 1
            ? "frame \(last), \(seconds(last)) s"
            : "frames \(frames.lowerBound) to \(last), \(seconds(frames.lowerBound)) to \(seconds(last)) s"
    }

    /// Lowest and highest value of the frames; "-" if none was measured.
    private func values(_ frames: Range<Int>, _ film: MeasuredFilm) -> String {
        let values = film.rows[frames].compactMap { $0.figures?[name] }
        guard let least = values.min(), let most = values.max() else { return "-" }
        let text = MeasureText.value(least, name)
        return least == most ? text : "\(text) to \(MeasureText.value(most, name))"
    }

    /// The script of the page. Without it, only the values under the pointer are missing.
    static var script: String {
        let (left, width) = MeasurePlot.inside
        return """
            <script>
            "use strict";
            for (const plot of document.querySelectorAll(".plot")) {
              const data = plot.querySelector("script"), output = plot.querySelector("output");
              if (!data) continue;
              const values = JSON.parse(data.textContent), svg = plot.querySelector("svg");
              const line = svg.querySelector(".pointer");
              const part = (text, film) => {
                const element = document.createElement("span");
                if (film !== undefined) { element.className = "key f" + film % \(MeasurePlot.colours.count); }
                element.textContent = text;
                return element;
              };
              svg.addEventListener("pointermove", event => {
                const box = svg.getBoundingClientRect();
                const place = (event.clientX - box.left) / box.width * \(MeasurePlot.widthInUnits);
                const share = (place - \(left)) / \(width);
                let column = 0;
                values.places.forEach((other, index) => {
                  if (Math.abs(other - share) < Math.abs(values.places[column] - share)) { column = index; }
                });
                const x = \(left) + \(width) * values.places[column];
                line.setAttribute("x1", x);
                line.setAttribute("x2", x);
                line.setAttribute("visibility", "visible");
                const parts = values.names.flatMap((name, film) =>
                  [part("\\u25A0", film), " " + name + ": " + values.values[film][column]]);
                output.replaceChildren(values.frames[column], ...parts);
              });
              svg.addEventListener("pointerleave", () => {
                line.setAttribute("visibility", "hidden");
                output.replaceChildren();
              });
            }
            </script>
            """
    }
}
