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
            // Some phones state a peak below 1 nit.
            if display.has_luminance != 0, peak.den > 0, av_q2d(peak) >= 1 {
                masteringPeak = av_q2d(peak)
                if black.num >= 0, black.den > 0, av_q2d(black) < av_q2d(peak) { masteringBlack = av_q2d(black) }
            }
            if display.has_primaries != 0 { masteringPrimaries = Chromaticities(of: display) }
        }
        if let content {
            let levels = UnsafeRawPointer(content).assumingMemoryBound(to: AVContentLightMetadata.self).pointee
            if levels.MaxCLL > 0 { maxCLL = Int(levels.MaxCLL) }
            if levels.MaxFALL > 0 { maxFALL = Int(levels.MaxFALL) }
        }
    }
}

extension Chromaticities {
    /// Primaries and white of a mastering display; nil if one of them is no colour.
    fileprivate init?(of display: AVMasteringDisplayMetadata) {
        let (red, green, blue) = display.display_primaries
        let points = [red, green, blue, display.white_point].compactMap { point -> Point? in
            guard point.0.den > 0, point.1.den > 0 else { return nil }
            let (x, y) = (av_q2d(point.0), av_q2d(point.1))
            return x >= 0 && y > 0 && x + y <= 1 ? Point(x, y) : nil
        }
        guard points.count == 4 else { return nil }
        self.init(points[0], points[1], points[2], white: points[3])
    }
}

extension SourceColorimetry.DolbyVision {
    /// Dolby Vision as a stream's container states it; nil if the container states none.
    init?(of stream: UnsafePointer<AVStream>) {
        var size = 0
        guard let data = qd_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
            size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
        else { return nil }
        let record = UnsafeRawPointer(data).assumingMemoryBound(to: AVDOVIDecoderConfigurationRecord.self).pointee
        let base: Base =
            switch record.dv_bl_signal_compatibility_id {
            case 0: .own
            case 1, 6: .pq
            case 2: .sdr
            case 4: .hlg
            default: .unknown
            }
        self.init(profile: Int(record.dv_profile), base)
    }
}
