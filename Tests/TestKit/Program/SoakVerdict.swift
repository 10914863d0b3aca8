import Foundation

/// A wall at rest, seen from outside.
public struct SoakSample: Sendable {
    /// Since the first.
    public var second: Double
    public var memory: Int
    /// Of the display's server: windows and pictures that a program leaves there are its.
    public var displayMemory: Int
    public var threads: Int
    public var files: Int
    /// Pictures of the untouched tile, since the sample before.
    public var missed: Int
    /// Those of them that were due while the machine itself was held up.
    public var excused: Int
    /// What the camera saw go wrong in the untouched tile while the wall rested.
    public var seen: [String]

    public init(
        second: Double, memory: Int, displayMemory: Int, threads: Int, files: Int, missed: Int = 0, excused: Int = 0,
        seen: [String] = []
    ) {
        (self.second, self.memory, self.displayMemory, self.threads) = (second, memory, displayMemory, threads)
        (self.files, self.missed, self.excused, self.seen) = (files, missed, excused, seen)
    }

    public var line: String {
        "\(Int(second)) \(memory >> 10) \(displayMemory >> 10) \(threads) \(files) \(missed) \(excused)"
    }
}

/// Whether a wall stayed as it was. The first quarter of its samples is warming up.
public struct SoakVerdict: Sendable {
    public let text: String
    public let isGood: Bool

    private static let fewest = 8
    /// Bytes an hour, where an hour or more was watched; a short watch sees what allocators keep, too.
    private static let mostGrowth = 1.0 * 1_048_576
    private static let mostGrowthOfShort = 8.0 * 1_048_576
    private static let mostThreads = 1
    private static let mostFiles = 4

    /// `ending`: what was wrong with the wall's end, nil where it ended well.
    public init(_ samples: [SoakSample], _ ending: String?) {
        var lines: [String] = []
        var isGood = true
        func judge(_ what: String, _ isRight: Bool) {
            lines.append("\(what): \(isRight ? "ok" : "WRONG")")
            isGood = isGood && isRight
        }
        let judged = Array(samples.dropFirst(samples.count / 4))
        judge("samples after warming up \(judged.count), at least \(Self.fewest)", judged.count >= Self.fewest)
        if judged.count >= Self.fewest {
            let hours = (judged.last!.second - judged[0].second) / 3600
            for (name, memory) in [("memory", \SoakSample.memory), ("display's memory", \.displayMemory)] {
                let slope = Self.slope(judged.map { ($0.second / 3600, Double($0[keyPath: memory])) })
                let isRight = hours >= 1 ? slope < Self.mostGrowth : slope * hours < Self.mostGrowthOfShort
                let values = judged.map { $0[keyPath: memory] }
                judge(
                    String(
                        format: "%@ %d to %d MiB, slope %.2f MiB an hour over %.2f hours", name, values.min()! >> 20,
                        values.max()! >> 20, slope / 1_048_576, hours), isRight)
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
        let missed = samples.reduce(0) { $0 + $1.missed } - excused
        judge(
            "missed pictures of the untouched tile \(missed), and \(excused) while the machine was held up", missed == 0
        )
        let seen = samples.flatMap(\.seen)
        judge("seen wrong in it by the camera \(seen.count) \(seen.prefix(5).joined(separator: "; "))", seen.isEmpty)
        judge(ending ?? "the wall ended with status 0", ending == nil)
        (text, self.isGood) = (lines.joined(separator: "\n"), isGood)
    }

    private static func median(_ values: ArraySlice<Int>) -> Int { values.sorted()[values.count / 2] }

    /// The median of the slopes between all pairs: a few high samples do not bend it.
    static func slope(_ points: [(x: Double, y: Double)]) -> Double {
        var slopes: [Double] = []
        for (place, one) in points.enumerated() {
            for other in points[(place + 1)...] where other.x > one.x {
                slopes.append((other.y - one.y) / (other.x - one.x))
            }
        }
        return slopes.isEmpty ? 0 : slopes.sorted()[slopes.count / 2]
    }
}
