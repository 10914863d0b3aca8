import CFFmpeg

/// Packets that were sent to a decoder since its last flush. Used by the decoder's thread.
struct SentPackets {
    private var start: Decoder.Start
    /// True if packets have only decoding times, as in an AVI; nil until the first packet.
    private var hasDecodingTimesOnly: Bool?
    /// True once the decoder was told that no more packets come.
    var isAtEnd = false
    /// Newest timestamp.
    private(set) var fedTo = Int64.min
    /// Newest timestamp of the frames that may have been dropped.
    private(set) var droppedUpTo = Int64.min

    init(from start: Decoder.Start = .anywhere) { self.start = start }

    /// Returns true if the packet is to be sent: decoding has started, or starts with it.
    mutating func admit(_ packet: AVPacket) -> Bool {
        if start == .atKeyFrame {
            guard packet.flags & AV_PKT_FLAG_KEY != 0 else { return false }
            start = .anywhere
        }
        // The first packet decides, until a packet has a presentation time other than its decoding time.
        if hasDecodingTimesOnly == nil {
            hasDecodingTimesOnly = packet.pts == qd_NOPTS && packet.dts != qd_NOPTS
        } else if packet.pts != qd_NOPTS, packet.pts != packet.dts {
            hasDecodingTimesOnly = false
        }
        return true
    }

    /// `isSkipped`: true if its frame may be dropped.
    mutating func note(_ packet: AVPacket, isSkipped: Bool) {
        guard packet.pts != qd_NOPTS else { return }
        fedTo = max(fedTo, packet.pts)
        if isSkipped { droppedUpTo = max(droppedUpTo, packet.pts) }
    }

    /// Corrects the time of a decoded frame. If packets have decoding times only, FFmpeg reports the time of the packet
    /// that pushed the frame out. That time is late by the number of frames that the decoder holds back for reordering.
    func correctTime(of codecFrame: CodecFrame, heldBack frames: Int32, _ clock: StreamClock) {
        let frame = codecFrame.av.pointee
        guard hasDecodingTimesOnly == true, frame.best_effort_timestamp != qd_NOPTS,
            frame.pts == qd_NOPTS || frame.pts == frame.pkt_dts
        else { return }
        let heldBack = clock.ticksPerFrame.multipliedReportingOverflow(by: Int64(frames))
        guard !heldBack.overflow else { return }
        codecFrame.av.pointee.best_effort_timestamp = frame.best_effort_timestamp.minus(heldBack.partialValue)
    }
}
