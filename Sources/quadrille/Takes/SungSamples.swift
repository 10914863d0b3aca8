import Base
import Media
import Player

/// Samples that were received and not cut into files yet. The place in the song that they belong to is not known until
/// they are heard. Used only by the recorder's thread.
struct SungSamples {
    private var cutter = TakeCutter()
    private var samples: [Float] = []
    /// Wall time of the first sample, less delay and latency.
    private var start = Time.zero
    /// End of what was cut, on the same scale.
    private var cutTo = Time.zero
    /// Calibrated latency of output and input; nil if they were not calibrated.
    private(set) var late: Time?
    /// Delay of the sound against the clock; zero until samples came.
    private var delay: Time?

    /// Returns true if these values are not those of the samples before.
    func isOtherwise(late: Time?, delay: Time) -> Bool { late != self.late || delay != self.delay }

    /// Sets the values for the samples that are added next.
    mutating func set(late: Time?, delay: Time) { (self.late, self.delay) = (late, delay) }

    mutating func add(_ stretch: PacedInput.Stretch) {
        if samples.isEmpty { start = stretch.heardAt - (delay ?? .zero) - (late ?? .zero) }
        samples += stretch.samples
    }

    /// True if all samples that were heard before `end` are cut.
    func isCut(to end: Time) -> Bool { cutTo + (delay ?? .zero) >= end }

    /// Takes out the samples that were sung before `known`, with the steps that write them; nil if there are none.
    mutating func cut(
        before known: Time, _ session: TakeSession
    ) -> (samples: ArraySlice<Float>, steps: [TakeCutter.Step])? {
        let (sung, delay) = (start, delay ?? .zero)
        let count = min(samples.count / 2, Int(clamping: SoundGrid.sample(at: known - sung - delay)))
        guard count > 0 else { return nil }
        let due = samples[..<(count * 2)]
        cutTo = sung + SoundGrid.time(of: Int64(count))
        (samples, start) = (Array(samples[(count * 2)...]), cutTo)
        return (due, cutter.cut(count, from: sung, delay: delay, by: session.history, until: session.endsAt))
    }

    /// Returns the steps that end the file.
    mutating func end() -> [TakeCutter.Step] { cutter.end() }
}
