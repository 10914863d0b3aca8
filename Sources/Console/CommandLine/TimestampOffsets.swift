import Base
import Engine
import Media
import Scene

/// Returns how far each clip after the first is ahead of it if frames of equal timestamps belong together. Prints which
/// clips that moves. Opens the clips that are local files, which blocks as long as that takes; any other clip counts as
/// beginning with its first frame.
func offsetsByTimestamps(of clips: [String]) -> [Time] {
    let tasks = clips.map { clip in
        SourceName.path(of: clip) == nil
            ? nil
            : TimedTask { deadline throws(SourceTrouble) in
                try Source.open(OpenTerms(clip), probing: .headSuffices, deadline: deadline).facts
            }
    }
    // A clip that can't be opened is reported when it is to be played.
    let facts = tasks.map { task -> SourceFacts? in
        guard let task else { return nil }
        do throws(SourceTrouble) { return try task.value() } catch { return nil }
    }
    return zip(clips, facts).dropFirst().map { clip, film in
        guard let film, let reference = facts[0] else { return .zero }
        let offset = film.offset(byTimestampsOf: reference)
        if offset != .zero {
            let leads = [film, reference].map { "\(fixed($0.lead.seconds, 3)) s" }
            printLine(
                "quadrille: \(SourceName.withoutSecrets(clip)): its video begins \(leads[0]) after its sound, that of "
                    + "\(SourceName.withoutSecrets(clips[0])) \(leads[1]): offset \(offset.signedText) s, by timestamps; "
                    + "--offset 0 pairs the first frames")
        }
        return offset
    }
}
