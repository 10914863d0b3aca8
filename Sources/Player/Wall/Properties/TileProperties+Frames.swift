import Base
import Commands
import Opened

extension Properties {
    /// The frames of a tile: their size, rate and bit rate, and those that were not shown in time.
    static let frames: [TileProperty] = [
        Property(
            "width", .tile, "width of its frames, upright, in square pixels",
            get: { $0.feed.screen.last.map { .integer($0.frame.natural.width) } }),
        Property(
            "height", .tile, "height of its frames",
            get: { $0.feed.screen.last.map { .integer($0.frame.natural.height) } }),
        Property("container-fps", .tile, "frames a second, as its file states", get: frameRate),
        Property(
            "video-bitrate", .tile, "bits a second of its video, on average, as its file states",
            get: { $0.facts?.bitRate.map { .integer($0) } }),
        Property(
            "video-params", .tile, "the colours and sizes of its frames, as one object", inObjects: .absent,
            get: { $0.videoParameters }),
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

    private static var noFrames: PropertySpec.Idle { .value(.integer(0)) }

    static let frameRate: TileProperty.Getter = {
        $0.facts?.frameLength.map { .number(Double(Time.ticksPerSecond) / Double(max(1, $0.ticks))) }
    }
    static let late: TileProperty.Getter = { .integer($0.health.late) }
    private static let undecoded: TileProperty.Getter = { .integer($0.health.undecoded) }
    private static let decodedAndDropped: TileProperty.Getter = { .integer($0.health.dropped - $0.health.undecoded) }
}

extension PropertyReader<TileID> {
    /// Facts of the source that the tile plays; nil until it is open.
    var facts: OpenedFacts? { snapshot.facts(of: feed) }

    /// Parameters of the shown frame, with mpv's names and a few more. A parameter that is unknown is absent.
    fileprivate var videoParameters: PropertyValue? {
        guard let frame = feed.screen.last?.frame, let coded = frame.coded else { return nil }
        let colours = coded.colorimetry, light = colours.light, natural = frame.natural
        let peak = colours.isHDR ? light.peak ?? ColourMapping.usualPeak : nil
        // FFmpeg names the byte order, and mpv names the machine's no more than its own.
        let pixels = coded.pixelFormat.map { $0.hasSuffix("le") ? String($0.dropLast(2)) : $0 }
        let parameters: PropertyValue = [
            "pixelformat": .textOrNull(pixels), "w": .integerOrNull(coded.size?.width),
            "h": .integerOrNull(coded.size?.height), "dw": .integer(natural.width), "dh": .integer(natural.height),
            "aspect": .number(Double(natural.width) / Double(max(1, natural.height))),
            "colormatrix": .text(colours.matrix.code), "colorlevels": .text("\(colours.range)"),
            "primaries": .text(colours.primaries.code), "gamma": .text(colours.transfer.code),
            "sig-peak": .number((peak ?? ColourMapping.whiteOfSDR) / ColourMapping.whiteOfSDR),
            "min-luma": .numberOrNull(light.masteringBlack), "max-luma": .numberOrNull(light.masteringPeak),
            "max-cll": .integerOrNull(light.maxCLL), "max-fall": .integerOrNull(light.maxFALL),
            "dolby-vision-profile": .integerOrNull(colours.dolbyVision?.profile),
            "assumed": .list(colours.assumedNames.map { .text($0) }),
        ]
        return parameters.withoutNulls
    }
}
