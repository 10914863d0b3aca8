import Base
import Engine
import Media
import Scene

/// Opens the sources of these names. Throws if one can't be compared. `complaint`: returns why a source is refused, nil
/// if it is not.
public func openedSources(_ names: [String], complaint: (SourceFacts) -> String?) throws(Failure) -> [Source] {
    let tasks = names.map { name in
        TimedTask { deadline throws(SourceTrouble) in try Source.open(name, deadline: deadline) }
    }
    var (sources, lines): ([Source], [String]) = ([], [])
    for (name, task) in zip(names, tasks) {
        do throws(SourceTrouble) {
            let source = try task.value()
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
        return traits.live == nil ? nil : "live sources can't be compared"
    }
}
