import Base
import Console
import Glibc
import Layout

/// Decoders of a wall, and how exactly they decode. A value is nil if the option was not given: the layout's holds.
struct DecodingOptions {
    private(set) var pipelines: PipelineCount?
    private(set) var quality: Quality?

    static let options: [Option<DecodingOptions>] = [
        Option("pipelines", .whole(1...64, or: "auto", "N|auto"), "most video decoders open at once", default: "4") {
            $0.pipelines = $1.map(PipelineCount.count) ?? .auto
        },
        Option(
            "quality", .oneOf(["auto", "exact"]), "exact: every pixel as the decoder specifies", into: \.quality),
    ]

    func apply(to layout: inout Layout) {
        if let pipelines { layout.pipelines = pipelines }
        if let quality { layout.quality = quality }
    }
}

extension Layout {
    /// Number of pipelines. `auto`: one for each tile; the wall uses as many of them as the cores can feed.
    var pipelineCount: Int {
        switch pipelines {
        case .count(let count): count
        case .auto: max(1, min(playingTiles.count, 64))
        }
    }

    /// Number of cores that pipelines may use; nil if it is not limited. `auto` leaves a quarter of the machine to the
    /// display and to others.
    var coresForPipelines: Double? {
        pipelines == .auto ? 0.75 * Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))) : nil
    }
}
