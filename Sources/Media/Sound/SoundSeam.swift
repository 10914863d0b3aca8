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
