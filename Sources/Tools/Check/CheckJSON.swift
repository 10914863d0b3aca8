import Analysis
import Base
import Console
import Layout
import Media

/// Output of `check --json`.
enum CheckJSON {
    static func text(_ value: PropertyValue) -> String { JSONWriter.text(value, escaping: .unprintable) }

    static func value(of mistakes: Mistakes, _ path: String) -> PropertyValue {
        (["layout": .text(path)] as PropertyValue).adding(value(of: mistakes))
    }

    private static func value(of mistakes: Mistakes?) -> PropertyValue {
        let list = (mistakes?.listed ?? []).map { mistake -> PropertyValue in
            [
                "line": .integer(mistake.position.line), "column": .integer(mistake.position.column),
                "where": .text(mistake.place),
                "what": .text(mistake.text),
            ]
        }
        return ["mistakes": .list(list), "more": .integer(mistakes?.more ?? 0)]
    }

    private static func song(_ song: SongWithFiles) -> PropertyValue {
        func entry(_ header: String, _ place: TextPosition, _ more: PropertyValue) -> PropertyValue {
            let head: PropertyValue = [
                "header": .text(header), "line": .integer(place.line), "column": .integer(place.column),
            ]
            return head.adding(more)
        }
        let missing = song.unusableFiles.map { lack in
            entry(lack.header, lack.place, ["path": .text(lack.path), "what": .text(lack.reason)])
        }
        let remarks = song.remarks.map { entry(String($0.place.dropFirst()), $0.position, ["what": .text($0.text)]) }
        let head: PropertyValue = [
            "song": .text(song.path), "missing": .list(missing), "remarks": .list(remarks),
            "refusal": .textOrNull(song.refusal),
        ]
        return head.adding(value(of: song.mistakes))
    }

    static func value(of preflight: Preflight) -> PropertyValue {
        let mends = Dictionary(uniqueKeysWithValues: preflight.mends.map { ($0.source, $0) })
        let timing = preflight.timing.map { timing -> PropertyValue in
            [
                "cores": .integer(timing.judge.cores), "needed": .number(timing.judge.needed),
                "measured": .integer(timing.measured), "unmeasured": .integer(timing.unmeasured),
            ]
        }
        let head: PropertyValue = [
            "mistakes": .list([]), "pipelines": .integer(preflight.pipelines), "timing": timing ?? .null,
            "seamless": .flag(preflight.status == ExitStatus.done),
            "tiles": .list(preflight.tiles.map { tile($0, preflight, mends) }),
            "songs": .list(preflight.songs.map(song)),
        ]
        return head.adding(.object(CheckFinding.fields(of: preflight.wholeFindings)))
            .adding(["run": preflight.measured.map(run) ?? .null])
    }

    private static func tile(
        _ tile: CheckedTile, _ preflight: Preflight, _ mends: [String: Remedy]
    ) -> PropertyValue {
        let items = tile.layout.play.enumerated().map { place, item in
            self.item(item, length: tile.timeline.sequence.itemLength(place), preflight)
        }
        let value: PropertyValue = [
            "id": .text(tile.layout.name), "name": .text(tile.layout.words),
            "length": time(tile.timeline.iterationLength), "items": .list(items),
            "waits": .textOrNull(tile.wait?.words), "no-room": .flag(tile.isCrowdedOut),
            "cores": .numberOrNull(tile.load?.cores), "too-slow": .textOrNull(tile.slowness),
            "silences": .list(tile.silences.map(silence)), "seams": .list(tile.seams.map { seam($0, mends) }),
        ]
        return tile.measured.map { value.adding(["measured": measured($0)]) } ?? value
    }

    private static func item(_ item: Item, length: Time?, _ preflight: Preflight) -> PropertyValue {
        let segments = item.segments.map { segment in
            let head: PropertyValue = [
                "source": .text(segment.name), "out-past-end": .flag(preflight.judge.cutOut(of: segment) != nil),
            ]
            return head.adding(value(of: preflight.sources.findings[segment.source]))
        }
        let sounds = item.audio.sources.compactMap { source in
            preflight.sound(source, under: item).map { facts in
                (["source": .text(SourceName.withoutSecrets(source))] as PropertyValue).adding(
                    value(of: .success(facts)))
            }
        }
        let whole = segments.count == 1 ? segments[0] : ["length": time(length), "segments": .list(segments)]
        return sounds.isEmpty ? whole : whole.adding(["sounds": .list(sounds)])
    }

    private static func silence(_ silence: Silence) -> PropertyValue {
        ["code": .text(silence.code.rawValue), "item": .integerOrNull(silence.item), "what": .text(silence.words)]
    }

    private static func seam(_ seam: PredictedSeam, _ mends: [String: Remedy]) -> PropertyValue {
        let reasons = seam.reasons.map { reason -> PropertyValue in
            // One command mends all that is wrong with a file.
            let mend = reason.remedy.flatMap { mends[$0.source]?.command }
            return [
                "code": .text(reason.code.rawValue), "fault": .flag(reason.isFault), "what": .text(reason.words),
                "mend": .textOrNull(mend),
            ]
        }
        return [
            "kind": .text(seam.kind.rawValue), "item": .integer(seam.item), "at": time(seam.at),
            "fade": time(seam.fade), "seamless": .flag(seam.isSeamless), "reasons": .list(reasons),
        ]
    }

    private static func measured(_ measured: MeasuredSeams) -> PropertyValue {
        [
            "seams": .integer(measured.count), "late": .integer(measured.late), "worst-ms": .number(measured.worst),
            "reasons": .list(measured.reasons.map(PropertyValue.text)),
        ]
    }

    private static func run(_ run: TraceSummary) -> PropertyValue {
        let hours = run.hours.sorted { $0.key < $1.key }.map { hour, counts in
            (["hour": .integer(hour)] as PropertyValue).adding(sums(counts, isCounted: run.isCounted(hour: hour)))
        }
        let troubles = run.troubles.map { trouble -> PropertyValue in
            [
                "source": .text(trouble.source), "what": .text(trouble.what), "count": .integer(trouble.count),
                "hours": .list(trouble.hours.sorted().map(PropertyValue.integer)),
            ]
        }
        return [
            "length": .number(run.length.seconds), "ended": .flag(run.hasEnded), "counted-to": time(run.countedTo),
            "all": sums(run.total, isCounted: run.countedTo != nil), "hours": .list(hours),
            "troubles": .list(troubles),
        ]
    }

    /// Counts of frames are null until they are known.
    private static func sums(_ sums: TraceSummary.Sums, isCounted: Bool) -> PropertyValue {
        func frames(_ count: Int) -> PropertyValue { isCounted ? .integer(count) : .null }
        return [
            "presented": frames(sums.presented), "late": frames(sums.late), "missed": frames(sums.dropped),
            "stalls": frames(sums.stalls), "seams": .integer(sums.seams), "late-seams": .integer(sums.lateSeams),
            "troubles": .integer(sums.troubles),
        ]
    }

    private static func time(_ time: Time?) -> PropertyValue { .numberOrNull(time?.seconds) }

    static func value(of finding: SourceFinding?) -> PropertyValue {
        switch finding {
        case .success(let facts)?:
            let (frames, rate) = (facts.frames, facts.frames.rate)
            return [
                "opens": .flag(true), "kind": .text("\(facts.kind)"), "codec": .text(facts.codec),
                "container": .text(facts.container), "width": .integer(facts.natural.width),
                "height": .integer(facts.natural.height), "coded-width": .integer(facts.storage.width),
                "coded-height": .integer(facts.storage.height),
                "sample-aspect": facts.kind == .sound ? .null : .text(frames.sampleAspect ?? "1:1"),
                "rotation": .integer(frames.rotation.rawValue), "field-order": .textOrNull(frames.fields?.rawValue),
                "colorimetry": frames.colorimetry?.json ?? .null, "pixel-format": .textOrNull(frames.pixelFormat),
                "rate": .numberOrNull(rate.map { Double($0.numerator) / Double($0.denominator) }),
                "length": time(facts.length), "video-after-sound": .number(facts.lead.seconds),
                "live": .flag(facts.live != nil), "sound-tracks": .integer(facts.soundTracks.count),
            ]
        case .failure(let trouble)?:
            return ["opens": .flag(false), "kind": .text(trouble.kind.rawValue), "what": .text(trouble.what)]
        case nil: return [:]
        }
    }
}
