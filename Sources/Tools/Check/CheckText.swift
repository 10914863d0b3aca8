import Analysis
import Base
import Console
import Layout
import Media

/// Text that `check` prints: the faults, the commands that mend them, then the facts.
enum CheckText {
    static func of(_ preflight: Preflight) -> [String] {
        var wrong: [String] = [], known: [String] = []
        if let timing = preflight.timing, timing.measured + timing.unmeasured > 0 {
            known += ["this machine"] + words(timing).map { "  \($0)" }
        }
        for tile in preflight.tiles {
            let (faults, facts) = lines(of: tile, preflight)
            if !faults.isEmpty { wrong += [tile.layout.words] + faults.counted.map { "  \($0)" } }
            if !facts.isEmpty { known += [tile.layout.words] + facts.counted.map { "  \($0)" } }
        }
        wrong += lines(of: preflight.wholeFindings.filter(\.isFault))
        known += lines(of: preflight.wholeFindings.filter { !$0.isFault })
        if let run = preflight.measured {
            let lines = TraceText.of(run)
            wrong += lines.wrong
            known += lines.known
        }
        return section("what is wrong:", wrong) + section("to mend it:", preflight.mends.map { "  \($0.command)" })
            + section("what is to know:", known) + [verdict(preflight)]
    }

    /// Findings of one title have their lines under it.
    private static func lines(of findings: [CheckFinding]) -> [String] {
        let byTitle = Dictionary(grouping: findings, by: \.title)
        var known: Set<String> = []
        return findings.map(\.title).filter { known.insert($0).inserted }.flatMap { title in
            [title] + (byTitle[title] ?? []).flatMap(\.lines).counted.map { "  \($0)" }
        }
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [title] + lines + [""]
    }

    private static func lines(of tile: CheckedTile, _ preflight: Preflight) -> (wrong: [String], known: [String]) {
        let (play, isMuted) = (tile.layout.play, tile.isMuted)
        var wrong: [String] = [], known: [String] = []
        for (place, item) in play.enumerated() {
            for segment in item.segments {
                let finding = preflight.sources.findings[segment.source]
                let line = "\(segment.name): \(words(finding, isMuted: isMuted))"
                guard case .success(let facts)? = finding else {
                    wrong.append(line + (Preflight.waits(for: segment.source) ? "; it is waited for" : ""))
                    continue
                }
                known.append(line)
                if let colorimetry = facts.frames.colorimetry {
                    let toneMapping = item.inTile(tile.layout.decoding).look.decoding.toneMapping.resolved
                    known += colorimetry.remarks(toneMapping).map { "  \($0)" }
                }
                if facts.beginsWithSound {
                    known.append("  its video begins \(fixed(facts.lead.seconds, 3)) s after its sound")
                }
                if let end = preflight.judge.cutOut(of: segment), let out = segment.end {
                    known.append(
                        "  out \(fixed(out.seconds, 3)) s is past its end: played to \(fixed(end.seconds, 3)) s")
                }
            }
            for source in item.audio.sources where !isMuted {
                guard let facts = preflight.sound(source, under: item) else { continue }
                known.append("\(SourceName.withoutSecrets(source)), under it: \(words(facts))")
            }
            if item.segments.count > 1, let length = tile.timeline.sequence.itemLength(place) {
                known.append("\(item.segments.count) segments, \(fixed(length.seconds, 3)) s in all")
            }
        }
        if let wait = tile.wait { wrong.append("waits: \(wait.words)") }
        if tile.isCrowdedOut {
            wrong.append("the limit on the address space (ulimit -v) leaves no room for its decoder")
        }
        if let slowness = tile.slowness { wrong.append("not decoded in time: \(slowness)") }
        for silence in tile.silences where !isMuted && !silence.isMeant {
            // Unplayable sources are named above, except a sound under other frames.
            let segments = silence.item.map { Array(play[$0].segments) } ?? []
            if silence.code == .broken, segments.contains(where: { preflight.facts(of: $0.source) == nil }) { continue }
            let line = "not heard: \(silence.words)"
            if tile.isFault(silence) { wrong.append(line) } else { known.append(line) }
        }
        for (isFault, line) in seamLines(tile.seams) { if isFault { wrong.append(line) } else { known.append(line) } }
        if let measured = tile.measured {
            let line = "measured: \(TraceText.words(measured))"
            if measured.late > 0 { wrong.append(line) } else { known.append(line) }
        }
        return (wrong, known)
    }

    /// Number of seams of a tile that have lines of their own, although they have the same in common. More share a line.
    private static let mostLines = 10
    /// Most seams that are named in one line.
    private static let mostNames = 100

    /// Returns a line for each seam of a tile, or for many seams that have the same in common.
    private static func seamLines(_ seams: [PredictedSeam]) -> [(isFault: Bool, line: String)] {
        let alike = Dictionary(grouping: seams, by: words)
        var isNamed: Set<String> = []
        return seams.compactMap { seam in
            let words = words(seam), others = alike[words] ?? []
            if others.count <= mostLines { return (!seam.isSeamless, "\(name(seam)): \(words)") }
            guard isNamed.insert(words).inserted else { return nil }
            let names = others.prefix(mostNames).map(name).joined(separator: ", ")
            let more = others.count > mostNames ? " and \((others.count - mostNames).grouped) more" : ""
            return (!seam.isSeamless, "\(names)\(more): \(words)")
        }
    }

    /// Sources that can't be played and tiles that wait are named in lines of their own.
    private static func words(_ seam: PredictedSeam) -> String {
        let reasons = seam.reasons.filter { ![.turns, .broken].contains($0.code) }.map(\.words)
        let others = [
            seam.reasons.contains { $0.code == .broken } ? "a source can't be played" : nil,
            seam.reasons.contains { $0.code == .turns } ? "the tile does not always play" : nil,
        ].compactMap { $0 }
        let fade = [seam.wordsOnFade].compactMap { $0 }
        if !seam.isSeamless { return (reasons + others + fade).joined(separator: "; ") }
        return ([(fade + ["seamless"]).joined(separator: ", ")] + reasons).joined(separator: "; ")
    }

    private static func words(_ timing: DecodeBench.Outcome) -> [String] {
        let left =
            timing.unmeasured == 0
            ? []
            : ["not measured: \(timing.unmeasured.grouped) of \((timing.measured + timing.unmeasured).grouped) films"]
        guard timing.measured > 0 else { return left }
        let (needed, cores) = (fixed(timing.judge.needed, 2), timing.judge.cores)
        return ["decoding takes at most \(needed) of \(cores) core\(cores == 1 ? "" : "s")"] + left
    }

    private static func verdict(_ preflight: Preflight) -> String {
        let seams = preflight.tiles.flatMap(\.seams)
        let bad = seams.count { !$0.isSeamless }
        switch preflight.status {
        case ExitStatus.done: return "seamless on \(preflight.pipelines) pipelines"
        case ExitStatus.seams where !preflight.plays:
            return "nothing can be played yet; the wall waits for sources that can't be reached"
        case ExitStatus.seams:
            return bad > 0
                ? "playable, with \(bad) of \(seams.count) seams that can be seen or heard"
                : "playable, with interruptions"
        default: return "nothing can be played"
        }
    }

    private static func name(_ seam: PredictedSeam) -> String {
        let place =
            switch seam.kind {
            case .loop: "loop"
            case .round: "repeat of item \(seam.item)"
            case .next: "to item \(seam.item)"
            case .segment: "segment of item \(seam.item)"
            }
        return place + (seam.at.map { " at \(fixed($0.seconds, 3)) s" } ?? "")
    }

    static func words(_ finding: SourceFinding?, isMuted: Bool = false) -> String {
        switch finding {
        case .success(let facts)?: words(facts, isMuted: isMuted)
        case .failure(let trouble)?: "can't be played: \(trouble.what) (\(trouble.kind.rawValue))"
        case nil: ""
        }
    }

    /// The stored size, and the displayed size if it differs.
    private static func size(_ facts: SourceFacts) -> String {
        func words(_ size: Size) -> String { "\(size.width)x\(size.height)" }
        let reasons = [
            facts.frames.sampleAspect.map { "sample aspect \($0)" },
            facts.frames.rotation == .none ? nil : "turned by \(facts.frames.rotation.rawValue)",
        ].compactMap { $0 }
        if facts.natural == facts.storage, reasons.isEmpty { return words(facts.natural) }
        return "\(words(facts.storage)) shown as \(words(facts.natural)) (\(reasons.joined(separator: ", ")))"
    }

    private static func words(_ facts: SourceFacts, isMuted: Bool = false) -> String {
        var parts: [String] = []
        switch facts.kind {
        case .still: parts.append("still image, \(facts.codec), \(size(facts))")
        case .sound: parts.append("sound only")
        case .video:
            parts.append("\(facts.codec), \(size(facts))")
            if let rate = facts.frames.rate {
                parts.append("\(fixed(Double(rate.numerator) / Double(rate.denominator), 3)) frames a second")
            }
        }
        if let colours = facts.frames.colorimetry, facts.kind == .video { parts.append(colours.words) }
        if let fields = facts.frames.fields?.words { parts.append(fields) }
        if facts.live != nil { parts.append("live") }
        if let length = facts.length, facts.kind != .still { parts.append("\(fixed(length.seconds, 3)) s") }
        let tracks = facts.soundTracks.map { track in
            "\(track.codec) \(track.channels) ch" + (track.language.map { " (\($0))" } ?? "")
        }
        if facts.kind != .still, !isMuted {
            parts.append(tracks.isEmpty ? "no sound" : "sound " + tracks.joined(separator: " + "))
        }
        return parts.joined(separator: ", ")
    }
}

extension [String] {
    /// Each line once, with the number of its places if there are several.
    var counted: [String] {
        var counts: [String: Int] = [:]
        for line in self { counts[line, default: 0] += 1 }
        return compactMap { line in
            guard let count = counts.removeValue(forKey: line) else { return nil }
            return count == 1 || line.hasPrefix(" ") ? line : "\(line) (\(count.grouped) times)"
        }
    }
}
