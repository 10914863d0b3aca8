import Base
import CFFmpeg

/// FFmpeg's bwdif after a decoder. It takes frames in presentation order and returns the same number.
///
/// A frame comes out once the next one went in, or `finish` was called. If only marked frames are deinterlaced, frames
/// before the first marked one bypass the filter. Each frame keeps its timestamp. The filter makes one frame of each
/// frame, not one of each field, since clocks, steps and figures count the frames of the file. Belongs to one thread.
final class Deinterlacer {
    let mode: Deinterlacing
    /// Number of progressive frames that bypassed the filter.
    private var passed = 0
    /// True if frames are made with their neighbours: in mode `all`, or once a frame was marked as interlaced. Also
    /// true for the first eight frames, since one of them may be interlaced.
    var isUsed: Bool { mode == .all || count > 0 || passed < 8 }
    /// True after `finish`.
    private(set) var isAtEnd = false
    private let library: FilterLibrary
    private var graph: FilterGraph?
    private var shape: Shape?
    /// Properties of the frames that are in the graph, oldest first.
    private var notes: [Note] = []
    /// Frames of a graph that was replaced for another shape.
    private var finished: [CodecFrame] = []
    /// Number of frames that have gone into the filter.
    private var count: Int64 = 0

    private typealias Shape = (format: Int32, width: Int32, height: Int32)

    /// Properties of a frame that filters change, or must not see.
    private struct Note {
        let timestamp: Int64
        let duration: Int64
        let matrix: AVColorSpace
        let range: AVColorRange
        let fields: FieldOrder
    }

    /// `mode`: any but `off`.
    init(_ mode: Deinterlacing) throws(SourceTrouble) {
        guard let library = FilterLibrary.shared, library.get_by_name("bwdif") != nil else {
            throw SourceTrouble(.unsupported, "FFmpeg's libavfilter has no bwdif here, which deinterlaces")
        }
        (self.mode, self.library) = (mode, library)
    }

    /// Discards buffered frames: the next frame comes from another position.
    func reset() {
        (graph, shape, isAtEnd) = (nil, nil, false)
        (notes, finished) = ([], [])
    }

    enum Taking { case taken, passed }

    /// Takes the samples of a frame, which is empty afterwards. Passes a progressive frame back if none before was
    /// marked.
    func take(_ codecFrame: CodecFrame) throws(SourceTrouble) -> Taking {
        let av = codecFrame.av.pointee
        let fields = FieldOrder(of: codecFrame.av)
        if mode == .marked, fields == .progressive, notes.isEmpty {
            passed += 1
            return .passed
        }
        let wanted: Shape = (av.format, av.width, av.height)
        if shape.map({ $0 != wanted }) ?? true {
            drain()
            try build(wanted)
        }
        notes.append(
            Note(
                timestamp: av.best_effort_timestamp, duration: qd_frame_duration(codecFrame.av), matrix: av.colorspace,
                range: av.color_range, fields: fields))
        // Clear the colours: bwdif does not need them, and newer libraries would react to a change in mid-stream.
        (codecFrame.av.pointee.colorspace, codecFrame.av.pointee.color_range) = (
            AVCOL_SPC_UNSPECIFIED, AVCOL_RANGE_UNSPECIFIED
        )
        codecFrame.av.pointee.pts = count
        count += 1
        let status = graph?.push(codecFrame.av) ?? qd_ENOMEM
        guard status >= 0 else {
            reset()
            throw SourceTrouble(.unreadable, "deinterlacing: \(words(for: status))")
        }
        return .taken
    }

    /// Returns nil if the next frame must be taken first, or at the end.
    func next() -> CodecFrame? { finished.isEmpty ? pull() : finished.removeFirst() }

    /// Ends the input.
    func finish() {
        _ = graph?.push(nil)
        isAtEnd = true
    }

    private func pull() -> CodecFrame? {
        let codecFrame = CodecFrame()
        guard let graph, graph.pull(codecFrame.av) >= 0 else { return nil }
        if notes.isEmpty { return codecFrame }
        let note = notes.removeFirst()
        codecFrame.av.pointee.best_effort_timestamp = note.timestamp
        qd_set_frame_duration(codecFrame.av, note.duration)
        (codecFrame.av.pointee.colorspace, codecFrame.av.pointee.color_range) = (note.matrix, note.range)
        (codecFrame.fields, codecFrame.isDeinterlaced) = (note.fields, mode == .all || note.fields != .progressive)
        return codecFrame
    }

    /// Empties the graph that was for frames of another shape.
    private func drain() {
        guard let graph else { return }
        _ = graph.push(nil)
        while let codecFrame = pull() { finished.append(codecFrame) }
        notes = []
    }

    private func build(_ wanted: Shape) throws(SourceTrouble) {
        (graph, shape) = (nil, nil)
        let input =
            "video_size=\(wanted.width)x\(wanted.height):pix_fmt=\(wanted.format):time_base=1/25:pixel_aspect=1/1"
        let which = mode == .all ? "all" : "interlaced"
        do throws(FilterGraph.Failure) {
            graph = try FilterGraph(
                library, .frames, input: input, filters: "bwdif=mode=send_frame:parity=auto:deint=\(which)")
        } catch {
            throw SourceTrouble(.unsupported, "deinterlacing: \(words(for: error.status))")
        }
        shape = wanted
    }
}
