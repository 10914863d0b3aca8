import CFFmpeg

/// Lets decoders write into memory of a `FrameBufferPool`.
///
/// FFmpeg's own pools keep the largest number of frames ever in use at once, until the decoder is closed and its last
/// frame is released. The pool's memory serves every decoder, and unused memory is freed.
enum FrameMemory {
    /// `pool` must outlive the context.
    static func use(_ pool: FrameBufferPool, in context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.opaque = Unmanaged.passUnretained(pool).toOpaque()
        context.pointee.get_buffer2 = frameBuffer
        qd_allow_any_thread(context)
    }
}

/// Called on any thread of the decoder.
private func frameBuffer(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ codecFrame: UnsafeMutablePointer<AVFrame>?, _ flags: Int32
) -> Int32 {
    guard let context, let codecFrame, let opaque = context.pointee.opaque,
        let layout = FramePlanes(of: codecFrame, context)
    else { return avcodec_default_get_buffer2(context, codecFrame, flags) }
    let pool = Unmanaged<FrameBufferPool>.fromOpaque(opaque).takeUnretainedValue()
    guard let memory = try? pool.buffer(ofBytes: layout.bytes) else { return qd_ENOMEM }
    let base = memory.base.assumingMemoryBound(to: UInt8.self)
    let held = Unmanaged.passRetained(memory)
    let buffer = av_buffer_create(
        base, layout.bytes, { held, _ in Unmanaged<FrameBuffer>.fromOpaque(held!).release() }, held.toOpaque(), 0)
    guard let buffer else {
        held.release()
        return qd_ENOMEM
    }
    qd_set_buffer(codecFrame, buffer)
    for plane in layout.planes.indices {
        qd_set_plane(codecFrame, Int32(plane), base + layout.planes[plane].offset, layout.planes[plane].stride)
    }
    return 0
}

/// Offsets of a frame's planes in one block of memory, aligned and padded as its decoder requires.
private struct FramePlanes {
    var planes: [(offset: Int, stride: Int32)] = []
    /// Size of the block, with padding: decoders may read and write a little beyond a plane.
    var bytes = 0
    private static let padding = 128

    /// Returns nil if FFmpeg must allocate the frame.
    init?(of codecFrame: UnsafeMutablePointer<AVFrame>, _ context: UnsafeMutablePointer<AVCodecContext>) {
        let format = AVPixelFormat(codecFrame.pointee.format)
        let special = UInt64(AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM)
        guard let codec = context.pointee.codec, codec.pointee.capabilities & AV_CODEC_CAP_DR1 != 0,
            let described = av_pix_fmt_desc_get(format), described.pointee.flags & special == 0
        else { return nil }
        var (width, height) = (codecFrame.pointee.width, codecFrame.pointee.height)
        var alignments = [Int32](repeating: 0, count: 8)
        var strides = [Int32](repeating: 0, count: 4)
        avcodec_align_dimensions2(context, &width, &height, &alignments)
        while true {
            // One plane may be half as wide as another: rows grow until each is aligned.
            guard av_image_fill_linesizes(&strides, format, width) >= 0 else { return nil }
            if zip(strides, alignments).allSatisfy({ $0 % max(1, $1) == 0 }) { break }
            let (wider, overflow) = width.addingReportingOverflow(width & (~width + 1))
            if overflow { return nil }
            width = wider
        }
        var sizes = [Int](repeating: 0, count: 4)
        guard av_image_fill_plane_sizes(&sizes, format, height, strides.map { Int($0) }) >= 0 else { return nil }
        for (plane, size) in sizes.enumerated() where size > 0 {
            planes.append((offset: bytes, stride: strides[plane]))
            bytes += (size + Self.padding + 63) & ~63
        }
        if planes.isEmpty { return nil }
    }
}
