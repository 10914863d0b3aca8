import Analysis
import Base
import Console
import Files
import Glibc

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
        "\(sums.late) late, \(sums.dropped) dropped, \(count(sums.stalls, "stall")), \(uncounted(sums))"
    }

    /// Counts that are known without counts of frames: seams and troubles.
    private static func uncounted(_ sums: TraceSummary.Sums) -> String {
        "\(count(sums.seams, "seam")) (\(sums.lateSeams) late), \(count(sums.troubles, "trouble"))"
    }

    private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}

/// Reads the files that play --trace wrote.
enum TraceFile {
    static func read(_ path: String, tiles: [String]) throws(Failure) -> TraceSummary {
        func failure(_ text: String) -> Failure { Failure("--trace \(path): \(text)", status: ExitStatus.usage) }
        switch bytes(of: path) {
        case .failure(let code): throw failure(code.description)
        case .success((let last, _)):
            var traces = [last]
            // Earlier files belong to the same run, until one has its start.
            for name in TraceOutput.earlier(than: path) {
                guard !beginsTheRun(traces[0]), case .success((let bytes, _)) = bytes(of: name) else { break }
                traces.insert(bytes, at: 0)
            }
            var bar = ProgressBar(total: Int64(traces.reduce(0) { $0 + $1.count }), .bytes)
            defer { ProgressBar.clear() }
            let summary = TraceSummary.read(traces, tiles: tiles) { bar.show(Int64($0)) }
            guard let summary else { throw failure("not a trace: one JSON object a line would be right") }
            return summary
        }
    }

    /// Returns true if the run starts in this file, so that earlier files are of other runs. A run's first lines may
    /// precede its start event.
    private static func beginsTheRun(_ trace: [UInt8]) -> Bool {
        let mark = Array("\"event\":\"start\"".utf8)
        return trace.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes.count >= mark.count else { return false }
            return (0...bytes.count - mark.count).contains { memcmp(start + $0, mark, mark.count) == 0 }
        }
    }
}
