import Base
import CFFmpeg

extension LightLevels {
    /// Levels that a frame states, else its stream.
    init(of codecFrame: UnsafePointer<AVFrame>, in stream: UnsafePointer<AVStream>) {
        func data(_ type: AVFrameSideDataType) -> UnsafePointer<UInt8>? {
            av_frame_get_side_data(codecFrame, type).map { UnsafePointer($0.pointee.data) }
        }
        self.init(data(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA), data(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL))
        if self == LightLevels() { self.init(of: stream) }
    }

    /// Levels that the container states for a stream.
    init(of stream: UnsafePointer<AVStream>) {
        func data(_ type: AVPacketSideDataType) -> UnsafePointer<UInt8>? {
            var size = 0
            return qd_stream_side_data(stream, type, &size)
        }
        self.init(data(AV_PKT_DATA_MASTERING_DISPLAY_METADATA), data(AV_PKT_DATA_CONTENT_LIGHT_LEVEL))
    }

    private init(_ mastering: UnsafePointer<UInt8>?, _ content: UnsafePointer<UInt8>?) {
        self.init()
        if let mastering {
            let display = UnsafeRawPointer(mastering).assumingMemoryBound(to: AVMasteringDisplayMetadata.self).pointee
            let peak = display.max_luminance, black = display.min_luminance
            if display.has_luminance != 0, peak.num > 0, peak.den > 0 {
                masteringPeak = av_q2d(peak)
                if black.num >= 0, black.den > 0 { masteringBlack = av_q2d(black) }
            }
        }
        if let content {
            let levels = UnsafeRawPointer(content).assumingMemoryBound(to: AVContentLightMetadata.self).pointee
            if levels.MaxCLL > 0 { maxCLL = Int(levels.MaxCLL) }
            if levels.MaxFALL > 0 { maxFALL = Int(levels.MaxFALL) }
        }
    }
}

/// Profile of Dolby Vision that a stream's container states; nil if there is none.
func dolbyVisionProfile(of stream: UnsafePointer<AVStream>) -> Int? {
    var size = 0
    guard let data = qd_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
        size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    else { return nil }
    let record = UnsafeRawPointer(data).assumingMemoryBound(to: AVDOVIDecoderConfigurationRecord.self).pointee
    return Int(record.dv_profile)
}
