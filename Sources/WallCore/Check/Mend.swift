/// ffmpeg commands that make a better file of one.
enum Mend {
    private static let picture = "-c:v libx264 -crf 16"

    /// Sound as long as the pictures, from their beginning.
    static func sound(_ source: String, to length: Time) -> String {
        command(
            source, "-af \"aresample=async=1:first_pts=0,apad,atrim=end=\(seconds(length))\" -c:v copy",
            ending(source))
    }

    /// All of it encoded anew.
    static func again(_ source: String) -> String { command(source, "\(picture) -c:a copy", "mkv") }

    /// A part of it, with its sound.
    static func cut(_ source: String, from start: Time, to end: Time?) -> String {
        let limits = [start > .zero ? "start=\(seconds(start))" : nil, end.map { "end=\(seconds($0))" }]
            .compactMap { $0 }.joined(separator: ":")
        return command(
            source,
            "-vf \"trim=\(limits),setpts=PTS-STARTPTS\" -af \"atrim=\(limits),asetpts=PTS-STARTPTS\" \(picture)",
            "mkv")
    }

    static func evenly(_ source: String, rate: String?) -> String {
        command(source, "-vf fps=\(rate ?? "30") \(picture) -c:a copy", "mkv")
    }

    private static func command(_ source: String, _ arguments: String, _ ending: String) -> String {
        "ffmpeg -i \(quoted(source)) \(arguments) \(quoted(stem(source) + "-mended." + ending))"
    }

    /// For a shell.
    private static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", ":", "=", "@", "%": true
            default: false
            }
        }
        if plain, !text.hasPrefix("-") { return text }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }

    private static func stem(_ source: String) -> String {
        guard let dot = source.lastIndex(of: "."), !source[dot...].contains("/") else { return source }
        return String(source[..<dot])
    }

    private static func ending(_ source: String) -> String {
        guard let dot = source.lastIndex(of: "."), !source[dot...].contains("/") else { return "mkv" }
        return String(source[source.index(after: dot)...])
    }
}

/// With as many decimals as it needs, at most six.
func seconds(_ time: Time) -> String {
    let micro = (abs(time.ticks) * 10 + 3528) / 7056
    let (whole, rest) = (micro / 1_000_000, micro % 1_000_000)
    let sign = time < .zero ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
}
