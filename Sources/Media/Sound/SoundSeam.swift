/// What was to be heard from a sample on, and is not any more: what is heard instead comes out of it.
struct SoundSeam {
    let start: Int64
    /// Stereo; at most `longest`.
    let samples: [Float]
    /// 20 ms.
    static let longest: Int64 = 960

    var end: Int64 { start + Int64(samples.count / 2) }

    /// Stereo samples that begin at `sample`, blended with it.
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
