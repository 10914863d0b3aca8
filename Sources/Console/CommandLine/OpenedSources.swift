import Base
import Engine
import Media
import Opened

/// Runs `work` for each element on a thread of its own, for at most `width` of them at once, and returns the results in
/// their order. Waits for each until its deadline is over, at most `limit` nanoseconds, and calls `look` several times a
/// second meanwhile.
public func results<Element: Sendable, Value>(
    for elements: some Sequence<Element>, atOnce width: Int = .max, within limit: Int64 = .max, look: () -> Void = {},
    _ work: @escaping @Sendable (Element, Deadline) throws(SourceTrouble) -> Value
) -> [Result<Value, SourceTrouble>] {
    let elements = Array(elements)
    return stride(from: 0, to: elements.count, by: width).flatMap { start in
        let tasks = elements[start...].prefix(width).map { element in
            TimedTask { deadline throws(SourceTrouble) in try work(element, deadline) }
        }
        return tasks.map { task in Result { () throws(SourceTrouble) in try task.value(within: limit, look: look) } }
    }
}

/// Opens the sources of these names. Throws if one can't be compared. `complaint`: returns why a source is refused, nil
/// if it is not.
public func openedSources(_ names: [String], complaint: (SourceFacts) -> String?) throws(Failure) -> [Source] {
    var (sources, lines): ([Source], [String]) = ([], [])
    let opened = results(for: names) { name, deadline throws(SourceTrouble) in
        try Source.open(name, deadline: deadline)
    }
    for (name, result) in zip(names, opened) {
        do throws(SourceTrouble) {
            let source = try result.get()
            if let complaint = complaint(source.facts) { throw SourceTrouble(.unsupported, complaint) }
            sources.append(source)
        } catch {
            lines.append("quadrille: \(name): \(error.what) (\(error.kind.rawValue))")
        }
    }
    guard lines.isEmpty else { throw Failure(lines: lines, status: ExitStatus.failed) }
    return sources
}

extension SourceFacts {
    /// Why the source can't be compared with another; nil if it can.
    public var complaintOfComparing: String? {
        if opened.kind == .sound { return "there is no video in it" }
        return opened.live == nil ? nil : "live sources can't be compared"
    }
}

/// Returns how far each clip after the first is ahead of it if frames of equal timestamps belong together. Prints which
/// clips that moves. Opens the clips that are local files, which blocks as long as that takes; any other clip counts as
/// beginning with its first frame.
func offsetsByTimestamps(of clips: [String]) -> [Time] {
    let opened = results(for: clips) { clip, deadline throws(SourceTrouble) -> SourceFacts? in
        if SourceName.path(of: clip) == nil { return nil }
        return try Source.open(OpenTerms(clip), probing: .headSuffices, deadline: deadline).facts
    }
    // A clip that can't be opened is reported when it is to be played.
    let facts = opened.map { try? $0.get() }
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
