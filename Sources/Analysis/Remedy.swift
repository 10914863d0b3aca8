import Base

/// Repair of a file. Several repairs of one file make one command.
public struct Remedy: Hashable, Sendable {
    public var source: String
    /// Present length of its frames.
    public var length: Time
    /// Part of the file to keep.
    public var start = Time.zero
    public var end: Time?
    /// Frame rate to convert to, as a fraction.
    public var rate: [Int]?
    public var encodesFrames = false
    /// Colours of its frames.
    public var colours: SourceColorimetry?
    /// Present start of its sound, in the time of its frames.
    public var soundStart = Time.zero

    init(_ source: String, _ length: Time) { (self.source, self.length) = (source, length) }

    func with(_ change: (inout Remedy) -> Void) -> Remedy {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns both repairs as one.
    func merged(with other: Remedy) -> Remedy {
        with { all in
            all.start = max(start, other.start)
            all.end = [end, other.end].compactMap { $0 }.min()
            all.rate = rate ?? other.rate
            all.encodesFrames = encodesFrames || other.encodesFrames
            all.colours = colours ?? other.colours
            all.soundStart = soundStart == .zero ? other.soundStart : soundStart
        }
    }

    /// Returns one repair for each source, in their order.
    public static func merged(_ remedies: [Remedy]) -> [Remedy] {
        var places: [String: Int] = [:]
        return remedies.reduce(into: []) { all, remedy in
            if let place = places[remedy.source] {
                all[place] = all[place].merged(with: remedy)
            } else {
                places[remedy.source] = all.count
                all.append(remedy)
            }
        }
    }

    // MARK: the command

    /// Command for a shell. It makes the sound as long as the frames, and both begin at zero.
    public var command: String {
        let (stem, ending) = (SourceName.withoutEnding(source), SourceName.ending(of: source))
        let isEncoded = encodesFrames || isCut || rate != nil
        let isMP4 = isEncoded || ["mp4", "m4v", "mov"].contains(ending)
        let target = isEncoded ? "mp4" : isMP4 ? ending : "mkv"
        let arguments = [
            // Maps all sounds, and the subtitles if their times stay.
            "-map 0:v:0 -map 0:a?" + (isEncoded ? "" : " -map 0:s? -c:s copy"),
            isEncoded
                ? "-vf \"\(frameFilters)\" \(encoder) -crf 16"
                : "-c:v copy -bsf:v setts=pts=PTS-STARTPTS:dts=DTS-STARTPTS",
            "-af \"\(soundFilters)\"", "-c:a \(isMP4 ? "aac" : "flac")",
        ]
        let mended = "\(stem)-mended.\(target)".quotedForShell
        return "ffmpeg -i \(source.quotedForShell) \(arguments.joined(separator: " ")) \(mended)"
    }

    /// HDR gets HEVC, which keeps its light levels. FFmpeg before 7.1 does not pass them on by itself.
    private var encoder: String {
        guard let colours, colours.isHDR else { return "-c:v libx264" }
        let light = colours.light
        var levels: [String] = []
        if let peak = light.masteringPeak {
            let most = Int((peak * 10_000).rounded()), least = Int(((light.masteringBlack ?? 0) * 10_000).rounded())
            let display = light.masteringPrimaries ?? colours.primaries.chromaticities ?? .bt2020
            levels.append("master-display=\(display.words)L(\(most),\(least))")
        }
        if light.maxCLL != nil || light.maxFALL != nil {
            levels.append("max-cll=\(light.maxCLL ?? 0),\(light.maxFALL ?? 0)")
        }
        return "-c:v libx265 -tag:v hvc1"
            + (levels.isEmpty ? "" : " -x265-params \"\(levels.joined(separator: ":"))\"")
    }

    private var isCut: Bool { start > .zero || end != nil }

    private var frameFilters: String {
        var filters = ["setpts=PTS-STARTPTS"]
        if isCut { filters += ["trim=\(limits)", "setpts=PTS-STARTPTS"] }
        if let rate { filters.append("fps=\(rate[0])/\(rate[1])") }
        return filters.joined(separator: ",")
    }

    private var soundFilters: String {
        var filters = ["asetpts=PTS-STARTPTS"]
        if soundStart > .zero { filters.append("adelay=delays=\(secondsText(soundStart * 1000)):all=1") }
        if soundStart < .zero { filters += ["atrim=start=\(secondsText(.zero - soundStart))", "asetpts=PTS-STARTPTS"] }
        if isCut { filters += ["atrim=\(limits)", "asetpts=PTS-STARTPTS"] }
        filters += ["apad", "atrim=end=\(secondsText(finalLength))"]
        return filters.joined(separator: ",")
    }

    private var limits: String {
        let from = start > .zero ? "start=\(secondsText(start))" : nil
        return [from, end.map { "end=\(secondsText($0))" }].compactMap { $0 }.joined(separator: ":")
    }

    /// At a new rate the last frame ends at the next multiple of a frame.
    private var finalLength: Time {
        let length = min(end ?? self.length, self.length) - start
        guard let rate else { return length }
        let beat = Time(1, ofUnits: Int64(rate[1]), over: Int64(rate[0]))
        let beats = (length.ticks + beat.ticks / 2) / beat.ticks
        return Time(beats, ofUnits: Int64(rate[1]), over: Int64(rate[0]))
    }
}

extension Chromaticities {
    /// Chromaticities in steps of 0.00002, as x265 takes them.
    fileprivate var words: String {
        [("G", green), ("B", blue), ("R", red), ("WP", white)].map { name, point in
            "\(name)(\(Int((point.x * 50_000).rounded())),\(Int((point.y * 50_000).rounded())))"
        }.joined()
    }
}

/// Returns seconds with as many decimals as needed, at most `places`, which is above 0.
public func secondsText(_ time: Time, places: Int = 6) -> String {
    var text = fixed(time.seconds, places)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
}
