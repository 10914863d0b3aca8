/// The page that `measure` writes: a template with the measurements as JSON, which the script in it draws. The page
/// needs no network. Without scripts it shows the printed lines.
enum MeasurePage {
    /// `lines`: text for HTML. `json`: `MeasureReport.page`, without "<".
    static func html(lines: String, json: String) -> String {
        #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>quadrille measure</title>
        <style>
        :root { color-scheme: light dark; --ink: #1b1b1f; --paper: #ffffff; --faint: #6a6a74; --rule: #d9d9e0 }
        .f0 { --line: #0062b8 } .f1 { --line: #c24a00 } .f2 { --line: #00785a } .f3 { --line: #9a2f8f }
        .f4 { --line: #8a6d00 } .f5 { --line: #4b4bd0 } .f6 { --line: #b0203a } .f7 { --line: #4d6b00 }
        @media (prefers-color-scheme: dark) {
        :root { --ink: #e6e6ea; --paper: #16161a; --faint: #9a9aa6; --rule: #34343c }
        .f0 { --line: #5db3ff } .f1 { --line: #ff9a52 } .f2 { --line: #3fcfa2 } .f3 { --line: #ec86e0 }
        .f4 { --line: #e6c229 } .f5 { --line: #a3a3ff } .f6 { --line: #ff7c90 } .f7 { --line: #a9d13c }
        }
        body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
          max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
        h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2.5rem } .name { overflow-wrap: anywhere }
        table { border-collapse: collapse } .wide, pre { overflow-x: auto }
        th, td { text-align: right; vertical-align: top; padding: .25rem .4rem; border-bottom: 1px solid var(--rule) }
        th:first-child, td:first-child { text-align: left; padding-left: 0 }
        td { font-variant-numeric: tabular-nums; white-space: nowrap }
        td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 7rem }
        small, .note, output { color: var(--faint) } td small { display: block; font-size: 12px }
        svg { width: 100%; height: auto; display: block }
        svg text { fill: var(--faint); font: 12px system-ui, sans-serif }
        .grid { stroke: var(--rule); fill: none } .curve { stroke: var(--line); fill: none; stroke-width: 1.5 }
        .band { fill: var(--line); opacity: .25; stroke: none } .key { color: var(--line) }
        .pointer { stroke: var(--ink) }
        output { display: block; min-height: 1.5em; font-variant-numeric: tabular-nums }
        output .key { margin-left: 1.5em }
        figure { margin: 1.5rem 0 } figcaption { color: var(--faint) }
        .place { display: flex; flex-wrap: wrap; gap: .8rem; align-items: end; margin-bottom: .4rem }
        .frames { display: flex; flex-wrap: wrap; gap: .4rem; overflow-x: auto } .frames > * { flex: none }
        .last { display: flex; gap: .4rem }
        .frames img { display: block; background: #000; image-rendering: pixelated }
        .whole { position: relative; flex: none } .whole img { display: block }
        .whole span { position: absolute; box-sizing: border-box; border: 1px solid #fff; outline: 1px solid #000 }
        .scale { display: flex; gap: .3rem; font-size: 12px; line-height: 1; color: var(--faint) }
        .scale div { display: flex; flex-direction: column; justify-content: space-between }
        .scale .ramp { width: 12px; background: linear-gradient(to top, #000, #fff); border: 1px solid var(--rule);
          box-sizing: border-box }
        </style>
        </head>
        <body>
        <noscript><pre>\#(lines)</pre></noscript>
        <script type="application/json" id="report">\#(json)</script>
        <script>
        "use strict";
        const report = JSON.parse(document.getElementById("report").textContent);
        const films = report.others, names = report.names;
        const html = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt()};`);
        const named = item => `<span class="name">${html(item.name)}</span>`;
        const key = film => `<span class="key f${film % 8}" aria-hidden="true">&#9632;</span>`;
        const seconds = time => time.toFixed(3) + " s";
        const value = (figure, name) => figure == null ? "-" : figure == "inf" ? figure
          : name.startsWith("psnr") ? figure.toFixed(2) + " dB" : figure.toFixed(name == "ssim" ? 5 : 2);

        function cell(film, name) {
          const low = film.lowest[name];
          const more = low == null ? "" : `lowest ${value(low.value, name)}<br>frame ${low.frame}, ${seconds(low.time)}`
            + `<br>percentiles<br>1st ${value(film["percentile-1"][name], name)}`
            + `<br>5th ${value(film["percentile-5"][name], name)}`;
          return `<td>${value(film.mean[name], name)}<small>${more}</small></td>`;
        }

        function table() {
          const file = item => `<td>${item["size-text"] ?? "-"}<small>${item["bitrate-text"] ?? ""}</small></td>`;
          const rows = films.map((film, index) =>
            `<tr><td>${key(index)} ${html(film.name)}</td><td>${film.measured} of ${film.rows}</td>`
              + `<td>${seconds(film.offset)}</td>${file(film)}${names.map(name => cell(film, name)).join("")}</tr>`);
          return `<div class="wide"><table><tr><th>film</th><th>frames</th><th>offset</th><th>file</th>`
            + `${names.map(name => `<th>${name}</th>`).join("")}</tr><tr><td>the reference</td><td></td><td></td>`
            + `${file(report)}<td colspan="${names.length}"></td></tr>${rows.join("")}</table></div>`;
        }

        /* A figure of all films over time. Each curve is the middle of a column, in a band from its least to its
           greatest value. Columns are [least, greatest, greatest finite value]. */
        function plot(name, title) {
          const curves = films.map(film => film.columns[name]);
          const drawn = curves.flat().filter(column => column?.[2] != null);
          if (!drawn.length) return "<p>Every frame is equal to the reference's.</p>";
          const least = Math.min(...drawn.map(column => column[0])), most = Math.max(...drawn.map(column => column[2]));
          let step = 1000, decimals = 0;
          for (let turn = 0; Math.max(most - least, 1e-4) / step < 3; turn++) step /= [2, 2.5, 2][turn % 3];
          for (let whole = step; whole < .999; whole *= 10) decimals++;
          const first = Math.floor(least / step), last = Math.max(Math.ceil(most / step), first + 1);
          const x = share => (56 + 936 * share).toFixed(1);
          const y = figure => (234 - 224 * (figure / step - first) / (last - first)).toFixed(1);
          const marks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step).map(mark =>
            `<path class="grid" d="M56 ${y(mark)}H992"/><text x="50" y="${+y(mark) + 4}" text-anchor="end">`
              + `${mark.toFixed(decimals)}</text>`);
          const begin = report.columns[0].time, length = report.columns.at(-1).until - begin;
          const times = ["start", "middle", "middle", "middle", "end"].map((anchor, quarter) =>
            `<text x="${x(quarter / 4)}" y="252" text-anchor="${anchor}">`
              + `${(begin + length * quarter / 4).toFixed(2)} s</text>`);
          const groups = curves.map((curve, film) => {
            const runs = [[]];
            curve.forEach((column, index) => {
              if (column?.[2] == null) runs.push([]);
              else runs.at(-1).push([x(report.columns[index].place), column[0], column[2]]);
            });
            const paths = runs.filter(run => run.length).map(run => {
              const upper = run.map(([x, , most]) => `${x} ${y(most)}`);
              const lower = run.map(([x, least]) => `${x} ${y(least)}`);
              const line = run.map(([x, least, most]) => `${x} ${y((least + most) / 2)}`);
              /* A run of one column would be invisible. */
              return `<path class="band" d="M${[...upper, ...lower.reverse()].join("L")}Z"/>`
                + `<path class="curve" d="M${line.join("L")}${run.length == 1 ? "h1" : ""}"/>`;
            });
            return `<g class="f${film % 8}"><title>${html(films[film].name)}</title>${paths.join("")}</g>`;
          });
          return `<svg viewBox="0 0 1000 260" role="img" aria-label="${title}">`
            + [...marks, ...times, ...groups].join("")
            + `<line class="pointer" y1="10" y2="234" visibility="hidden"/></svg><output data-name="${name}"></output>`;
        }

        /* Shows the values of the column under the pointer. */
        function follow(output) {
          const svg = output.previousElementSibling, line = svg.querySelector(".pointer"), name = output.dataset.name;
          svg.addEventListener("pointermove", event => {
            const box = svg.getBoundingClientRect();
            const share = ((event.clientX - box.left) / box.width * 1000 - 56) / 936;
            const apart = report.columns.map(column => Math.abs(column.place - share));
            const index = apart.indexOf(Math.min(...apart)), column = report.columns[index];
            line.setAttribute("x1", 56 + 936 * column.place);
            line.setAttribute("x2", 56 + 936 * column.place);
            line.setAttribute("visibility", "visible");
            const frames = column.frame == column.last ? `frame ${column.frame}, ${seconds(column.time)}`
              : `frames ${column.frame} to ${column.last}, ${column.time.toFixed(3)} to ${seconds(column.until)}`;
            output.innerHTML = frames + films.map((film, number) => {
              const [least, most] = film.columns[name][index] ?? [];
              const range = least == most ? value(least, name) : `${value(least, name)} to ${value(most, name)}`;
              return `${key(number)} ${html(film.name)}: ${range}`;
            }).join("");
          });
          svg.addEventListener("pointerleave", () => {
            line.setAttribute("visibility", "hidden");
            output.textContent = "";
          });
        }

        function figure(worst) {
          const words = names.map(name => `${name} ${value(worst.figures[name], name)}`).join(", ");
          const caption = `<figcaption>Frame ${worst.frame}, ${seconds(worst.time)}: ${words}`;
          if (!worst.crop) return `<figure>${caption}</figcaption></figure>`;
          const [x, y, width, height] = worst.crop, [wide, high] = worst.size;
          const image = (url, [width, height], what) =>
            `<img src="${url}" width="${width}" height="${height}" alt="${what}, frame ${worst.frame}">`;
          const crop = what => image(worst[what], [width, height], what);
          const share = (part, whole) => (part / whole * 100).toFixed(2) + "%";
          /* The scale stays beside the difference also where a narrow window wraps the crops. */
          return `<figure><div class="place"><div class="whole">`
            + `${image(worst.whole, worst.shown, "the whole reference")}`
            + `<span style="left:${share(x, wide)};top:${share(y, high)};width:${share(width, wide)};`
            + `height:${share(height, high)}"></span></div>`
            + `${caption}<br>${width}x${height} at ${x}, ${y} of ${wide}x${high}</figcaption></div>`
            + `<div class="frames">${crop("reference")}${crop("other")}<div class="last">${crop("difference")}`
            + `<div class="scale" style="height:${height}px"><div class="ramp"></div>`
            + `<div><span>64+</span><span>48</span><span>32</span><span>16</span><span>0</span></div></div></div></div>`
            + `</figure>`;
        }

        function worst(film, index) {
          const heading = `<h2>${key(index)} The worst frames of ${named(film)}</h2>`;
          const count = film.worst.length, most = film["worst-found"];
          if (most == 0) return `${heading}<p>Every frame is equal to the reference's.</p>`;
          return `${heading}<p class="note">Left the reference, then this film, then the difference of their colours, 4
            times as strong. The crops show, pixel by pixel, the part of the frame that differs most; the rectangle is
            its place. The scale is in code values of 8 bits, for each of red, green and blue.`
            + (count < most ? ` ${count} of ${most} frames are shown, to limit the size of this page.` : "")
            + `</p>${film.worst.map(figure).join("")}`;
        }

        const plots = [["psnr-pq", "PSNR-PQ, in dB"], ["psnr-average", "PSNR, average, in dB"], ["ssim", "SSIM"],
          ["vmaf", "VMAF"]].filter(([name]) => names.includes(name));
        const colours = films.filter(film => film.colours.length).map(film =>
          `<p class="note">${named(film)}: ${film.colours.map(html).join("<br>")}</p>`);
        document.title = `${films.length == 1 ? films[0].name : "films"} beside ${report.name}`;
        document.body.insertAdjacentHTML("beforeend", `<h1>Measured beside ${named(report)}</h1>${table()}`
          + `<ul class="note">${report.remarks.map(text => `<li>${html(text)}</li>`).join("")}</ul>${colours.join("")}`
          + plots.map(([name, title]) => `<h2>${title}</h2><div class="plot">${plot(name, title)}</div>`).join("")
          + films.map(worst).join("") + `<p class="note">PSNR and SSIM as FFmpeg's filters psnr and ssim count them, by
            Quadrille ${report.version}. The mean of PSNR is that of the mean error; inf: equal. The 1st percentile is
            the lowest value that at least 1 % of the measured frames do not exceed (the nearest rank), the 5th that of
            5 %. A bit rate is that of the video if the file states it, else that of the whole file.</p>`);
        document.querySelectorAll("output").forEach(follow);
        </script>
        </body>
        </html>

        """#
    }
}
