import Base
import Decoded

/// A growing film: the frames of a live source as they come, and the sound recorded beside them. The format is
/// Matroska, which can be played at any time up to its last half second, even if the process is killed. Owned by one
/// thread at a time.
public final class TakeFilm {
    private let writer: FilmWriter
    private let converter: EncoderFrameConverter
    private var last: Int64 = -1

    /// Makes the file. All frames are scaled to the size of the first one.
    public init(_ path: String, like first: Frame) throws(FilmTrouble) {
        guard let converter = EncoderFrameConverter(like: first) else {
            throw FilmTrouble("its frames are too small to be recorded")
        }
        var spec = FilmSpec(format: .matroska, size: converter.size, rate: TakeFilm.usualRate)
        (spec.colours, spec.timing, spec.sound) = (converter.colours, .live, .stereo)
        spec.quality = TakeFilm.quality
        writer = try FilmWriter(spec, file: path, .growing)
        self.converter = converter
    }

    /// Usual rate of captured sources.
    private static let usualRate = FrameRate(30, 1)
    private static let quality = 20

    /// Writes a frame. `instant` counts from the first sample; a frame that is not later than the previous one is
    /// dropped.
    public func write(_ frame: Frame, at instant: Time) throws(FilmTrouble) {
        let milliseconds = instant.nanoseconds / 1_000_000
        guard milliseconds > last else { return }
        last = milliseconds
        try writer.encode(converter.codecFrame(of: frame), number: milliseconds)
    }

    /// Writes interleaved stereo at the grid's rate.
    public func write(_ samples: ArraySlice<Float>) throws(FilmTrouble) { try writer.encode(samples) }

    public func finish() throws(FilmTrouble) { try writer.finish() }
}
