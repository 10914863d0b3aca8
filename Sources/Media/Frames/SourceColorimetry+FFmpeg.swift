import Base
import CFFmpeg

extension SourceColorimetry {
    /// Colours of a decoded frame.
    init(of codecFrame: AVFrame, kind: Kind) {
        self.init(
            Tags(
                AVPixelFormat(codecFrame.format), codecFrame.colorspace, codecFrame.color_range, codecFrame.color_trc,
                codecFrame.color_primaries), size: Size(Int(codecFrame.width), Int(codecFrame.height)), kind: kind)
    }

    /// Colours of a stream before its first frame is decoded.
    init(of parameters: AVCodecParameters, kind: Kind) {
        self.init(
            Tags(
                AVPixelFormat(parameters.format), parameters.color_space, parameters.color_range, parameters.color_trc,
                parameters.color_primaries), size: Size(Int(parameters.width), Int(parameters.height)), kind: kind)
    }
}

extension SourceColorimetry.Tags {
    fileprivate init(
        _ format: AVPixelFormat, _ matrix: AVColorSpace, _ range: AVColorRange,
        _ transfer: AVColorTransferCharacteristic, _ primaries: AVColorPrimaries
    ) {
        self.init(
            matrix: SourceColorimetry.Matrix(matrix), range: SourceColorimetry.Range(range),
            transfer: SourceColorimetry.Transfer(transfer), primaries: SourceColorimetry.Primaries(primaries))
        switch format {
        // The format itself implies the range.
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P:
            self.range = .full
        // swscale converts XYZ to RGB of BT.709.
        case AV_PIX_FMT_XYZ12LE, AV_PIX_FMT_XYZ12BE:
            (self.matrix, self.transfer, self.primaries) = (.rgb, .srgb, .bt709)
        default: if format.isRGB { self.matrix = .rgb }
        }
    }
}

extension SourceColorimetry.Matrix {
    /// nil for a stream that does not state it.
    fileprivate init?(_ number: AVColorSpace) {
        switch number {
        case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED: return nil
        case AVCOL_SPC_RGB: self = .rgb
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: self = .bt601
        case AVCOL_SPC_BT709: self = .bt709
        case AVCOL_SPC_BT2020_NCL: self = .bt2020
        default: self = .other(name(av_color_space_name(number)))
        }
    }

    /// FFmpeg's number; nil for a matrix that swscale can't convert.
    var number: AVColorSpace? {
        switch self {
        case .rgb: AVCOL_SPC_RGB
        case .bt601: AVCOL_SPC_SMPTE170M
        case .bt709: AVCOL_SPC_BT709
        case .bt2020: AVCOL_SPC_BT2020_NCL
        case .other("fcc"): AVCOL_SPC_FCC
        case .other("smpte240m"): AVCOL_SPC_SMPTE240M
        case .other: nil
        }
    }
}

extension SourceColorimetry.Range {
    fileprivate init?(_ number: AVColorRange) {
        switch number {
        case AVCOL_RANGE_MPEG: self = .limited
        case AVCOL_RANGE_JPEG: self = .full
        default: return nil
        }
    }

    /// FFmpeg's number.
    var number: AVColorRange { self == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
}

extension SourceColorimetry.Transfer {
    fileprivate init?(_ number: AVColorTransferCharacteristic) {
        switch number {
        case AVCOL_TRC_UNSPECIFIED, AVCOL_TRC_RESERVED, AVCOL_TRC_RESERVED0: return nil
        case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M, AVCOL_TRC_SMPTE240M, AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12,
            AVCOL_TRC_BT1361_ECG, AVCOL_TRC_IEC61966_2_4:
            self = .bt1886
        case AVCOL_TRC_IEC61966_2_1: self = .srgb
        case AVCOL_TRC_GAMMA22: self = .gamma22
        case AVCOL_TRC_GAMMA28: self = .gamma28
        case AVCOL_TRC_LINEAR: self = .linear
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: self = .other(name(av_color_transfer_name(number)))
        }
    }
}

extension SourceColorimetry.Primaries {
    fileprivate init?(_ number: AVColorPrimaries) {
        switch number {
        case AVCOL_PRI_UNSPECIFIED, AVCOL_PRI_RESERVED, AVCOL_PRI_RESERVED0: return nil
        case AVCOL_PRI_BT709: self = .bt709
        case AVCOL_PRI_BT470BG, AVCOL_PRI_EBU3213: self = .bt601With625Lines
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: self = .bt601With525Lines
        case AVCOL_PRI_BT2020: self = .bt2020
        case AVCOL_PRI_SMPTE432: self = .displayP3
        default: self = .other(name(av_color_primaries_name(number)))
        }
    }
}

private func name(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "unknown" }

extension FieldOrder {
    init(of codecFrame: UnsafePointer<AVFrame>) {
        self =
            qd_is_interlaced(codecFrame) == 0
            ? .progressive : qd_is_top_first(codecFrame) != 0 ? .topFirst : .bottomFirst
    }

    /// nil for a stream that does not state it.
    init?(of parameters: AVCodecParameters) {
        switch parameters.field_order {
        case AV_FIELD_PROGRESSIVE: self = .progressive
        case AV_FIELD_TT, AV_FIELD_BT: self = .topFirst
        case AV_FIELD_BB, AV_FIELD_TB: self = .bottomFirst
        default: return nil
        }
    }
}

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
