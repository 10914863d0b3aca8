import Base
import Threads

/// Measures the processor time that the frames of a film take, decoded and scaled as a pipeline does it.
public enum DecodeTiming {
    /// Media time of the measured frames, and the processor time that they took.
    public struct Sample: Sendable, Equatable {
        public let media: Time
        public let spent: Time
    }

    /// Least media time that says something about a film.
    private static let least = Time.milliseconds(200)

    /// Measures frames of [from, until), for at most `limit` nanoseconds. Returns nil if that was too short. Blocks, and
    /// counts the processor time of the whole process, because a decoder or a filter may have threads of its own.
    public static func sample(
        _ location: String, from: Time, until: Time, settings: DecodeSettings, size: Size, limit: Int64,
        deadline: Deadline
    ) throws(SourceTrouble) -> Sample? {
        let source = try Source.open(location, deadline: deadline)
        let (pool, scaler) = (FrameBufferPool(), Scaler())
        let decoder = try Decoder(for: source, threads: 1, in: pool)
        try decoder.deinterlace(settings.deinterlacing ?? .off)
        let end = monotonicNanoseconds() + limit
        let reader = FrameReader(
            source: source, decoder: decoder, from: from, until: until, isWanted: { monotonicNanoseconds() < end })
        // The first frame bears the cost of the seek.
        var began: (media: Time, spent: Int64)?
        var sample: Sample?
        while monotonicNanoseconds() < end, case .frame(let frame) = try reader.next() {
            _ = try scaler.frame(from: frame.codecFrame, size: size, settings: settings, formats: .all, pool: pool)
            let spent = processNanoseconds()
            guard let began else {
                began = (frame.start, spent)
                continue
            }
            sample = Sample(media: frame.start - began.media, spent: Time(nanoseconds: spent - began.spent))
        }
        return sample.flatMap { $0.media >= least ? $0 : nil }
    }
}
