import Base
import Feeds
import Glibc
import Layout
import Scene

/// One event as a line of a trace.
public struct TraceLine {
    let name: String
    private let fields: [PropertyField]

    /// `start`: time at which the program began.
    func rendered(at now: Time, since start: Time) -> String {
        let head: [PropertyField] = [
            PropertyField("t", .number((now - start).seconds)), PropertyField("event", .text(name)),
        ]
        return JSONWriter.text(.object(head + fields), escaping: .unprintable)
    }

    public enum CountsName: String { case sums, end }

    public static func start(canvas: String, tiles: [String], pipelines: Int) -> TraceLine {
        TraceLine(
            name: "start",
            fields: [
                PropertyField("version", .integer(1)), PropertyField("time", .text(utcNow())),
                PropertyField("canvas", .text(canvas)),
                PropertyField("tiles", .list(tiles.map { .text($0) })), PropertyField("pipelines", .integer(pipelines)),
            ])
    }

    /// Counts so far, or the final counts. Startup times count from `programStart`.
    public static func counts(
        _ name: CountsName,
        _ tiles: [(tile: String, health: Health)], departed: Health, mostOpen: Int, programStart: Time
    ) -> TraceLine {
        let all = tiles.map(\.health) + [departed]
        let byTile = tiles.map { id, health in
            PropertyField(
                id,
                .object([
                    PropertyField("presented", .integer(health.presented)),
                    PropertyField("late", .integer(health.late)), PropertyField("missed", .integer(health.dropped)),
                    PropertyField(
                        "startup-ms",
                        health.startup.map { .integer(Int((($0 - programStart).seconds * 1000).rounded())) } ?? .null),
                    PropertyField("stalls", .integer(health.stalls)),
                ]))
        }
        return TraceLine(
            name: name.rawValue,
            fields: [
                PropertyField("presented", .integer(all.reduce(0) { $0 + $1.presented })),
                PropertyField("late", .integer(all.reduce(0) { $0 + $1.late })),
                PropertyField("missed", .integer(all.reduce(0) { $0 + $1.dropped })),
                PropertyField("max-open", .integer(mostOpen)),
                PropertyField("tiles", .object(byTile)),
            ])
    }

    static func of(_ what: Event.What, since start: Time) -> TraceLine {
        switch what {
        case .frame(let tile, let run, let pts, let due):
            TraceLine(
                name: "picture",
                fields: place(tile, run) + [
                    PropertyField("pts", .number(pts.seconds)), PropertyField("due", .number((due - start).seconds)),
                ])
        case .seam(let tile, let run, let how, let late, let reason):
            TraceLine(
                name: "seam",
                fields: place(tile, run) + [
                    PropertyField("how", .text(how.rawValue)), PropertyField("late-ms", .number(late.seconds * 1000)),
                    PropertyField("reason", reason.map { .text($0) } ?? .null),
                ])
        case .lease(let tile, let item, let pipeline, let open):
            TraceLine(name: "lease", fields: lease(tile, item, pipeline, open))
        case .release(let tile, let item, let pipeline, let open):
            TraceLine(name: "release", fields: lease(tile, item, pipeline, open))
        case .seat(let tile, let has):
            TraceLine(name: "seat", fields: [PropertyField("tile", .text(tile)), PropertyField("has", .flag(has))])
        case .focus(let tile):
            TraceLine(name: "focus", fields: [PropertyField("tile", .text(tile))])
        case .pip(let tile, let state, let reason):
            TraceLine(
                name: "pip",
                fields: [
                    PropertyField("tile", .text(tile)), PropertyField("state", .text(state.rawValue)),
                    PropertyField("reason", reason.map { .text($0) } ?? .null),
                ])
        case .clock(let group, let state, let position, let rate, _):
            TraceLine(
                name: "clock",
                fields: [
                    PropertyField("group", .text(group)), PropertyField("state", .text(state.rawValue)),
                    PropertyField("position", .number(position.seconds)), PropertyField("rate", .number(rate.value)),
                ])
        case .degrade(let tile, let step):
            TraceLine(
                name: "give-way",
                fields: [
                    PropertyField("tile", .text(tile)), PropertyField("step", .integer(step.rawValue)),
                    PropertyField("what", .text(step.words)),
                ])
        case .itemStart(let tile, let run, let source):
            TraceLine(name: "item-start", fields: place(tile, run) + [PropertyField("source", .text(source))])
        case .itemEnd(let item, let tile, let reason):
            TraceLine(
                name: "item-end",
                fields: place(tile, item.run) + [
                    PropertyField("source", .text(item.source)), PropertyField("reason", .text(reason.rawValue)),
                    PropertyField("presented", .integer(item.presented)),
                    PropertyField("missed", .integer(item.dropped)),
                ])
        case .stands(let item, let tile):
            TraceLine(
                name: "item-stands", fields: place(tile, item.run) + [PropertyField("source", .text(item.source))])
        case .idle(let tile): TraceLine(name: "idle", fields: [PropertyField("tile", .text(tile))])
        case .reload(let diff, let milliseconds):
            TraceLine(
                name: "reload",
                fields: [
                    PropertyField("ok", .flag(true)), PropertyField("kept", .integer(diff.kept)),
                    PropertyField("changed", .integer(diff.changed)),
                    PropertyField("added", .integer(diff.addedCount)),
                    PropertyField("removed", .integer(diff.removedCount)),
                    PropertyField("ms", .number(milliseconds)),
                ])
        case .reloadFailed(let mistakes):
            TraceLine(
                name: "reload",
                fields: [PropertyField("ok", .flag(false)), PropertyField("mistakes", .integer(mistakes))])
        case .breakChange(let name, let state):
            TraceLine(
                name: "break",
                fields: [PropertyField("name", .text(name)), PropertyField("state", .text(state.rawValue))])
        case .take(let tile, let file, let state):
            TraceLine(
                name: "take",
                fields: [PropertyField("tile", .text(tile)), PropertyField("file", .text(file))] + state.fields)
        case .monitor(let latency):
            TraceLine(name: "monitor", fields: [PropertyField("latency-ms", .number(latency.seconds * 1000))])
        case .schedule(let change): TraceLine(name: "schedule", fields: change.fields)
        case .trouble(let tile, let source, let item, let pts, let trouble):
            TraceLine(
                name: "trouble",
                fields: [
                    PropertyField("tile", tile.map { .text($0) } ?? .null), PropertyField("source", .text(source)),
                    PropertyField("item", tile == nil ? .null : item.number),
                    PropertyField("pts", pts.map { .number($0.seconds) } ?? .null),
                    PropertyField("kind", .text(trouble.kind.rawValue)), PropertyField("what", .text(trouble.what)),
                ] + item.fields)
        case .stale(let tile, let source, let time): absence("stale", tile, source, time)
        case .frozen(let tile, let source, let time): absence("frozen", tile, source, time)
        case .recovered(let tile, let source, let time, let from):
            absence("recovered", tile, source, time, [PropertyField("was", .text(from.rawValue))])
        }
    }

    private static func absence(
        _ name: String, _ tile: String, _ source: String, _ time: Time, _ more: [PropertyField] = []
    ) -> TraceLine {
        TraceLine(
            name: name,
            fields: [
                PropertyField("tile", .text(tile)), PropertyField("source", .text(source)),
                PropertyField("seconds", .number(time.seconds)),
            ] + more)
    }

    private static func place(_ tile: String, _ run: RunID) -> [PropertyField] {
        [
            PropertyField("tile", .text(tile)), PropertyField("pass", .integer(run.iteration)),
            PropertyField("item", .integer(run.item)),
            PropertyField("round", .integer(run.round)),
        ]
    }

    private static func lease(_ tile: String, _ item: Int, _ pipeline: Int, _ open: Int) -> [PropertyField] {
        [
            PropertyField("tile", .text(tile)), PropertyField("item", .integer(item)),
            PropertyField("pipeline", .integer(pipeline)), PropertyField("open", .integer(open)),
        ]
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
