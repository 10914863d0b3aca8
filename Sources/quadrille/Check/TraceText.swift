import WallCore

/// What `check` says of a run that was traced.
enum TraceText {
    static func of(_ run: TraceSummary) -> (wrong: [String], known: [String]) {
        let total = run.total
        var wrong: [String] = []
        let hours = run.hours.sorted { $0.key < $1.key }.filter { $0.value.isFaulty }
        if !hours.isEmpty { wrong += ["by the hour"] + hours.map { "  hour \($0.key + 1): \(words($0.value))" } }
        if !run.troubles.isEmpty {
            wrong.append("troubles")
            wrong += run.troubles.map { trouble in
                let hours = trouble.hours.sorted().map { String($0 + 1) }.joined(separator: ", ")
                return "  \(trouble.source): \(count(trouble.count, "time")), in hour \(hours): \(trouble.what)"
            }
        }
        let isLong = run.length >= .seconds(600)
        let lasted = isLong ? "\(fixed((run.length / 60).seconds, 0)) minutes" : "\(fixed(run.length.seconds, 1)) s"
        return (wrong, ["the run", "  \(lasted), \(count(total.presented, "picture")) presented: \(words(total))"])
    }

    static func words(_ measured: MeasuredSeams) -> String {
        if measured.count == 0 { return "no seam" }
        let all = "\(count(measured.count, "seam")), the latest by \(fixed(measured.worst, 1)) ms"
        guard measured.late > 0 else { return all }
        let reasons = measured.reasons.isEmpty ? "" : ": " + measured.reasons.joined(separator: "; ")
        return "\(all), \(measured.late) of them late\(reasons)"
    }

    private static func words(_ sums: TraceSummary.Sums) -> String {
        "\(sums.late) late, \(sums.missed) missed, \(count(sums.stalls, "stall")), \(count(sums.seams, "seam")) "
            + "(\(sums.lateSeams) late), \(count(sums.troubles, "trouble"))"
    }

    private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}
