import Analysis
import Base
import Console
import Layout
import Lyrics
import Media
import Scene

/// Output of `check --json`.
enum CheckJSON {
    static func of(_ mistakes: Mistakes, _ path: String) -> String { text(fields(of: mistakes, path)) }

    static func of(_ preflight: Preflight, _ schedule: ScheduleOutlook?) -> String {
        text(fields(of: preflight) + [PropertyField("schedule", schedule?.json ?? .null)])
    }

    static func fields(of mistakes: Mistakes, _ path: String) -> [PropertyField] {
        [PropertyField("layout", .text(path))] + fields(of: mistakes)
    }

    private static func fields(of mistakes: Mistakes?) -> [PropertyField] {
        let list = (mistakes?.listed ?? []).map { mistake in
            PropertyValue.object([
                PropertyField("line", .integer(mistake.line)), PropertyField("column", .integer(mistake.column)),
                PropertyField("where", .text(mistake.place)),
                PropertyField("what", .text(mistake.text)),
            ])
        }
        return [PropertyField("mistakes", .list(list)), PropertyField("more", .integer(mistakes?.more ?? 0))]
    }

    private static func song(_ song: PlayedSong) -> PropertyValue {
        let missing = song.unusableFiles.map { lack in
            PropertyValue.object([
                PropertyField("header", .text(lack.header)), PropertyField("line", .integer(lack.place.line)),
                PropertyField("column", .integer(lack.place.column)), PropertyField("path", .text(lack.path)),
                PropertyField("what", .text(lack.reason)),
            ])
        }
        let remarks = song.remarks.map { remark in
            PropertyValue.object([
                PropertyField("header", .text(remark.header)), PropertyField("line", .integer(remark.place.line)),
                PropertyField("column", .integer(remark.place.column)), PropertyField("what", .text(remark.text)),
            ])
        }
        return .object(
            [
                PropertyField("song", .text(song.path)), PropertyField("missing", .list(missing)),
                PropertyField("remarks", .list(remarks)),
                PropertyField("refusal", song.refusal.map { .text($0) } ?? .null),
            ]
                + fields(of: song.mistakes))
    }

    static func fields(of preflight: Preflight) -> [PropertyField] {
        let judge = preflight.judge
        let seams = Dictionary(grouping: judge.seams(), by: \.tile)
        let silences = Dictionary(grouping: preflight.silences, by: \.tile)
        let mends = Dictionary(uniqueKeysWithValues: judge.mends().map { ($0.source, $0) })
        let tiles = preflight.layout.tiles.indices.map { index -> PropertyValue in
            let tile = preflight.layout.tiles[index]
            let timeline = judge.timeline(of: index)
            var fields: [PropertyField] = [
                PropertyField("id", .text(tile.name)), PropertyField("name", .text(tile.words)),
                PropertyField("length", time(timeline.iterationLength)),
                PropertyField(
                    "items",
                    .list(
                        tile.play.enumerated().map { place, item in
                            self.item(item, length: timeline.itemLength(place), preflight, judge)
                        })
                ), PropertyField("waits", judge.wait(of: index).map { .text($0.words) } ?? .null),
                PropertyField("no-room", .flag(preflight.crowdedOut.contains(index))),
                PropertyField("cores", preflight.timing?.judge.load(of: index).map { .number($0.cores) } ?? .null),
                PropertyField("too-slow", preflight.timing?.judge.fault(of: index).map { .text($0) } ?? .null),
                PropertyField("silences", .list((silences[index] ?? []).map(silence))),
                PropertyField("seams", .list((seams[index] ?? []).map { self.seam($0, mends) })),
            ]
            if let measured = preflight.measured?.seams[index] {
                fields.append(PropertyField("measured", self.measured(measured)))
            }
            return .object(fields)
        }
        return [
            PropertyField("mistakes", .list([])), PropertyField("pipelines", .integer(preflight.pipelines)),
            PropertyField("timing", preflight.timing.map(timing) ?? .null),
            PropertyField("seamless", .flag(preflight.status == ExitStatus.done)), PropertyField("tiles", .list(tiles)),
            PropertyField("songs", .list(preflight.songs.map(song))),
            PropertyField(
                "ineffective",
                .list(
                    preflight.ineffective.map {
                        .object([
                            PropertyField("where", .text($0.place)), PropertyField("source", .text($0.source)),
                            PropertyField("what", .text($0.words)),
                        ])
                    })
            ),
            PropertyField(
                "input",
                preflight.input.map { input in
                    .object([
                        PropertyField("name", .text(input.name)),
                        PropertyField("trouble", input.trouble.map { .text($0.what) } ?? .null),
                    ])
                } ?? .null
            ),
            PropertyField(
                "lyrics",
                .list(
                    preflight.words.map {
                        .object([
                            PropertyField("source", .text($0.source)), PropertyField("trouble", .text($0.trouble.what)),
                        ])
                    })
            ),
            PropertyField("without-words", .list(preflight.wordless.map { .text(SourceName.withoutSecrets($0)) })),
            PropertyField("shared-ports", .list(preflight.layout.sharedPorts.map { .text($0.words) })),
            PropertyField(
                "bed",
                preflight.bed.map {
                    .object([PropertyField("source", .text(SourceName.withoutSecrets($0.source)))] + fields($0.finding))
                } ?? .null
            ),
            PropertyField(
                "breaks",
                .list(
                    preflight.breaks.map {
                        .object(
                            [
                                PropertyField("name", .text($0.name)),
                                PropertyField("source", .text(SourceName.withoutSecrets($0.source))),
                            ] + fields($0.finding))
                    })
            ),
            PropertyField(
                "far-keys",
                .list(
                    preflight.farKeys.map {
                        .object([
                            PropertyField("break", .text($0.breakName)),
                            PropertyField("source", .text(SourceName.withoutSecrets($0.source))),
                            PropertyField("gap", time($0.gap)),
                        ])
                    })
            ),
            PropertyField(
                "break-fades",
                .list(
                    preflight.breakFades.map {
                        .object([
                            PropertyField("break", .text($0.breakName)), PropertyField("tile", .text($0.tile)),
                            PropertyField("into", .list([time($0.into.lowerBound), time($0.into.upperBound)])),
                            PropertyField("out-of", .list([time($0.outOf.lowerBound), time($0.outOf.upperBound)])),
                        ])
                    })
            ), PropertyField("run", preflight.measured.map(run) ?? .null),
        ]
    }

    private static func timing(_ timing: DecodeBench.Outcome) -> PropertyValue {
        .object([
            PropertyField("cores", .integer(timing.judge.cores)), PropertyField("needed", .number(timing.judge.needed)),
            PropertyField("measured", .integer(timing.measured)),
            PropertyField("unmeasured", .integer(timing.unmeasured)),
        ])
    }

    private static func text(_ fields: [PropertyField]) -> String {
        JSONWriter.text(.object(fields), escaping: .unprintable)
    }

    private static func item(
        _ item: Item, length: Time?, _ preflight: Preflight, _ judge: SeamJudge
    ) -> PropertyValue {
        let segments = item.segments.map { segment in
            [
                PropertyField("source", .text(segment.name)),
                PropertyField("out-past-end", .flag(judge.cutOut(of: segment) != nil)),
            ] + fields(preflight.findings[segment.source])
        }
        let sounds = item.audio.sources.compactMap { source in
            preflight.sound(source, under: item).map { facts in
                PropertyValue.object(
                    [PropertyField("source", .text(SourceName.withoutSecrets(source)))] + fields(.success(facts)))
            }
        }
        let beside = sounds.isEmpty ? [] : [PropertyField("sounds", .list(sounds))]
        if segments.count == 1 { return .object(segments[0] + beside) }
        return .object(
            [PropertyField("length", time(length)), PropertyField("segments", .list(segments.map { .object($0) }))]
                + beside)
    }

    private static func silence(_ silence: Silence) -> PropertyValue {
        .object([
            PropertyField("code", .text(silence.code.rawValue)),
            PropertyField("item", silence.item.map { .integer($0) } ?? .null),
            PropertyField("what", .text(silence.words)),
        ])
    }

    private static func seam(_ seam: PredictedSeam, _ mends: [String: Remedy]) -> PropertyValue {
        let reasons = seam.reasons.map { reason in
            PropertyValue.object([
                PropertyField("code", .text(reason.code.rawValue)), PropertyField("fault", .flag(reason.isFault)),
                PropertyField("what", .text(reason.words)), PropertyField("mend", mend(reason, mends)),
            ])
        }
        return .object([
            PropertyField("kind", .text(seam.kind.rawValue)), PropertyField("item", .integer(seam.item)),
            PropertyField("at", time(seam.at)), PropertyField("fade", time(seam.fade.length)),
            PropertyField("seamless", .flag(seam.isSeamless)), PropertyField("reasons", .list(reasons)),
        ])
    }

    /// One command mends all that is wrong with a file.
    private static func mend(_ reason: SeamReason, _ mends: [String: Remedy]) -> PropertyValue {
        guard let source = reason.remedy?.source, let all = mends[source] else {
            return .null
        }
        return .text(all.command)
    }

    private static func measured(_ measured: MeasuredSeams) -> PropertyValue {
        .object([
            PropertyField("seams", .integer(measured.count)), PropertyField("late", .integer(measured.late)),
            PropertyField("worst-ms", .number(measured.worst)),
            PropertyField("reasons", .list(measured.reasons.map { .text($0) })),
        ])
    }

    private static func run(_ run: TraceSummary) -> PropertyValue {
        .object([
            PropertyField("length", .number(run.length.seconds)), PropertyField("ended", .flag(run.hasEnded)),
            PropertyField("counted-to", time(run.countedTo)),
            PropertyField("all", .object(sums(run.total, isCounted: run.countedTo != nil))),
            PropertyField(
                "hours",
                .list(
                    run.hours.sorted { $0.key < $1.key }.map { hour, counts in
                        .object(
                            [PropertyField("hour", .integer(hour))]
                                + sums(counts, isCounted: run.isCounted(hour: hour)))
                    })),
            PropertyField(
                "troubles",
                .list(
                    run.troubles.map { trouble in
                        .object([
                            PropertyField("source", .text(trouble.source)), PropertyField("what", .text(trouble.what)),
                            PropertyField("count", .integer(trouble.count)),
                            PropertyField("hours", .list(trouble.hours.sorted().map { .integer($0) })),
                        ])
                    })),
        ])
    }

    /// Counts of frames are null until they are known.
    private static func sums(_ sums: TraceSummary.Sums, isCounted: Bool) -> [PropertyField] {
        func frames(_ count: Int) -> PropertyValue { isCounted ? .integer(count) : .null }
        return [
            PropertyField("presented", frames(sums.presented)), PropertyField("late", frames(sums.late)),
            PropertyField("missed", frames(sums.dropped)), PropertyField("stalls", frames(sums.stalls)),
            PropertyField("seams", .integer(sums.seams)), PropertyField("late-seams", .integer(sums.lateSeams)),
            PropertyField("troubles", .integer(sums.troubles)),
        ]
    }

    private static func time(_ time: Time?) -> PropertyValue { time.map { .number($0.seconds) } ?? .null }

    private static func fields(_ finding: Result<SourceFacts, SourceTrouble>?) -> [PropertyField] {
        switch finding {
        case .success(let facts)?:
            [
                PropertyField("opens", .flag(true)), PropertyField("kind", .text("\(facts.kind)")),
                PropertyField("codec", .text(facts.codec)),
                PropertyField("container", .text(facts.container)),
                PropertyField("width", .integer(facts.natural.width)),
                PropertyField("height", .integer(facts.natural.height)),
                PropertyField("coded-width", .integer(facts.storage.width)),
                PropertyField("coded-height", .integer(facts.storage.height)),
                PropertyField(
                    "sample-aspect", facts.kind == .sound ? .null : .text(facts.frames.sampleAspect ?? "1:1")),
                PropertyField("rotation", .integer(facts.frames.rotation.rawValue)),
                PropertyField("field-order", facts.frames.fields.map { .text($0.code) } ?? .null),
                PropertyField("colorimetry", facts.frames.colorimetry?.json ?? .null),
                PropertyField("pixel-format", facts.frames.pixelFormat.map { .text($0) } ?? .null),
                PropertyField(
                    "rate",
                    facts.frames.rate.map { .number(Double($0.numerator) / Double($0.denominator)) } ?? .null
                ), PropertyField("length", time(facts.length)),
                PropertyField("video-after-sound", .number(facts.lead.seconds)),
                PropertyField("live", .flag(facts.traits.live != nil)),
                PropertyField("sound-tracks", .integer(facts.soundTracks.count)),
            ]
        case .failure(let trouble)?:
            [
                PropertyField("opens", .flag(false)), PropertyField("kind", .text(trouble.kind.rawValue)),
                PropertyField("what", .text(trouble.what)),
            ]
        case nil: []
        }
    }
}
