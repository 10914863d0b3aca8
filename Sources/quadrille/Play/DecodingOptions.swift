import Base
import Console
import Glibc
import Layout

/// Decoders of a wall, and how exactly they decode. A value is nil if the option was not given: the layout's holds.
struct DecodingOptions {
    private(set) var pipelines: PipelineCount?
    private(set) var quality: Quality?

    static let specs = [
        OptionSpec(name: "pipelines", value: "N|auto", help: "most video decoders open at once (4)"),
        OptionSpec(name: "quality", value: "auto|exact", help: "exact: every pixel as the decoder specifies"),
    ]

    mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "pipelines":
            pipelines = value == "auto" ? .auto : .count(try Values.whole(value, 1...64, "--pipelines", or: "auto"))
        case "quality": quality = try Values.word(value, "--quality", ["auto", "exact"], Quality.init)
        default: return .another
        }
        return .taken
    }

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
