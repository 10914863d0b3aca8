import Heard

/// Stereo samples of a voice that are ready to be heard, by their number, with the sounds that they belong to: the last
/// `capacity` of a line without gaps. Not thread-safe.
struct VoiceSamples {
    private(set) var start: Int64 = 0
    private(set) var end: Int64 = 0
    /// The samples, as a ring. Empty until the first ones are added.
    private var storage: [Float] = []
    /// Sounds of the samples.
    private(set) var sounds = PlacedSounds()
    /// Old samples at the end, while samples of another sound replace them.
    private var seam: SoundSeam?
    /// Length of the ring, in samples.
    private static let capacity: Int64 = 1 << 16

    /// Copies the samples from `sample` on, at most `count`. Returns their number.
    func copy(from sample: Int64, _ count: Int, to target: UnsafeMutablePointer<Float>) -> Int {
        guard sample >= start, sample < end else { return 0 }
        let available = min(count, Int(end - sample)), place = Self.place(of: sample)
        let first = min(available, Int(Self.capacity) - place)
        storage.withUnsafeBufferPointer { storage in
            target.update(from: storage.baseAddress! + place * 2, count: first * 2)
            (target + first * 2).update(from: storage.baseAddress!, count: (available - first) * 2)
        }
        return available
    }

    private static func place(of sample: Int64) -> Int { Int(sample & (capacity - 1)) }

    /// Removes all samples. The next ones continue at `sample`.
    mutating func restart(at sample: Int64) { (start, end, sounds, seam) = (sample, sample, PlacedSounds(), nil) }

    /// Removes the samples from `sample` on.
    mutating func truncate(to sample: Int64) {
        end = max(start, min(end, sample))
        sounds.truncate(to: sample)
    }

    /// Adds decoded samples.
    mutating func append(_ samples: UnsafeBufferPointer<Float>, of sound: Voice.Sounding) {
        let first = end
        if let seam, first < seam.end {
            seam.blended(samples, at: first).withUnsafeBufferPointer { append($0) }
            if end >= seam.end { self.seam = nil }
        } else {
            append(samples)
        }
        sounds.append((sound, first, end))
        sounds.forget(before: start)
    }

    private mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        if storage.isEmpty { storage = Array(repeating: 0, count: Int(Self.capacity) * 2) }
        var done = 0
        while done < samples.count {
            let place = Self.place(of: end) * 2
            let count = min(samples.count - done, storage.count - place)
            storage.withUnsafeMutableBufferPointer {
                ($0.baseAddress! + place).update(from: samples.baseAddress! + done, count: count)
            }
            done += count
            end += Int64(count / 2)
        }
        start = max(start, end - Self.capacity)
    }

    /// Notes that another sound follows from `sample` on. Within a run the new sound fades in over the old one. At the
    /// run's start the new sound begins without a fade.
    mutating func noteSeam(at sample: Int64, in plan: SoundPlan) {
        guard case .run(_, let start, _) = plan.segment(at: sample), start < sample else {
            seam = nil
            return
        }
        if let seam, sample == end, (seam.start..<seam.end).contains(sample) { return }
        let samples = oldSamples(from: sample)
        seam = samples.isEmpty ? nil : SoundSeam(start: sample, samples: samples)
    }

    /// Replaces the samples from `place` on by the same sound in another key.
    mutating func replace(from place: Int64, with replacement: SoundReplacement) {
        seam = SoundSeam(start: place, samples: oldSamples(from: place))
        truncate(to: place)
        for part in replacement.sounds.parts where part.end > place {
            let (first, last) = (max(part.start, place) - replacement.start, part.end - replacement.start)
            let samples = replacement.samples[(Int(first) * 2)..<(Int(last) * 2)]
            samples.withUnsafeBufferPointer { append($0, of: part.sound) }
        }
        seam = nil
    }

    /// Returns the samples from `sample` on, as many as a seam may have.
    private func oldSamples(from sample: Int64) -> [Float] {
        [Float](unsafeUninitializedCapacity: Int(SoundSeam.longest) * 2) { samples, count in
            count = 2 * copy(from: sample, Int(SoundSeam.longest), to: samples.baseAddress!)
        }
    }
}

/// Sounds by the samples that belong to them, in their order. Not thread-safe.
struct PlacedSounds {
    typealias Part = (sound: Voice.Sounding, start: Int64, end: Int64)

    private(set) var parts: [Part] = []

    mutating func append(_ part: Part) {
        if let last = parts.indices.last, parts[last].sound == part.sound, parts[last].end == part.start {
            parts[last].end = part.end
        } else {
            parts.append(part)
        }
    }

    mutating func truncate(to sample: Int64) {
        parts.removeAll { $0.start >= sample }
        if let last = parts.indices.last { parts[last].end = min(parts[last].end, sample) }
    }

    mutating func forget(before sample: Int64) { parts.removeAll { $0.end < sample } }
}

/// Samples that were to be heard from `start` on and were replaced. The new samples fade in over them.
struct SoundSeam {
    let start: Int64
    /// Interleaved stereo, at most `longest` samples.
    let samples: [Float]
    /// 20 ms, in samples.
    static let longest: Int64 = 960

    var end: Int64 { start + Int64(samples.count / 2) }

    /// Returns stereo samples that begin at `sample`, cross-faded with the old ones.
    func blended(_ new: UnsafeBufferPointer<Float>, at sample: Int64) -> [Float] {
        var result = Array(new)
        let length = Float(samples.count / 2)
        for index in 0..<min(new.count / 2, Int(max(0, end - sample))) {
            let place = Int(sample - start) + index, part = (Float(place) + 0.5) / length
            let share = part * part * (3 - 2 * part)
            for side in 0..<2 {
                result[index * 2 + side] =
                    result[index * 2 + side] * share + samples[place * 2 + side] * (1 - share)
            }
        }
        return result
    }
}

/// Samples of the same sound in another key, which replace the samples that are ready in the former key.
///
/// After a change of key, samples in the former key are heard until enough of the new key is there.
struct SoundReplacement {
    let run: SoundRun
    let start: Int64
    /// Interleaved stereo.
    private(set) var samples: [Float] = []
    private(set) var sounds = PlacedSounds()

    var end: Int64 { start + Int64(samples.count / 2) }

    mutating func take(_ more: UnsafeBufferPointer<Float>, of sound: Voice.Sounding) {
        let first = end
        samples += more
        sounds.append((sound, first, end))
    }

    /// True if the plan still has these sounds at these samples.
    func isStill(in plan: SoundPlan) -> Bool {
        guard case .run(let now, _, _) = plan.segment(at: start), now.continues(run) else { return false }
        return sounds.parts.allSatisfy { part in
            switch (part.sound, plan.segment(at: part.start)) {
            case (.run(let old), .run(let new, _, _)): new.continues(old)
            case (.fade(let old), .fade(let new)): new.continues(old)
            case (.silence, .gap): true
            default: false
            }
        }
    }
}
