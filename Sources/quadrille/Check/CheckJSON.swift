import Media
import WallCore

/// What `check --json` prints.
enum CheckJSON {
    static func of(_ mistakes: Mistakes, _ path: String) -> String {
        let list = mistakes.listed.map { mistake in
            JSONText.object([
                ("line", .number(mistake.line)), ("column", .number(mistake.column)), ("where", .text(mistake.place)),
                ("what", .text(mistake.text)),
            ])
        }
        return JSONText.object([("layout", .text(path)), ("mistakes", .list(list)), ("more", .number(mistakes.more))])
            .rendered
    }

    static func of(_ preflight: Preflight) -> String {
        let judge = preflight.judge
        let seams = judge.seams()
        let (waits, mends) = (judge.waits(), judge.mends())
        let silences = preflight.silences
        let tiles = preflight.layout.tiles.indices.map { index -> JSONText in
            let tile = preflight.layout.tiles[index]
            let timeline = judge.timeline(of: index)
            var fields: [(String, JSONText)] = [
                ("id", .text(tile.id)), ("length", time(timeline.passLength)),
                (
                    "items",
                    .list(
                        tile.play.enumerated().map { place, item in
                            self.item(item, length: timeline.itemLength(place), preflight, judge)
                        })
                ), ("waits", waits.first { $0.tile == index }.map { .text($0.reason.words) } ?? .null),
                ("silences", .list(silences.filter { $0.tile == index }.map(silence))),
                ("seams", .list(seams.filter { $0.tile == index }.map { self.seam($0, mends) })),
            ]
            if let measured = preflight.measured?[index] { fields.append(("measured", self.measured(measured))) }
            return .object(fields)
        }
        return JSONText.object([
            ("mistakes", .list([])), ("pipelines", .number(preflight.pipelines)),
            ("seamless", .bool(preflight.status == ExitStatus.done)), ("tiles", .list(tiles)),
            (
                "bed",
                preflight.bed.map {
                    .object([("source", .text(SourceName.withoutSecrets($0.source)))] + fields($0.finding))
                } ?? .null
            ),
        ]).rendered
    }

    private static func item(
        _ item: Item, length: Time?, _ preflight: Preflight, _ judge: SeamJudge
    ) -> JSONText {
        let segments = item.pieces.map { piece in
            JSONText.object(
                [("source", .text(piece.name)), ("out-past-end", .bool(judge.cutOut(of: piece) != nil))]
                    + fields(preflight.findings[piece.source]))
        }
        return segments.count == 1 ? segments[0] : .object([("length", time(length)), ("segments", .list(segments))])
    }

    private static func silence(_ silence: Silence) -> JSONText {
        .object([
            ("code", .text(silence.code.rawValue)), ("item", silence.item.map { .number($0) } ?? .null),
            ("what", .text(silence.words)),
        ])
    }

    private static func seam(_ seam: Seam, _ mends: [Remedy]) -> JSONText {
        let reasons = seam.reasons.map { reason in
            JSONText.object([
                ("code", .text(reason.code.rawValue)), ("what", .text(reason.words)),
                ("mend", mend(reason, mends)),
            ])
        }
        return .object([
            ("kind", .text(seam.kind.rawValue)), ("item", .number(seam.item)), ("at", time(seam.at)),
            ("seamless", .bool(seam.isSeamless)), ("reasons", .list(reasons)),
        ])
    }

    /// One command mends all that is wrong with a file.
    private static func mend(_ reason: SeamReason, _ mends: [Remedy]) -> JSONText {
        guard let source = reason.remedy?.source, let all = mends.first(where: { $0.source == source }) else {
            return .null
        }
        return .text(all.command)
    }

    private static func measured(_ measured: MeasuredSeams) -> JSONText {
        .object([
            ("seams", .number(measured.count)), ("late", .number(measured.late)),
            ("worst-ms", .decimal(measured.worst, places: 3)), ("reasons", .list(measured.reasons.map { .text($0) })),
        ])
    }

    private static func time(_ time: Time?) -> JSONText { time.map { .decimal($0.seconds, places: 6) } ?? .null }

    private static func fields(_ finding: Result<SourceFacts, SourceTrouble>?) -> [(String, JSONText)] {
        switch finding {
        case .success(let facts)?:
            [
                ("opens", .bool(true)), ("kind", .text("\(facts.kind)")), ("codec", .text(facts.codec)),
                ("container", .text(facts.container)), ("width", .number(facts.natural.width)),
                ("height", .number(facts.natural.height)),
                (
                    "rate",
                    facts.rate.map { .decimal(Double($0.numerator) / Double($0.denominator), places: 6) } ?? .null
                ), ("length", time(facts.length)), ("live", .bool(facts.traits.live != nil)),
                ("sound-tracks", .number(facts.soundTracks.count)),
            ]
        case .failure(let trouble)?:
            [("opens", .bool(false)), ("kind", .text(trouble.kind.rawValue)), ("what", .text(trouble.what))]
        case nil: []
        }
    }
}
