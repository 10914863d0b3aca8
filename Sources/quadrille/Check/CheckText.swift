import Media
import WallCore

/// What `check` says in words.
enum CheckText {
    static func of(_ preflight: Preflight) -> [String] {
        let (layout, judge) = (preflight.layout, preflight.judge)
        let seams = judge.seams()
        let waits = judge.waits()
        let silences = preflight.silences
        var lines: [String] = []
        for (index, tile) in layout.tiles.enumerated() {
            lines.append(tile.id)
            let timeline = judge.timeline(of: index)
            for (place, item) in tile.play.enumerated() {
                for piece in item.pieces {
                    lines.append("  \(piece.name): \(words(preflight.findings[piece.source]))")
                    if let end = judge.cutOut(of: piece), let out = piece.end {
                        lines.append(
                            "    out \(fixed(out.seconds, 3)) s is past its end: played to \(fixed(end.seconds, 3)) s")
                    }
                }
                if item.pieces.count > 1, let length = timeline.itemLength(place) {
                    lines.append("  \(item.pieces.count) segments, \(fixed(length.seconds, 3)) s in all")
                }
            }
            for reason in waits.filter({ $0.tile == index }).map(\.reason) { lines.append("  waits: \(reason.words)") }
            for silence in silences where silence.tile == index { lines.append("  not heard: \(silence.words)") }
            for seam in seams where seam.tile == index {
                let reasons = seam.reasons.filter { $0.code != .turns }
                lines.append(
                    "  \(name(seam)): \(reasons.isEmpty ? "seamless" : reasons.map(\.words).joined(separator: "; "))")
            }
            if let measured = preflight.measured?[index] { lines.append("  measured: \(words(measured))") }
        }
        if let bed = preflight.bed {
            lines += ["the bed", "  \(SourceName.withoutSecrets(bed.source)): \(words(bed.finding))"]
        }
        let mends = judge.mends()
        if !mends.isEmpty { lines += ["", "to mend it:"] + mends.map { "  \($0.command)" } }
        return lines + ["", verdict(preflight, seams)]
    }

    private static func verdict(_ preflight: Preflight, _ seams: [Seam]) -> String {
        let bad = seams.count { !$0.isSeamless }
        switch preflight.status {
        case ExitStatus.done: return "seamless on \(preflight.pipelines) pipelines"
        case ExitStatus.seams:
            return bad > 0
                ? "playable, with \(bad) of \(seams.count) seams that can be seen or heard"
                : "playable, not without a break"
        default: return "nothing of it can be played"
        }
    }

    private static func name(_ seam: Seam) -> String {
        let place =
            switch seam.kind {
            case .loop: "loop"
            case .round: "repeat of item \(seam.item + 1)"
            case .next: "to item \(seam.item + 1)"
            case .segment: "segment of item \(seam.item + 1)"
            }
        return place + (seam.at.map { " at \(fixed($0.seconds, 3)) s" } ?? "")
    }

    private static func words(_ measured: MeasuredSeams) -> String {
        if measured.count == 0 { return "no seam" }
        let all = "\(measured.count) seams, the latest by \(fixed(measured.worst, 1)) ms"
        guard measured.late > 0 else { return all }
        let reasons = measured.reasons.isEmpty ? "" : ": " + measured.reasons.joined(separator: "; ")
        return "\(all), \(measured.late) of them late\(reasons)"
    }

    private static func words(_ finding: Result<SourceFacts, SourceTrouble>?) -> String {
        switch finding {
        case .success(let facts)?: words(facts)
        case .failure(let trouble)?: "can't be played: \(trouble.what) (\(trouble.kind.rawValue))"
        case nil: ""
        }
    }

    private static func words(_ facts: SourceFacts) -> String {
        var parts: [String] = []
        switch facts.kind {
        case .still: parts.append("still image, \(facts.codec), \(facts.natural.width)x\(facts.natural.height)")
        case .sound: parts.append("sound only")
        case .video:
            parts.append("\(facts.codec), \(facts.natural.width)x\(facts.natural.height)")
            if let rate = facts.rate {
                parts.append("\(fixed(Double(rate.numerator) / Double(rate.denominator), 3)) pictures a second")
            }
        }
        if facts.traits.live != nil { parts.append("live") }
        if let length = facts.length, facts.kind != .still { parts.append("\(fixed(length.seconds, 3)) s") }
        let tracks = facts.soundTracks.map { track in
            "\(track.codec) \(track.channels) ch" + (track.language.map { " (\($0))" } ?? "")
        }
        if facts.kind != .still {
            parts.append(tracks.isEmpty ? "no sound" : "sound " + tracks.joined(separator: " + "))
        }
        return parts.joined(separator: ", ")
    }
}
