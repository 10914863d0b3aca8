/// The style sheet of the page that `measure` writes, for light and dark screens.
enum MeasureStyle {
    static var text: String {
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
            output span { margin-left: 1.5em }
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
            """
    }
}
