import Base
import CFFmpeg
import Decoded

/// A growing film: the frames of a live source as they come, and the sound recorded beside them. The format is
/// Matroska, which can be played at any time up to its last half second, even if the process is killed. Owned by one
/// thread at a time.
public final class TakeFilm {
    private let writer: FilmWriter
    /// Size and colours of the first frame, which all frames get. Encoders need even sides.
    private let size: Size
    private let colours: Colorimetry
    private let scaling = ScalingContext()
    private var last: Int64 = -1

    /// Makes the file. All frames are scaled to the size of the first one.
    public init(_ path: String, like first: Frame) throws(FilmTrouble) {
        size = Size(first.size.width & ~1, first.size.height & ~1)
        colours = first.format.colours ?? Colorimetry(size.height >= 720 ? .bt709 : .bt601, .limited)
        if size.isEmpty { throw FilmTrouble("its frames are too small to be recorded") }
        var spec = FilmSpec(format: .matroska, size: size, rate: TakeFilm.usualRate)
        (spec.colours, spec.timing, spec.sound) = (colours, .live, .stereo)
        spec.quality = TakeFilm.quality
        writer = try FilmWriter(spec, file: path, .growing)
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
        try writer.encode(codecFrame(of: frame), number: milliseconds)
    }

    /// Copies the frame, as I420.
    private func codecFrame(of frame: Frame) throws(FilmTrouble) -> CodecFrame {
        let source = CodecFrame(planesOf: frame), result = CodecFrame(size, AV_PIX_FMT_YUV420P.rawValue)
        try FilmTrouble.check(av_frame_get_buffer(result.av, 0), "making a frame")
        result.tag(colours)
        // An odd row or column is left out. swscale then only copies.
        let isAsIs =
            frame.format == .i420(colours) && frame.size.width & ~1 == size.width
            && frame.size.height & ~1 == size.height
        if isAsIs { (source.av.pointee.width, source.av.pointee.height) = (Int32(size.width), Int32(size.height)) }
        let conversion = Conversion(
            from: FrameColours(of: source), to: FrameColours(of: result), flags: qd_SWS_BILINEAR | Conversion.accurate)
        do throws(SourceTrouble) {
            qd_sws_scale_planes(try scaling.context(for: conversion), result.av, source.av)
        } catch {
            throw FilmTrouble("swscale can't convert frames of this size to the recording's")
        }
        return result
    }

    /// Writes interleaved stereo at the grid's rate.
    public func write(_ samples: ArraySlice<Float>) throws(FilmTrouble) { try writer.encode(samples) }

    public func finish() throws(FilmTrouble) { try writer.finish() }
}
