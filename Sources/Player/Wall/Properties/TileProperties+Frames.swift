import Base
import Commands
import Feeds
import Layout
import Scene

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
            get: { report, tile in report.facts(of: report.feed(of: tile))?.bitRate.map { .integer($0) } }),
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
        report.facts(of: report.feed(of: tile))?.frameLength.map {
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
