import Analysis
import Base
import Console
import Layout
import Lyrics
import Media
import Opened

/// Facts of a source; its trouble if it can't be opened.
typealias SourceFinding = Result<SourceFacts, SourceTrouble>

extension CheckFinding {
    /// Returns the findings on a layout, in the order of the text. Opens the sound input and the bed, and reads lyrics.
    /// Blocks as long as that takes. `whole`: the layout as it was written.
    static func all(of preflight: Preflight, _ whole: Layout) -> [CheckFinding] {
        let layout = preflight.layout, inspected = preflight.sources.inspections.sources
        func facts(_ source: String) -> OpenedFacts? { inspected[source]?.facts ?? preflight.facts(of: source)?.opened }
        var all = onDurations(preflight, in: whole) + onCrops(preflight)
        if let input = layout.audio.input { all.append(onInput(input)) }
        all += layout.sharedPorts.map { CheckFinding(.sharedPorts, title: $0, lines: [], json: .text($0)) }
        if let bed = layout.audio.bed { all.append(onBed(bed.source)) }
        for entry in layout.breaks {
            for source in entry.sources {
                let finding = preflight.sources.findings[source]
                all.append(on(source, finding, .breaks, "the break \(entry.name)", ["name": .text(entry.name)]))
            }
        }
        all += onLyrics(preflight) + preflight.songs.flatMap(onSong)
        return all + layout.farKeys(facts) + layout.breakFades(facts)
    }

    /// Films with a `duration`, which has no effect on them. On a folder, which only the written layout has, `duration`
    /// is meant for the stills among its media.
    private static func onDurations(_ preflight: Preflight, in whole: Layout) -> [CheckFinding] {
        Preflight.sequences(of: whole.ofPlayingTiles).flatMap { place, items in
            items.compactMap { item -> CheckFinding? in
                guard let duration = item.duration, case .media(let segment) = item.content,
                    let facts = preflight.facts(of: segment.source), facts.kind != .still, facts.live == nil
                else { return nil }
                let out = segment.start + duration.played(at: item.rate)
                let kind = facts.kind == .sound ? "sound" : "film"
                return onIneffectiveKey(
                    place, segment,
                    "\"duration\" has no effect on a \(kind), which is played to its end; \"out\": "
                        + "\(secondsText(out, places: 3)) would end it after \(secondsText(duration, places: 3)) s")
            }
        }
    }

    /// Items whose crop in pixels reaches beyond their frames.
    private static func onCrops(_ preflight: Preflight) -> [CheckFinding] {
        Preflight.sequences(of: preflight.layout).flatMap { place, items in
            items.flatMap { item in
                item.segments.compactMap { segment -> CheckFinding? in
                    guard let size = preflight.facts(of: segment.source)?.stored, !size.isEmpty,
                        !item.crop.fits(in: size)
                    else { return nil }
                    let words = "the crop reaches beyond its frames of \(size.width)x\(size.height): "
                    return onIneffectiveKey(place, segment, words + "\(item.crop.pixels(in: size).words) is shown")
                }
            }
        }
    }

    /// `place`: name of the tile or the break.
    private static func onIneffectiveKey(_ place: String, _ segment: Item.Segment, _ words: String) -> CheckFinding {
        CheckFinding(
            .ineffective, title: place, lines: ["\(segment.name): \(words)"],
            json: ["where": .text(place), "source": .text(segment.name), "what": .text(words)])
    }

    private static func onInput(_ name: String) -> CheckFinding {
        let trouble = SoundInputProbe.trouble(of: name)
        return CheckFinding(
            .input, title: "the sound input \(name)",
            lines: [trouble.map { "\($0.what) (\($0.kind.rawValue)); it is waited for" } ?? "it is there"],
            isFault: trouble != nil, json: ["name": .text(name), "trouble": .textOrNull(trouble?.what)])
    }

    private static func onBed(_ source: String) -> CheckFinding {
        let lack = SourceTrouble(.unsupported, "there is no sound in it")
        let finding = CheckedSources.opened(source).flatMap { $0.soundTracks.isEmpty ? .failure(lack) : .success($0) }
        return on(source, finding, .bed, "the bed", [:])
    }

    private static func on(
        _ source: String, _ finding: SourceFinding?, _ kind: Kind, _ title: String, _ head: PropertyValue
    ) -> CheckFinding {
        let name = SourceName.withoutSecrets(source)
        return CheckFinding(
            kind, title: title, lines: ["\(name): \(CheckText.words(finding))"],
            isFault: (try? finding?.get()) == nil,
            json: head.adding(["source": .text(name)]).adding(CheckJSON.value(of: finding)))
    }

    /// Lyrics that can't be read, and media for whose words `auto` looks and finds none.
    private static func onLyrics(_ preflight: Preflight) -> [CheckFinding] {
        let items = Preflight.sequences(of: preflight.layout).flatMap(\.items)
        var (wanted, media): ([LyricsSource: Set<Int?>], Set<String>) = ([:], [])
        for item in items {
            for source in item.lyricsSources {
                switch source {
                case .auto(let medium):
                    media.insert(medium)
                    continue
                case .file: break
                case .track(_, let medium):
                    // Only a film can have the track.
                    guard let facts = preflight.facts(of: medium), facts.kind == .video, facts.live == nil
                    else { continue }
                }
                wanted[source, default: []].insert(item.voice)
            }
        }
        let unreadable = UnreadableLyrics.find(wanted).map { source, trouble in
            CheckFinding(
                .lyrics, title: "the words \(source)", lines: [trouble.what],
                json: ["source": .text(source), "trouble": .text(trouble.what)])
        }
        let wordless = media.filter { source in
            guard let facts = preflight.facts(of: source), facts.kind != .still, facts.live == nil else {
                return false
            }
            return !LyricsSource.findsWords(of: source)
        }
        let words =
            "none: there is no file of its name that ends in .ass, .lrc, .srt or .vtt, and no subtitle track in it"
        return unreadable
            + wordless.sorted().map { SourceName.withoutSecrets($0) }.map { name in
                CheckFinding(
                    .withoutWords, title: "the words of \(name)", lines: [words], isFault: false,
                    json: .text(name))
            }
    }

    /// Mistakes and oddities of a song.
    private static func onSong(_ song: SongWithFiles) -> [CheckFinding] {
        let name = "the song \(SourceName.withoutSecrets(song.path))"
        let odd = (song.mistakes?.lines(path: song.path) ?? []) + song.remarks.map(song.words)
        let unusable = song.refusal == nil ? song.unusableFiles.map(song.words) : odd
        return [
            CheckFinding(title: name, lines: unusable),
            CheckFinding(title: name, lines: song.refusal == nil ? odd : [], isFault: false),
        ].filter { !$0.lines.isEmpty }
    }
}
