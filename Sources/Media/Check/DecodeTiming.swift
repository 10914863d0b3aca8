import Base
import Threads

/// Measures the processor time that the frames of a film take, decoded and scaled as a pipeline does it.
public enum DecodeTiming {
    /// Least media time that says something about a film.
    private static let least = Time.milliseconds(200)

    /// Measures frames of [from, until), for at most `limit` nanoseconds. Returns the processor time, in seconds, that a
    /// second of media takes; nil if the measurement was too short. Blocks, and counts the processor time of the whole
    /// process, because a decoder or a filter may have threads of its own.
    public static func cost(
        _ location: String, from: Time, until: Time, settings: DecodeSettings, size: Size, limit: Int64,
        deadline: Deadline
    ) throws(SourceTrouble) -> Double? {
        let source = try Source.open(location, deadline: deadline)
        let (pool, scaler) = (FrameBufferPool(), Scaler())
        let decoder = try Decoder(for: source, threads: 1, in: pool)
        try decoder.deinterlace(settings.deinterlacing ?? .off)
        let end = monotonicNanoseconds() + limit
        let reader = FrameReader(
            source: source, decoder: decoder, from: from, until: until, isWanted: { monotonicNanoseconds() < end })
        // The first frame bears the cost of the seek.
        var began: (media: Time, spent: Int64)?
        var (media, taken) = (Time.zero, Time.zero)
        while monotonicNanoseconds() < end, case .frame(let frame) = try reader.next() {
            _ = try scaler.frame(from: frame.codecFrame, size: size, settings: settings, formats: .all, pool: pool)
            let spent = processNanoseconds()
            guard let began else {
                began = (frame.start, spent)
                continue
            }
            (media, taken) = (frame.start - began.media, Time(nanoseconds: spent - began.spent))
        }
        return media >= least ? taken.seconds / media.seconds : nil
    }
}
