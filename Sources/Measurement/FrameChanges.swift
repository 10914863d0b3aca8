import Base

/// Measures the changes of a clip's frames: the brightness of the whole frame and of twelve parts, and the difference
/// of the content from that of 100 ms before.
public struct FrameChanges: Sendable {
    /// Size of the small frames that `append` takes, a byte a pixel, without gaps.
    public static let size = Size(32, 18)
    private static let parts = Size(4, 3)
    private static let measures = parts.width * parts.height + 2
    /// Time over which content is compared. It is fixed, so that different frame rates give similar differences.
    private static let moment = Time.milliseconds(100)
    private static let rate = 100
    /// Largest change that codecs and noise cause. White is 255.
    private static let leastChange: Float = 1

    /// Start of each frame, rising.
    private(set) var starts: [Time] = []
    /// Measured values of each frame.
    private(set) var levels: [[Float]] = []
    private var recent: [(start: Time, pixels: [Float])] = []
    private(set) var end = Time.zero

    public init() {}

    public mutating func append(_ brightness: [UInt8], start: Time, length: Time) {
        precondition(brightness.count == Self.size.width * Self.size.height, "a frame of another size")
        let mean = Float(brightness.reduce(0) { $0 + Int($1) }) / Float(brightness.count)
        var parts = [Float](repeating: 0, count: Self.parts.width * Self.parts.height)
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width {
                let part = y * Self.parts.height / Self.size.height * Self.parts.width
                parts[part + x * Self.parts.width / Self.size.width] += Float(brightness[y * Self.size.width + x])
            }
        }
        let share = Float(brightness.count / parts.count)
        let pixels = brightness.map { Float($0) - mean }
        while recent.count > 1, recent[1].start <= start - Self.moment { recent.removeFirst() }
        let before = recent.first?.pixels ?? pixels
        let change = zip(pixels, before).reduce(0) { $0 + ($1.0 - $1.1).magnitude } / Float(pixels.count)
        recent.append((start, pixels))
        starts.append(start)
        levels.append([mean, change] + parts.map { $0 / share - mean })
        end = start + length
    }

    var length: Time { end - (starts.first ?? .zero) }

    /// Values in steps of equal length, interpolated between two frames.
    var series: ChangeSeries {
        func step(_ time: Time) -> Int { Int(time.ticks / (Time.ticksPerSecond / Int64(Self.rate))) }
        let first = step(starts[0]), last = max(first, step(starts[starts.count - 1]))
        var values = [[Float]](repeating: [], count: Self.measures)
        var place = 0
        for step in first...last {
            let found = levels(at: Time(Int64(step), ofUnits: 1, over: Int64(Self.rate)), from: &place)
            for measure in values.indices { values[measure].append(found[measure]) }
        }
        return ChangeSeries(
            rate: Self.rate, first: first, levels: values, window: 2 * Self.rate,
            floors: [Float](repeating: Self.leastChange, count: Self.measures))
    }

    /// Returns the values at `time`. `place`: a frame that is not after `time`, if there is one; moved on to the last
    /// such frame.
    func levels(at time: Time, from place: inout Int) -> [Float] {
        while place + 1 < starts.count, starts[place + 1] <= time { place += 1 }
        guard place + 1 < starts.count, time > starts[place] else { return levels[place] }
        let share = Float((time - starts[place]).seconds / (starts[place + 1] - starts[place]).seconds)
        return zip(levels[place], levels[place + 1]).map { $0 + ($1 - $0) * share }
    }
}
