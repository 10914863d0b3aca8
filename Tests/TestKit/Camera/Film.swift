/// What a camera saw: shots in the order of time.
public struct Film: Sendable {
    public let shots: [Camera.Shot]

    public init(_ shots: [Camera.Shot]) { self.shots = shots }

    /// The part between two instants of CLOCK_MONOTONIC.
    public func between(_ first: Double, _ last: Double) -> Film {
        Film(shots.filter { first...last ~= $0.time })
    }

    /// From the first shot in which every tile could be read.
    public var fromFirstReadable: Film {
        Film(
            Array(
                shots.drop { !$0.readings.allSatisfy { if case .picture = $0 { return true } else { return false } } }))
    }

    /// Shots a second, on average.
    public var rate: Double {
        guard let first = shots.first, let last = shots.last, last.time > first.time else { return 0 }
        return Double(shots.count - 1) / (last.time - first.time)
    }

    /// One tile's readings, equal neighbours joined.
    public func runs(of tile: Int) -> [Run] {
        var runs: [Run] = []
        for shot in shots {
            if runs.last?.reading == shot.readings[tile] {
                runs[runs.count - 1].last = shot.time
            } else {
                if !runs.isEmpty { runs[runs.count - 1].end = shot.time }
                runs.append(Run(reading: shot.readings[tile], first: shot.time, last: shot.time, end: shot.time))
            }
        }
        return runs
    }

    public func count(of reading: Reading, in tile: Int) -> Int {
        shots.count { $0.readings[tile] == reading }
    }

    /// When a tile first showed a picture of this clip (of any clip where nil).
    public func firstPicture(of clip: Int? = nil, in tile: Int) -> Double? {
        shots.first {
            guard case .picture(let mark) = $0.readings[tile] else { return false }
            return clip == nil || mark.clip == clip
        }?.time
    }

    /// Shots in which two tiles show pictures whose numbers differ by more than `tolerance`, modulo `length`.
    public func differing(_ one: Int, _ other: Int, by tolerance: Int = 0, modulo length: Int = .max) -> Int {
        shots.count { shot in
            guard case .picture(let a) = shot.readings[one], case .picture(let b) = shot.readings[other] else {
                return false
            }
            let apart = abs(a.number - b.number)
            return min(apart, length == .max ? apart : length - apart) > tolerance
        }
    }
}

/// Consecutive shots in which a tile said the same.
public struct Run: Sendable {
    public let reading: Reading
    /// The first and the last shot of it.
    public let first: Double
    public var last: Double
    /// The first shot that said something else (the last of it, at the film's end).
    public var end: Double
    public init(reading: Reading, first: Double, last: Double, end: Double) {
        (self.reading, self.first, self.last, self.end) = (reading, first, last, end)
    }

    public var duration: Double { end - first }
    public var mark: Mark? { if case .picture(let mark) = reading { return mark } else { return nil } }
}

/// How one tile's pictures followed each other.
public struct Succession: Sendable {
    /// Pictures that were skipped.
    public private(set) var missing: [Mark] = []
    /// Steps back that are no beginning of a new pass.
    public private(set) var backward: [Mark] = []
    /// Beginnings of a new pass, by the instant of the first picture.
    public private(set) var seams: [Double] = []
    /// Runs that were neither a picture nor the one before again.
    public private(set) var unreadable = 0
    public private(set) var black = 0
    /// How long the longest picture stood; the first and the last run do not count.
    public private(set) var longestHold = 0.0
    public private(set) var longestHeld: Mark?
    /// How many different pictures followed each other.
    public private(set) var steps = 0

    /// `items`: the clips in the order of play with the numbers that are due of each. The last is followed by the first.
    public init(_ runs: [Run], playing items: [(clip: Int, numbers: Range<Int>)]) {
        let due = items.flatMap { item in item.numbers.map { Mark(clip: item.clip, number: $0) } }
        var places: [Mark: [Int]] = [:]
        for (place, mark) in due.enumerated() { places[mark, default: []].append(place) }
        var at: Int?
        for (index, run) in runs.enumerated() {
            switch run.reading {
            case .black: black += 1
            case .unreadable: unreadable += 1
            case .picture(let mark):
                guard let here = places[mark] else { unreadable += 1; continue }
                if index > 0, index < runs.count - 1, run.duration > longestHold {
                    (longestHold, longestHeld) = (run.duration, mark)
                }
                guard let before = at else { at = here[0]; continue }
                if due[before] == mark { continue }
                let place = here.min { Self.ahead($0, of: before, due.count) < Self.ahead($1, of: before, due.count) }!
                let ahead = Self.ahead(place, of: before, due.count)
                if ahead > due.count / 2, due.count > 2 {
                    backward.append(mark)
                } else {
                    missing += (1..<max(ahead, 1)).map { due[(before + $0) % due.count] }
                }
                if place < before, ahead <= due.count / 2 || due.count <= 2 { seams.append(run.first) }
                steps += 1
                at = place
            }
        }
    }

    /// One clip, looped.
    public init(_ runs: [Run], looping clip: Int, _ pictures: Int) {
        self.init(runs, playing: [(clip, 0..<pictures)])
    }

    private static func ahead(_ place: Int, of before: Int, _ count: Int) -> Int {
        ((place - before) % count + count) % count
    }
}
