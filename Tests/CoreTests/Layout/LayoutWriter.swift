@testable import SimulatedWall

/// Writes layouts without mistakes, in any style that JSON allows. The same seed writes the same layout.
final class LayoutWriter {
    var numbers: Seeded
    private var text = ""
    private let lineEnd: String
    private let unit: String
    private let colon: String
    private var depth = 0

    init(seed: UInt64) {
        numbers = Seeded(state: seed)
        lineEnd = numbers.onceIn(3) ? "\r\n" : "\n"
        unit = ["", "  ", "\t", "    "][numbers.upTo(4)]
        colon = [":", ": ", " : ", ":\t"][numbers.upTo(4)]
    }

    func layout() -> [UInt8] {
        text = numbers.onceIn(4) ? lineEnd : ""
        let count = 1 + numbers.upTo(5)
        object(
            some([
                ("title", word), ("x-note", note), ("groups", groups), ("$schema", word),
                ("audio", { self.audio(count) }),
                ("grid", { self.object([("gap", { self.text += "4" })]) }),
            ]) + [("tiles", { self.list((0..<count).map { place in { self.tile(place, count) } }) })])
        if numbers.onceIn(2) { text += lineEnd }
        return Array(text.utf8)
    }

    typealias Part = () -> Void

    private func some(_ parts: [(String, Part)]) -> [(String, Part)] {
        parts.filter { _ in numbers.onceIn(2) }.shuffled(using: &numbers)
    }

    private func tile(_ place: Int, _ count: Int) {
        let parts: [(String, Part)] = [
            ("id", { self.text += "\"id \(place) \\\"\\u00e9\\ud83d\\ude00\"" }), ("label", word), ("x-a", note),
            ("mute", { self.text += self.numbers.onceIn(2) ? "true" : "false" }),
            ("volume", { self.text += ["0", "7", "1e1", "100.0"][self.numbers.upTo(4)] }),
            ("offset", { self.text += ["0", "-1.5", "\"0:01\"", "2E0", "\"-1:02:03.5\""][self.numbers.upTo(5)] }),
            ("transition", { self.text += ["\"cut\"", "{\"fade\": 0.5}"][self.numbers.upTo(2)] }),
            ("group", { self.text += "\"main\"" }), ("rect", { self.text += "[0, 0,1 , 1]" }),
        ]
        object((some(parts) + [("play", play)]).shuffled(using: &numbers))
    }

    private func play() {
        if numbers.onceIn(3) { return source() }
        list(Array(repeating: item, count: 1 + numbers.upTo(3)))
    }

    private func item() {
        if numbers.onceIn(2) { return source() }
        let sound: Part = {
            if self.numbers.onceIn(2) {
                self.text += "\"a/b\""
                return
            }
            self.object([("src", { self.source() }), ("volume", { self.text += "3" })])
        }
        let segments: Part = {
            self.list([
                { self.object([("src", { self.source() }), ("in", { self.text += "1" })]) }, { self.object([]) },
            ])
        }
        object(
            [("src", { self.source() })]
                + some([("audio", sound), ("rate", { self.text += "2" }), ("segments", segments)]))
    }

    func source() {
        let sources = [
            "a.mp4", "../b.mp4", "../../../../c.mp4", "./d/../e.mp4", "/abs/f.mp4", "https://h/x?y=1", "rtsp:g",
            "h:i//j.mp4",
            "folder/", ".", "..", "walls/k.mp4", "walls/north/auto", "é/😀.mp4", "\\u0061\\\\\\\"uto",
            "udp://@239.0.0.1:5004",
            ".//http://x", "other/link/../l.mp4", "auto",
        ]
        text += "\"" + sources[numbers.upTo(sources.count)] + "\""
    }

    private func audio(_ tiles: Int) {
        let bed: Part = {
            if self.numbers.onceIn(2) { self.source() } else { self.object([("src", { self.source() })]) }
        }
        object(some([("mode", { self.text += "\"mix\"" }), ("volume", { self.text += "30" }), ("bed", bed)]))
    }

    private func groups() { object([("main", { self.object([]) })]) }

    /// Writes the value of an ignored key. Such a value may hold anything, also a repeated key.
    private func note() {
        list([{ self.object([("mute", { self.text += "null" }), ("mute", { self.text += "-0.0e-1" })]) }, word])
    }

    private func word() { text += ["\"}],{\\\"\"", "\"\u{E9}\\ud83d\\ude00\"", "\"\\t x\""][numbers.upTo(3)] }

    // MARK: Form

    private func object(_ members: [(String, Part)]) {
        between("{", "}", members.map { key, value in { self.member(key, value) } })
    }

    private func member(_ key: String, _ value: Part) {
        // Any letter may be escaped.
        let escaped = "\\u00" + String(key.utf8.first!, radix: 16) + key.dropFirst()
        text += "\"" + (numbers.onceIn(8) ? escaped : key) + "\"" + colon
        value()
    }

    private func list(_ values: [Part]) { between("[", "]", values) }

    private func between(_ open: String, _ close: String, _ parts: [Part]) {
        text += open
        depth += 1
        let manner = numbers.upTo(4)
        for (place, part) in parts.enumerated() {
            if place > 0 { text += "," }
            space(manner, isFirst: place == 0)
            part()
        }
        depth -= 1
        if !parts.isEmpty || numbers.onceIn(2) { space(manner, isFirst: true) }
        text += close
    }

    /// Writes the space between values: none, one space, a new line, or a random choice.
    private func space(_ manner: Int, isFirst: Bool) {
        switch manner {
        case 0: break
        case 1: text += isFirst ? "" : " "
        case 2: text += lineEnd + String(repeating: unit, count: depth)
        default: text += numbers.onceIn(2) ? lineEnd + lineEnd + unit : " "
        }
    }
}
