import Analysis
import Base
import Console
import Engine
import Files
import Layout
import Lyrics
import Media
import Opened
import Speaker
import Threads

/// The sources of a layout: those of its tiles, opened and read by `check`, and those of its breaks and the sounds that
/// are laid under frames, which are only opened.
struct CheckedSources {
    private(set) var findings: [String: SourceFinding] = [:]
    /// Sources of the tiles.
    private(set) var inspections = Inspections()

    /// Opens and reads every source. Blocks as long as that takes.
    init(of layout: Layout) {
        var stretches: [String: Set<Item.Segment>] = [:]
        for segment in layout.tiles.flatMap({ $0.play.flatMap(\.segments) }) {
            stretches[segment.source, default: []].insert(segment)
        }
        // Files are weighted by their bytes; other sources do not count.
        let sizes = layout.sources.map { SourceName.path(of: $0).flatMap { FileIdentity(path: $0)?.size } ?? 0 }
        var bar = ProgressBar(total: sizes.reduce(0, +), .bytes), done: Int64 = 0
        for (source, size) in zip(layout.sources, sizes) {
            inspect(source, stretches[source] ?? []) { bar.show(done + Int64($0 * Double(size))) }
            done += size
        }
        ProgressBar.clear()
        let sounds = layout.tiles.flatMap { $0.play.flatMap(\.audio.sources) }
        for source in sounds + layout.breaks.flatMap(\.sources) where findings[source] == nil {
            findings[source] = Self.opened(source)
        }
    }

    /// Returns the facts of a source; nil if it can't be played.
    func facts(of source: String) -> SourceFacts? { try? findings[source]?.get() }

    // MARK: opening

    static func opened(_ source: String) -> SourceFinding {
        if let input = DeviceAddress.soundInput(source) {
            return SoundInputProbe.trouble(of: input).map { .failure($0) } ?? .success(.soundInput)
        }
        return results(for: [source]) { source, deadline throws(SourceTrouble) in
            try Source.open(source, deadline: deadline).facts
        }[0]
    }

    /// `show` gets the share of the source that was read, from 0 to 1, several times a second.
    private mutating func inspect(_ location: String, _ stretches: Set<Item.Segment>, show: (Double) -> Void) {
        if DeviceAddress.soundInput(location) != nil {
            findings[location] = Self.opened(location)
            guard case .success? = findings[location] else { return }
            inspections.sources[location] = SourceInspection(facts: .soundInput, codec: "", startsWithKeyFrame: true)
            return
        }
        do throws(SourceTrouble) {
            let source = try TimedTask { deadline throws(SourceTrouble) in
                try Source.open(location, deadline: deadline)
            }.value()
            if let refusal = source.facts.opened.refusal { throw refusal }
            let reached = Locked(Time.zero), length = source.facts.length ?? .zero
            // A live source may allow only one connection.
            let inspection =
                source.facts.live != nil
                ? Inspector.opened(source)
                : try TimedTask { deadline throws(SourceTrouble) in
                    try Inspector.inspect(location, deadline: deadline) { time in reached.locked { $0 = time } }
                }.value {
                    if length > .zero { show(min(max(0, reached.locked { $0 }.seconds / length.seconds), 1)) }
                }
            inspections.sources[location] = inspection
            var facts = source.facts
            // If timestamps jump, a wall goes on counting, and plays longer than the container states.
            let jumps = inspection.damages.contains(.jumpingTimestamps)
            facts.length = (jumps ? inspection.facts.length : nil) ?? facts.length ?? inspection.facts.length
            findings[location] = .success(facts)
            guard facts.kind == .video, facts.isAtHand, let length = inspection.facts.length else {
                return
            }
            for segment in stretches where segment.start < length {
                let end = min(segment.end ?? length, length)
                inspections.stretches[segment] = try Inspector.look(at: source, from: segment.start, to: end)
            }
            // A decoded frame is more reliable than the container.
            guard let coded = stretches.compactMap({ inspections.stretches[$0]?.coded }).first else { return }
            facts.frames.colorimetry = coded.colorimetry
            inspections.sources[location]?.colours = coded.colorimetry
            facts.frames.fields = coded.fields == .progressive ? facts.frames.fields : coded.fields
            findings[location] = .success(facts)
        } catch {
            findings[location] = .failure(error)
            inspections.sources[location] = nil
        }
    }
}

extension BreakLayout {
    /// All sources of its items, once each.
    var sources: [String] { Set(play.flatMap { $0.segments.map(\.source) + $0.audio.sources }).sorted() }
}

/// Tests whether a sound input is there.
enum SoundInputProbe {
    private static let patience: Int64 = 3_000_000_000

    /// Returns the trouble of a sound input. nil if it is there. Waits until the input has sent sound, or the server
    /// reports that it is not there.
    static func trouble(of name: String) -> SourceTrouble? {
        let answer = Locked<Result<Void, SourceTrouble>?>(nil)
        @Sendable func note(_ what: Result<Void, SourceTrouble>) { answer.change { $0 = $0 ?? what } }
        let input = SoundInput(
            name.isEmpty ? nil : name, take: { _, _ in note(.success(())) },
            loss: { note(.failure(SourceTrouble(.unreachable, $0))) })
        guard let input else { return SourceTrouble(.unreachable, "the system has no thread for it") }
        let reported = answer.wait(by: monotonicNanoseconds() + patience) { $0 }
        input.stop()
        return switch reported {
        case .success: nil
        case .failure(let trouble): trouble
        case nil: SourceTrouble(.timeout, "no sound came from it in time")
        }
    }
}

/// Lyrics that `check` can't read.
enum UnreadableLyrics {
    /// Returns the lyrics that can't be read. They are read in the same way as for drawing. `wanted`: the voices of
    /// each that are shown; nil if all are meant.
    static func find(_ wanted: [LyricsSource: Set<Int?>]) -> [(source: String, trouble: SourceTrouble)] {
        if wanted.isEmpty { return [] }
        let troubles = Locked<[(source: String, trouble: SourceTrouble)]>([])
        let library = LyricsLibrary {}
        library.onTrouble { source, trouble in troubles.locked { $0.append((source.name, trouble)) } }
        for source in wanted.keys { _ = library.words(of: source) }
        _ = library.settle(within: patience)
        library.onTrouble(nil)
        for (source, voices) in wanted {
            guard case .lines(let lyrics)? = library.words(of: source)?.words else { continue }
            let lacking = voices.compactMap { $0.flatMap(lyrics.trouble(ofVoice:)) }
            troubles.locked { $0 += lacking.map { (source.name, $0) } }
        }
        _ = library.stop(within: 1_000_000_000)
        return troubles.locked { $0 }.sorted { $0.source < $1.source }
    }

    private static let patience: Int64 = 10_000_000_000
}
