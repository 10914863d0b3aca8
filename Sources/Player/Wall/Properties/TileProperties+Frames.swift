import Base
import Commands
import Feeds
import Layout

extension Properties {
    /// The frames of a tile: their size, rate and bit rate, and those that were not shown in time.
    static let frames: [TileProperty] = [
        Property(
            "width", .tile, "width of its frames, upright, in square pixels",
            get: { report, tile in report.feed(of: tile).screen.last.map { .integer($0.frame.natural.width) } }),
        Property(
            "height", .tile, "height of its frames",
            get: { report, tile in report.feed(of: tile).screen.last.map { .integer($0.frame.natural.height) } }),
        Property("container-fps", .tile, "frames a second, as its file states", get: frameRate),
        Property(
            "video-bitrate", .tile, "bits a second of its video, on average, as its file states",
            get: { report, tile in report.snapshot.facts(of: report.feed(of: tile))?.bitRate.map { .integer($0) } }),
        Property(
            "video-params", .tile, "the colours and sizes of its frames, as one object", inObjects: .absent,
            get: { report, tile in report.videoParameters(of: tile) }),
        Property(
            "frame-drop-count", .tile, "frames that were decoded, due and never shown", idle: noFrames,
            get: decodedAndDropped),
        Property(
            "decoder-frame-drop-count", .tile, "frames that were due and left out by its decoder", idle: noFrames,
            get: undecoded),
        Property(
            "vo-drop-frame-count", .tile, "`frame-drop-count` by its former name", idle: noFrames, inObjects: .absent,
            get: decodedAndDropped),
        Property(
            "drop-frame-count", .tile, "`decoder-frame-drop-count` by its former name", idle: noFrames,
            inObjects: .absent, get: undecoded),
        Property("vo-delayed-frame-count", .tile, "frames shown too late", idle: noFrames, get: late),
        Property(
            "mistimed-frame-count", .tile, "`vo-delayed-frame-count` by another name", idle: noFrames,
            inObjects: .absent, get: late),
    ]

    typealias TileGetter = @Sendable (PropertyReport, TileID) -> PropertyValue?

    private static var noFrames: PropertySpec.Idle { .value(.integer(0)) }

    static let frameRate: TileGetter = { report, tile in
        report.snapshot.facts(of: report.feed(of: tile))?.frameLength.map {
            .number(Double(Time.ticksPerSecond) / Double(max(1, $0.ticks)))
        }
    }

    static let late: TileGetter = { report, tile in .integer(report.feed(of: tile).screen.health.late) }

    private static let undecoded: TileGetter = { report, tile in
        .integer(report.feed(of: tile).screen.health.undecoded)
    }

    private static let decodedAndDropped: TileGetter = { report, tile in
        let health = report.feed(of: tile).screen.health
        return .integer(health.dropped - health.undecoded)
    }
}

extension PropertyReport {
    /// Returns the parameters of the shown frame, with mpv's names and a few more. A parameter that is unknown is absent.
    fileprivate func videoParameters(of tile: TileID) -> PropertyValue? {
        guard let frame = feed(of: tile).screen.last?.frame, let coded = frame.coded else { return nil }
        let colours = coded.colorimetry, natural = frame.natural
        let peak = colours.isHDR ? colours.light.peak ?? ColourMapping.usualPeak : nil
        // FFmpeg names the byte order, and mpv names the machine's no more than its own.
        let pixels = coded.pixelFormat.map { $0.hasSuffix("le") ? String($0.dropLast(2)) : $0 }
        let parameters: [(String, PropertyValue?)] = [
            ("pixelformat", pixels.map { .text($0) }),
            ("w", coded.size.map { .integer($0.width) }), ("h", coded.size.map { .integer($0.height) }),
            ("dw", .integer(natural.width)), ("dh", .integer(natural.height)),
            ("aspect", .number(Double(natural.width) / Double(max(1, natural.height)))),
            ("colormatrix", .text(colours.matrix.code)), ("colorlevels", .text("\(colours.range)")),
            ("primaries", .text(colours.primaries.code)), ("gamma", .text(colours.transfer.code)),
            ("sig-peak", .number((peak ?? ColourMapping.whiteOfSDR) / ColourMapping.whiteOfSDR)),
            ("min-luma", colours.light.masteringBlack.map { .number($0) }),
            ("max-luma", colours.light.masteringPeak.map { .number($0) }),
            ("max-cll", colours.light.maxCLL.map { .integer($0) }),
            ("max-fall", colours.light.maxFALL.map { .integer($0) }),
            ("dolby-vision-profile", colours.dolbyVision.map { .integer($0.profile) }),
            ("assumed", .list(colours.assumedNames.map { .text($0) })),
        ]
        return .object(parameters.compactMap { name, value in value.map { PropertyField(name, $0) } })
    }
}
