import Glibc
import WallCore

/// Events as the lines of a trace.
struct TraceLine {
    let name: String
    private let fields: [(String, JSONText)]

    /// `start`: when the program began.
    func rendered(at wall: Time, since start: Time) -> String {
        let head: [(String, JSONText)] = [
            ("t", .decimal((wall - start).seconds, places: 6)), ("event", .text(name)),
        ]
        return JSONText.object(head + fields).rendered
    }

    static func start(canvas: String, tiles: [String], pipelines: Int) -> TraceLine {
        TraceLine(
            name: "start",
            fields: [
                ("version", .number(1)), ("time", .text(utcNow())), ("canvas", .text(canvas)),
                ("tiles", .list(tiles.map { .text($0) })), ("pipelines", .number(pipelines)),
            ])
    }

    /// `programStart`: startup times count from it.
    static func end(
        _ tiles: [(tile: String, health: Health)], departed: Health, mostOpen: Int, programStart: Time
    ) -> TraceLine {
        let all = tiles.map(\.health) + [departed]
        let byTile = tiles.map { id, health -> (String, JSONText) in
            (
                id,
                .object([
                    ("presented", .number(health.presented)), ("late", .number(health.late)),
                    ("missed", .number(health.missed)),
                    (
                        "startup-ms",
                        health.startup.map { .number(Int((($0 - programStart).seconds * 1000).rounded())) } ?? .null
                    ), ("stalls", .number(health.stalls)),
                ])
            )
        }
        return TraceLine(
            name: "end",
            fields: [
                ("presented", .number(all.reduce(0) { $0 + $1.presented })),
                ("late", .number(all.reduce(0) { $0 + $1.late })),
                ("missed", .number(all.reduce(0) { $0 + $1.missed })), ("max-open", .number(mostOpen)),
                ("tiles", .object(byTile)),
            ])
    }

    static func of(_ what: Event.What, since start: Time) -> TraceLine {
        switch what {
        case .picture(let tile, let run, let pts, let due):
            TraceLine(
                name: "picture",
                fields: place(tile, run) + [
                    ("pts", .decimal(pts.seconds, places: 6)), ("due", .decimal((due - start).seconds, places: 6)),
                ])
        case .seam(let tile, let run, let how, let late, let reason):
            TraceLine(
                name: "seam",
                fields: place(tile, run) + [
                    ("how", .text(how.rawValue)), ("late-ms", .decimal(late.seconds * 1000, places: 3)),
                    ("reason", reason.map { .text($0) } ?? .null),
                ])
        case .lease(let tile, let item, let pipeline, let open):
            TraceLine(name: "lease", fields: lease(tile, item, pipeline, open))
        case .release(let tile, let item, let pipeline, let open):
            TraceLine(name: "release", fields: lease(tile, item, pipeline, open))
        case .seat(let tile, let has):
            TraceLine(name: "seat", fields: [("tile", .text(tile)), ("has", .bool(has))])
        case .focus(let tile):
            TraceLine(name: "focus", fields: [("tile", .text(tile))])
        case .pip(let tile, let state, let reason):
            TraceLine(
                name: "pip",
                fields: [
                    ("tile", .text(tile)), ("state", .text(state.rawValue)),
                    ("reason", reason.map { .text($0) } ?? .null),
                ])
        case .clock(let group, let state, let position, let rate, _):
            TraceLine(
                name: "clock",
                fields: [
                    ("group", .text(group)), ("state", .text(state.rawValue)),
                    ("position", .decimal(position.seconds, places: 6)), ("rate", .decimal(rate.value, places: 6)),
                ])
        case .degrade(let tile, let step):
            TraceLine(
                name: "give-way",
                fields: [
                    ("tile", .text(tile)), ("step", .number(step.rawValue)), ("what", .text(step.words)),
                ])
        case .itemStart(let tile, let run, let source):
            TraceLine(name: "item-start", fields: place(tile, run) + [("source", .text(source))])
        case .itemEnd(let item, let tile, let reason):
            TraceLine(
                name: "item-end",
                fields: place(tile, item.run) + [
                    ("source", .text(item.source)), ("reason", .text(reason.rawValue)),
                    ("presented", .number(item.presented)), ("missed", .number(item.missed)),
                ])
        case .idle(let tile): TraceLine(name: "idle", fields: [("tile", .text(tile))])
        case .reload(let diff, let milliseconds):
            TraceLine(
                name: "reload",
                fields: [
                    ("ok", .bool(true)), ("kept", .number(diff.kept)), ("changed", .number(diff.changed)),
                    ("added", .number(diff.added.count)), ("removed", .number(diff.removed.count)),
                    ("ms", .decimal(milliseconds, places: 3)),
                ])
        case .reloadFailed(let mistakes):
            TraceLine(name: "reload", fields: [("ok", .bool(false)), ("mistakes", .number(mistakes))])
        case .trouble(let tile, let source, let item, let pts, let trouble):
            TraceLine(
                name: "trouble",
                fields: [
                    ("tile", tile.map { .text($0) } ?? .null), ("source", .text(source)),
                    ("item", tile == nil ? .null : .number(item)),
                    ("pts", pts.map { .decimal($0.seconds, places: 6) } ?? .null),
                    ("kind", .text(trouble.kind.rawValue)), ("what", .text(trouble.what)),
                ])
        }
    }

    private static func place(_ tile: String, _ run: RunID) -> [(String, JSONText)] {
        [
            ("tile", .text(tile)), ("pass", .number(run.pass)), ("item", .number(run.item)),
            ("round", .number(run.round)),
        ]
    }

    private static func lease(_ tile: String, _ item: Int, _ pipeline: Int, _ open: Int) -> [(String, JSONText)] {
        [("tile", .text(tile)), ("item", .number(item)), ("pipeline", .number(pipeline)), ("open", .number(open))]
    }

    private static func utcNow() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}
