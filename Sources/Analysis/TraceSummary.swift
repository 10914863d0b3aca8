import Base

/// Summary of a run's trace: the seams of each tile, and counts by the hour.
public struct TraceSummary: Equatable, Sendable {
    /// Seams by tile of the layout.
    public private(set) var seams: [MeasuredSeams]
    /// Counts by hour of the run, from 0. An hour that the trace does not mention is missing.
    public private(set) var hours: [Int: Sums] = [:]
    /// Troubles in the order of their first report.
    public private(set) var troubles: [Trouble] = []
    /// Time of the last line.
    public private(set) var length = Time.zero
    /// Time of the last line with counts: frames presented later are not counted. nil until the first such line, ten
    /// minutes after the start or at the end of the run.
    public private(set) var countedTo: Time?
    /// True if the trace has the line of the run's end.
    public private(set) var hasEnded = false

    /// True if the counts of frames cover at least a part of this hour of the run, from 0.
    public func isCounted(hour: Int) -> Bool {
        hasEnded || countedTo.map { Int(max(0, $0.seconds - 1) / 3600) >= hour } ?? false
    }

    public struct Sums: Equatable, Sendable {
        public var presented = 0
        public var late = 0
        public var dropped = 0
        public var stalls = 0
        public var seams = 0
        public var lateSeams = 0
        public var troubles = 0

        public var isFaulty: Bool { late + dropped + stalls + lateSeams + troubles > 0 }

        /// Counts that the trace has as sums since the beginning of the run.
        static var counted: [WritableKeyPath<Sums, Int>] { [\.presented, \.late, \.dropped, \.stalls] }

        static func + (a: Sums, b: Sums) -> Sums {
            (counted + [\.seams, \.lateSeams, \.troubles]).reduce(into: a) { $0[keyPath: $1] += b[keyPath: $1] }
        }
    }

    public struct Trouble: Equatable, Sendable {
        public var source: String
        public var what: String
        public var count = 0
        public var hours: Set<Int> = []
    }

    public var total: Sums { hours.values.reduce(Sums()) { $0 + $1 } }

    /// Counts since the beginning of the run, as of the last line with counts.
    private var counted = Sums()
    private let tiles: [String]

    private init(tiles: [String]) {
        self.tiles = tiles
        seams = tiles.map { _ in MeasuredSeams() }
    }

    /// Reads the lines of a trace, or of several traces that follow each other. Returns nil if a line is no JSON, or if
    /// there is no line. A last line without its end, as a power cut leaves it, is ignored. `reached`
    /// gets the number of bytes that were read so far.
    public static func read(
        _ traces: [[UInt8]], tiles: [String], reached: (Int) -> Void = { _ in }
    ) -> TraceSummary? {
        var summary = TraceSummary(tiles: tiles)
        var (count, done) = (0, 0)
        for trace in traces {
            let newline = UInt8(ascii: "\n")
            let lines = trace.split(separator: newline)
            for (place, line) in lines.enumerated() {
                let isTorn = place == lines.count - 1 && trace.last != newline
                guard let value = try? JSONParser.parse(Array(line)), case .object = value.content else {
                    if isTorn { continue }
                    return nil
                }
                summary.add(value)
                count += 1
                done += line.count + 1
                reached(done)
            }
        }
        return count == 0 ? nil : summary
    }

    private mutating func add(_ line: JSONValue) {
        let at = line["t"]?.number ?? length.seconds
        length = max(length, Time(seconds: min(max(0, at), 1e9)))
        let event = line["event"]?.string
        // Counts written at the full hour belong to the hour before.
        let isCount = event == "sums" || event == "end"
        let hour = Int(max(0, length.seconds - (isCount ? 1 : 0)) / 3600)
        switch event {
        case "sums", "end":
            (countedTo, hasEnded) = (length, event == "end")
            addCounts(line, hour)
        case "seam":
            let reason = line["reason"]?.string
            hours[hour, default: Sums()].seams += 1
            if reason != nil { hours[hour, default: Sums()].lateSeams += 1 }
            if let tile = tiles.firstIndex(of: line["tile"]?.string ?? "") {
                seams[tile].add(late: line["late-ms"]?.number ?? 0, reason)
            }
        case "trouble":
            hours[hour, default: Sums()].troubles += 1
            let (source, what) = (line["source"]?.string ?? "", line["what"]?.string ?? "")
            let place = troubles.firstIndex { $0.source == source && $0.what == what } ?? troubles.count
            if place == troubles.count { troubles.append(Trouble(source: source, what: what)) }
            troubles[place].count += 1
            troubles[place].hours.insert(hour)
        default: break
        }
    }

    /// Adds the difference to the counts of the line before.
    private mutating func addCounts(_ line: JSONValue, _ hour: Int) {
        var now = Sums()
        func count(_ key: String, in value: JSONValue) -> Int { Int(min(max(0, value[key]?.number ?? 0), 1e15)) }
        now.presented = count("presented", in: line)
        (now.late, now.dropped) = (count("late", in: line), count("missed", in: line))
        now.stalls = line["tiles"]?.members.reduce(0) { $0 + count("stalls", in: $1.value) } ?? 0
        var sums = hours[hour, default: Sums()]
        for count in Sums.counted { sums[keyPath: count] += max(0, now[keyPath: count] - counted[keyPath: count]) }
        (hours[hour], counted) = (sums, now)
    }
}

/// Measured seams of one tile, from a trace.
public struct MeasuredSeams: Equatable, Sendable {
    public var count = 0
    /// Number of seams for which the trace has a reason.
    public var late = 0
    /// Delay of the latest seam, in milliseconds.
    public var worst = 0.0
    /// Reasons in the order of their first occurrence.
    public var reasons: [String] = []

    mutating func add(late milliseconds: Double, _ reason: String?) {
        count += 1
        worst = max(worst, milliseconds)
        guard let reason else { return }
        late += 1
        if !reasons.contains(reason) { reasons.append(reason) }
    }
}
