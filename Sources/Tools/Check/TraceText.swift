import Analysis
import Base

/// Text that `check` prints about a traced run.
enum TraceText {
    static func of(_ run: TraceSummary) -> (wrong: [String], known: [String]) {
        var wrong: [String] = []
        let hours = run.hours.sorted { $0.key < $1.key }.filter { $0.value.isFaulty }
        if !hours.isEmpty {
            wrong.append("by the hour")
            wrong += hours.map { hour, sums in
                "  hour \(hour + 1): \(run.isCounted(hour: hour) ? words(sums) : uncounted(sums))"
            }
        }
        if !run.troubles.isEmpty {
            wrong.append("troubles")
            wrong += run.troubles.map { trouble in
                let hours = trouble.hours.sorted().map { String($0 + 1) }.joined(separator: ", ")
                return "  \(trouble.source): \(count(trouble.count, "time")), in hour \(hours): \(trouble.what)"
            }
        }
        return (wrong, ["the run", "  \(sentence(of: run))"])
    }

    /// Counts of frames are in the trace every ten minutes and at the end. Before the first, none is known.
    private static func sentence(of run: TraceSummary) -> String {
        let total = run.total
        if run.hasEnded { return "\(span(run.length)), \(presented(total))" }
        guard let counted = run.countedTo else {
            return "\(span(run.length)) so far; how many frames were presented is not known yet: \(uncounted(total))"
        }
        return "\(span(run.length)) so far; until \(span(counted)), \(presented(total)); the rest is not known yet"
    }

    private static func presented(_ sums: TraceSummary.Sums) -> String {
        "\(count(sums.presented, "frame")) presented: \(words(sums))"
    }

    private static func span(_ length: Time) -> String {
        length >= .seconds(600) ? "\(fixed((length / 60).seconds, 0)) minutes" : "\(fixed(length.seconds, 1)) s"
    }

    static func words(_ measured: MeasuredSeams) -> String {
        if measured.count == 0 { return "no seam" }
        let all = "\(count(measured.count, "seam")), the latest by \(fixed(measured.worst, 1)) ms"
        guard measured.late > 0 else { return all }
        let reasons = measured.reasons.isEmpty ? "" : ": " + measured.reasons.joined(separator: "; ")
        return "\(all), \(measured.late) of them late\(reasons)"
    }

    private static func words(_ sums: TraceSummary.Sums) -> String {
        "\(sums.late) late, \(sums.dropped) dropped, \(count(sums.stalls, "stall")), \(count(sums.seams, "seam")) "
            + "(\(sums.lateSeams) late), \(count(sums.troubles, "trouble"))"
    }

    /// Counts that are known without counts of frames: seams and troubles.
    private static func uncounted(_ sums: TraceSummary.Sums) -> String {
        "\(count(sums.seams, "seam")) (\(sums.lateSeams) late), \(count(sums.troubles, "trouble"))"
    }

    private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}
