import Analysis
import Base
import Media

/// Facts of a source; its trouble if it can't be opened.
typealias SourceFinding = Result<SourceFacts, SourceTrouble>

extension SourceFinding {
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// A finding on a layout as a whole: its lines of text and its value in JSON.
struct CheckFinding {
    /// Subject of the finding, a line of its own.
    let title: String
    var lines: [String] = []
    let isFault: Bool
    var json = PropertyValue.null
}

extension Preflight {
    /// All findings, in the order of the text.
    var wholeFindings: [CheckFinding] {
        let sources = [inputFinding].compactMap { $0 } + portFindings + [bedFinding].compactMap { $0 } + breakFindings
        return ineffectiveFindings + sources + lyricsFindings
            + wordlessFindings + songFindings + keyFindings + fadeFindings
    }

    /// A finding for each tile or break with keys that have no effect.
    private var ineffectiveFindings: [CheckFinding] {
        var places: [String] = []
        for key in ineffective where !places.contains(key.place) { places.append(key.place) }
        return places.map { place in
            let keys = ineffective.filter { $0.place == place }.map { "\($0.source): \($0.words)" }
            return CheckFinding(title: place, lines: keys.counted, isFault: true)
        }
    }

    var inputFinding: CheckFinding? {
        input.map { name, trouble in
            CheckFinding(
                title: "the sound input \(name)",
                lines: [trouble.map { "\($0.what) (\($0.kind.rawValue)); it is waited for" } ?? "it is there"],
                isFault: trouble != nil, json: ["name": .text(name), "trouble": .textOrNull(trouble?.what)])
        }
    }

    var portFindings: [CheckFinding] {
        layout.sharedPorts.map { CheckFinding(title: $0.words, isFault: true, json: .text($0.words)) }
    }

    var bedFinding: CheckFinding? { bed.map { Self.finding("the bed", $0.source, $0.finding, [:]) } }

    var breakFindings: [CheckFinding] {
        breaks.map { Self.finding("the break \($0.name)", $0.source, $0.finding, ["name": .text($0.name)]) }
    }

    private static func finding(
        _ title: String, _ source: String, _ finding: SourceFinding, _ head: PropertyValue
    ) -> CheckFinding {
        let name = SourceName.withoutSecrets(source)
        return CheckFinding(
            title: title, lines: ["\(name): \(CheckText.words(finding))"], isFault: !finding.isSuccess,
            json: head.adding(["source": .text(name)]).adding(CheckJSON.value(of: finding)))
    }

    var lyricsFindings: [CheckFinding] {
        words.map { source, trouble in
            CheckFinding(
                title: "the words \(source)", lines: [trouble.what], isFault: true,
                json: ["source": .text(source), "trouble": .text(trouble.what)])
        }
    }

    var wordlessFindings: [CheckFinding] {
        wordless.map { SourceName.withoutSecrets($0) }.map { media in
            CheckFinding(
                title: "the words of \(media)",
                lines: [
                    "none: there is no file of its name that ends in .ass, .lrc, .srt or .vtt, and no subtitle track in it"
                ], isFault: false, json: .text(media))
        }
    }

    /// Mistakes and oddities of each song.
    private var songFindings: [CheckFinding] {
        songs.flatMap { song in
            let name = "the song \(SourceName.withoutSecrets(song.path))"
            let odd = (song.mistakes?.lines(path: song.path) ?? []) + song.remarks.map(song.words)
            let unusable = song.refusal == nil ? song.unusableFiles.map(song.words) : odd
            return [
                CheckFinding(title: name, lines: unusable, isFault: true),
                CheckFinding(title: name, lines: song.refusal == nil ? odd : [], isFault: false),
            ].filter { !$0.lines.isEmpty }
        }
    }

    /// Films that may resume late after a break that interrupts them: their key frames are far apart.
    var keyFindings: [CheckFinding] {
        breakJudge.farKeys.map { far in
            let source = SourceName.withoutSecrets(far.source)
            return CheckFinding(
                title: "the break \(far.breakName)",
                lines: [
                    "\(source): up to \(fixed(far.gap.seconds, 3)) s from one key frame to the next: where it is "
                        + "interrupted, the break's last frame may stay a while"
                ], isFault: false,
                json: ["break": .text(far.breakName), "source": .text(source), "gap": .number(far.gap.seconds)])
        }
    }

    /// Lengths of the fades into and out of breaks.
    var fadeFindings: [CheckFinding] {
        func words(_ lengths: ClosedRange<Time>) -> String {
            let ends = [lengths.lowerBound, lengths.upperBound].map { fixed($0.seconds, 3) }
            return ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
        }
        func json(_ lengths: ClosedRange<Time>) -> PropertyValue {
            .list([.number(lengths.lowerBound.seconds), .number(lengths.upperBound.seconds)])
        }
        return breakJudge.fades.map { fades in
            CheckFinding(
                title: "the break \(fades.breakName)",
                lines: ["\(fades.tile): fades \(words(fades.into)) s into it, \(words(fades.outOf)) s out of it"],
                isFault: false,
                json: [
                    "break": .text(fades.breakName), "tile": .text(fades.tile), "into": json(fades.into),
                    "out-of": json(fades.outOf),
                ])
        }
    }
}
