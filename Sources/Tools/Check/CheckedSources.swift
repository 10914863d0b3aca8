import Analysis
import Base
import Console
import Engine
import Layout
import Media
import Scene

/// The sources of a layout's tiles, opened and read by `check`.
struct CheckedSources {
    private(set) var findings: [String: SourceFinding] = [:]
    private(set) var inspections = Inspections()
    /// Facts of sounds that are laid under frames. A broken one is left out, and costs no frame.
    private var sounds: [String: SourceFacts] = [:]

    /// Opens and reads every source. Blocks as long as that takes.
    init(of layout: Layout) {
        var stretches: [String: Set<Item.Segment>] = [:]
        for segment in layout.tiles.flatMap({ $0.play.flatMap(\.segments) }) {
            stretches[segment.source, default: []].insert(segment)
        }
        var progress = CheckProgress(layout.sources)
        for source in layout.sources {
            inspect(source, stretches[source] ?? [], &progress)
            progress.finish(source)
        }
        progress.end()
        for source in layout.tiles.flatMap({ $0.play.flatMap(\.audio.sources) }) {
            guard sounds[source] == nil, findings[source] == nil else { continue }
            sounds[source] = try? Self.facts(of: source)
        }
    }

    /// Returns the facts of a sound; nil if it can't be played.
    func facts(ofSound source: String) -> SourceFacts? { sounds[source] ?? (try? findings[source]?.get()) }

    // MARK: opening

    static func opened(_ source: String) -> SourceFinding {
        do throws(SourceTrouble) { return .success(try facts(of: source)) } catch { return .failure(error) }
    }

    static func facts(of source: String) throws(SourceTrouble) -> SourceFacts {
        if let input = DeviceAddress.soundInput(source) {
            if let trouble = SoundInputProbe.trouble(of: input) { throw trouble }
            return .soundInput
        }
        return try TimedTask { deadline throws(SourceTrouble) in try Source.open(source, deadline: deadline).facts }
            .value()
    }

    private mutating func inspect(
        _ location: String, _ stretches: Set<Item.Segment>, _ progress: inout CheckProgress
    ) {
        if let input = DeviceAddress.soundInput(location) {
            if let trouble = SoundInputProbe.trouble(of: input) {
                findings[location] = .failure(trouble)
                return
            }
            findings[location] = .success(.soundInput)
            inspections.sources[location] = SourceInspection(
                facts: .soundInput, codec: "", codecName: "", startsWithKeyFrame: true)
            return
        }
        do throws(SourceTrouble) {
            let source = try TimedTask { deadline throws(SourceTrouble) in
                try Source.open(location, deadline: deadline)
            }.value()
            if let refusal = source.facts.opened.refusal { throw refusal }
            // A live source may allow only one connection.
            let inspection =
                source.facts.traits.live != nil
                ? Inspector.opened(source)
                : try TimedTask { [time = progress.time] deadline throws(SourceTrouble) in
                    try Inspector.inspect(location, deadline: deadline) { reached in time.locked { $0 = reached } }
                }.value { progress.show(location, lasting: source.facts.length) }
            inspections.sources[location] = inspection
            var facts = source.facts
            // If timestamps jump, a wall goes on counting, and plays longer than the container states.
            let jumps = inspection.damages.contains(.jumpingTimestamps)
            facts.length = (jumps ? inspection.facts.length : nil) ?? facts.length ?? inspection.facts.length
            findings[location] = .success(facts)
            guard facts.kind == .video, facts.traits.isAtHand, let length = inspection.facts.length else {
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
