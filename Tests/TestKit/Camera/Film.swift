/// The shots of a camera, in the order of time.
public struct Film: Sendable {
    public let shots: [Camera.Shot]

    public init(_ shots: [Camera.Shot]) { self.shots = shots }

    /// The part between two instants of CLOCK_MONOTONIC.
    public func between(_ first: Double, _ last: Double) -> Film {
        Film(shots.filter { first...last ~= $0.time })
    }

    /// From the first shot in which every tile could be read to the last shot before the window closed.
    public var show: Film {
        let begun = shots.drop { !$0.readings.allSatisfy(\.isFrame) }
        let last = begun.lastIndex { $0.readings.contains(where: \.isFrame) }
        return Film(last.map { Array(begun[...$0]) } ?? [])
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
                (runs[runs.count - 1].last, runs[runs.count - 1].end) = (shot.time, shot.time)
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

    /// Time at which a tile first showed a frame of this clip, or of any clip if it is nil.
    public func firstFrame(of clip: Int? = nil, in tile: Int) -> Double? {
        shots.first {
            guard case .frame(let mark) = $0.readings[tile] else { return false }
            return clip == nil || mark.clip == clip
        }?.time
    }

    /// Without the shots at the times for which `isLeftOut` is true.
    public func leavingOut(_ isLeftOut: (Double) -> Bool) -> Film {
        Film(shots.filter { !isLeftOut($0.time) })
    }

    /// Number of shots in which the frames of two tiles have numbers more than `tolerance` apart, modulo `length`.
    public func differing(_ one: Int, _ other: Int, by tolerance: Int = 0, modulo length: Int = .max) -> Int {
        shots.count { shot in
            guard case .frame(let a) = shot.readings[one], case .frame(let b) = shot.readings[other] else {
                return false
            }
            let apart = abs(a.number - b.number)
            return min(apart, length == .max ? apart : length - apart) > tolerance
        }
    }
}

/// Consecutive shots with the same reading of a tile.
public struct Run: Sendable {
    public let reading: Reading
    /// Times of the first and the last of these shots.
    public let first: Double
    public var last: Double
    /// Time of the first shot with another reading, or of the last of these shots at the film's end.
    public var end: Double
    public init(reading: Reading, first: Double, last: Double, end: Double) {
        (self.reading, self.first, self.last, self.end) = (reading, first, last, end)
    }

    public var duration: Double { end - first }
    public var mark: Mark? { if case .frame(let mark) = reading { return mark } else { return nil } }
}
