import CFFmpeg

/// Encodes one frame as an image in memory.
enum StillEncoder {
    /// `prepare`: sets options of the encoder before it is opened. Returns nil if there is no encoder or no memory.
    static func bytes(
        of codecFrame: UnsafeMutablePointer<AVFrame>, _ codec: AVCodecID,
        _ prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) -> [UInt8]? {
        guard let codec = avcodec_find_encoder(codec) else { return nil }
        var context = avcodec_alloc_context3(codec)
        var packet = av_packet_alloc()
        defer {
            avcodec_free_context(&context)
            av_packet_free(&packet)
        }
        guard let context, let packet else { return nil }
        (context.pointee.width, context.pointee.height) = (codecFrame.pointee.width, codecFrame.pointee.height)
        context.pointee.pix_fmt = AVPixelFormat(codecFrame.pointee.format)
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        prepare(context)
        guard avcodec_open2(context, codec, nil) >= 0, avcodec_send_frame(context, codecFrame) >= 0,
            avcodec_send_frame(context, nil) >= 0, avcodec_receive_packet(context, packet) >= 0
        else { return nil }
        return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
}
