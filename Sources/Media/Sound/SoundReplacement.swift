import Scene

/// Samples of the same sound in another key, which replace the samples that are ready in the former key.
///
/// After a change of key, samples in the former key are heard until enough of the new key is there.
struct SoundReplacement {
    private let run: SoundRun
    let start: Int64
    /// Interleaved stereo.
    private(set) var samples: [Float] = []
    /// The sounds that the samples belong to.
    private(set) var placed: [(sound: Voice.Sounding, start: Int64, end: Int64)] = []

    init(of run: SoundRun, start: Int64) { (self.run, self.start) = (run, start) }

    var end: Int64 { start + Int64(samples.count / 2) }

    mutating func take(_ more: UnsafeBufferPointer<Float>, of sound: Voice.Sounding) {
        let first = end
        samples += more
        if let last = placed.indices.last, placed[last].sound == sound {
            placed[last].end = end
        } else {
            placed.append((sound, first, end))
        }
    }

    /// True if the plan still has these sounds at these samples.
    func isStill(in plan: SoundPlan) -> Bool {
        guard case .run(let now, _, _) = plan.segment(at: start), now.continues(run) else { return false }
        return placed.allSatisfy { part in
            switch (part.sound, plan.segment(at: part.start)) {
            case (.run(let old), .run(let new, _, _)): new.continues(old)
            case (.fade(let old), .fade(let new)): new.continues(old)
            case (.silence, .gap): true
            default: false
            }
        }
    }
}
