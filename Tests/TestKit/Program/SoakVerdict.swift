import Foundation

/// Measurements of a wall at rest, taken from outside.
public struct SoakSample: Sendable {
    /// Seconds since the first sample.
    public var second: Double
    public var memory: Int
    /// nil if not measured in this sample.
    public var alone: Alone?
    /// Memory of the X server, in bytes. Windows and pixmaps that a program leaves behind count here.
    public var displayMemory: Int
    public var threads: Int
    public var files: Int
    /// Frames of the untouched tile that were dropped since the sample before.
    public var dropped: Int
    /// Dropped frames that were due while the machine itself was held up.
    public var excused: Int
    /// Faults of the untouched tile that the camera saw while the wall rested.
    public var seen: [String]

    /// Memory while the wall had only the untouched tile.
    public struct Alone: Sendable {
        public var memory: Int
        /// Heap in use (allocated and not freed), in bytes.
        public var heap: Int

        public init(memory: Int, heap: Int) { (self.memory, self.heap) = (memory, heap) }
    }

    public init(
        second: Double, memory: Int, alone: Alone? = nil, displayMemory: Int, threads: Int, files: Int,
        dropped: Int = 0, excused: Int = 0, seen: [String] = []
    ) {
        (self.second, self.memory, self.alone, self.displayMemory) = (second, memory, alone, displayMemory)
        (self.threads, self.files, self.dropped, self.excused, self.seen) = (threads, files, dropped, excused, seen)
    }

    public var line: String {
        "\(Int(second)) \(memory >> 10) \(alone.map { "\($0.memory >> 10) \($0.heap >> 10)" } ?? "- -") \(displayMemory >> 10) \(threads) \(files) \(dropped) \(excused)"
    }
}

/// Judges whether a wall's memory, threads and open files stayed constant, and its frames whole. The first quarter of
/// the samples, at most a quarter of an hour, is warm-up, and its memory does not count.
public struct SoakVerdict: Sendable {
    public let text: String
    public let isGood: Bool

    private static let fewest = 8
    private static let fewestOfASlope = 3
    private static let mostWarming = 900.0
    private static let hour = 3600.0
    private static let mebibyte = 1_048_576.0
    /// Limit for growth, in MiB per hour.
    private static let mostGrowth = 1.0
    /// Limit for growth in a run of less than an hour, in MiB. A short run also measures memory that allocators keep,
    /// so it cannot decide `mostGrowth`.
    private static let mostOfShort = 8.0
    private static let mostThreads = 1
    private static let mostFiles = 4

    /// `ending`: what was wrong with the wall's end; nil if it ended well.
    public init(_ samples: [SoakSample], _ ending: String?) {
        var lines: [String] = []
        var isGood = true
        func judge(_ what: String, _ isRight: Bool) {
            lines.append("\(what): \(isRight ? "ok" : "WRONG")")
            isGood = isGood && isRight
        }
        let judged = samples.enumerated().drop { $0 < samples.count / 4 && $1.second < Self.mostWarming }.map(\.element)
        judge("samples after warming up \(judged.count), at least \(Self.fewest)", judged.count >= Self.fewest)
        if judged.count >= Self.fewest {
            for (name, memory, isSteady) in [
                ("memory", { $0.memory }, false), ("memory of one tile alone", { $0.alone?.memory }, false),
                ("heap in use of one tile alone", { $0.alone?.heap }, true),
                ("display's memory", { $0.displayMemory }, true),
            ] as [(String, (SoakSample) -> Int?, Bool)] {
                let (text, isRight) = Self.growth(
                    judged.compactMap { one in memory(one).map { (one.second, $0) } }, isSteady)
                judge("\(name) \(text)", isRight)
            }
            for (name, count, most) in [
                ("threads", \SoakSample.threads, Self.mostThreads), ("open files", \.files, Self.mostFiles),
            ] {
                let values = judged.map { $0[keyPath: count] }
                let third = values.count / 3
                let (before, after) = (Self.median(values.prefix(third)), Self.median(values.suffix(third)))
                judge("\(name) \(before), then \(after), most \(values.max()!)", after - before <= most)
            }
        }
        let excused = samples.reduce(0) { $0 + $1.excused }
        let dropped = samples.reduce(0) { $0 + $1.dropped } - excused
        judge(
            "missed frames of the untouched tile \(dropped), and \(excused) while the machine was held up", dropped == 0
        )
        let seen = samples.flatMap(\.seen)
        judge("seen wrong in it by the camera \(seen.count) \(seen.prefix(5).joined(separator: "; "))", seen.isEmpty)
        judge(ending ?? "the wall ended with status 0", ending == nil)
        (text, self.isGood) = (lines.joined(separator: "\n"), isGood)
    }

    /// `isSteady`: true if an hour of samples must decide between growth and none. Other values fail only if they are
    /// proven to grow: resident memory includes the heap's holes.
    private static func growth(_ samples: [(second: Double, bytes: Int)], _ isSteady: Bool) -> (String, Bool) {
        guard samples.count >= fewestOfASlope else {
            return ("\(samples.count) times, at least \(fewestOfASlope)", false)
        }
        let seconds = samples.last!.second - samples[0].second
        let line = Line(through: samples.map { ($0.second / hour, Double($0.bytes) / mebibyte) })
        let values = samples.map { Double($0.bytes) / mebibyte }
        let (least, most) = (line.slope - line.tolerance, line.slope + line.tolerance)
        let text = String(
            format: "%.1f to %.1f MiB, slope %.2f ± %.2f MiB an hour over %.2f hours", values.min()!, values.max()!,
            line.slope, line.tolerance, seconds / hour)
        if most < mostGrowth { return (text, true) }
        if seconds < hour {
            return ("\(text), too short to tell from \(mostGrowth)", line.slope * seconds / hour < mostOfShort)
        }
        if least >= mostGrowth { return (text, false) }
        return ("\(text), not told from \(mostGrowth)", !isSteady)
    }

    private static func median(_ values: ArraySlice<Int>) -> Int { values.sorted()[values.count / 2] }
}

/// A line through points by least squares.
struct Line {
    var slope = 0.0
    /// Two standard errors of the slope; more if the residuals of consecutive points correlate.
    var tolerance = Double.infinity

    init(through points: [(x: Double, y: Double)]) {
        let count = Double(points.count)
        let (x, y) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        let width = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        guard count > 2, width > 0 else { return }
        slope = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / width
        let rests = points.map { [slope] in $0.y - y - slope * ($0.x - x) }
        let squares = rests.reduce(0) { $0 + $1 * $1 }
        guard squares > 0 else {
            tolerance = 0
            return
        }
        let inStep = min(0.9, max(0, zip(rests, rests.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / squares))
        tolerance = 2 * (squares / (count - 2) / width * (1 + inStep) / (1 - inStep)).squareRoot()
    }
}
