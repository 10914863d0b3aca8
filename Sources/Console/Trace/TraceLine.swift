import Base
import Feeds
import Glibc
import Layout
import Scene

/// One event as a line of a trace.
public struct TraceLine {
    let name: EventName
    private let fields: [PropertyField]

    private init(name: EventName, fields: [PropertyField]) { (self.name, self.fields) = (name, fields) }

    /// `start`: time at which the program began.
    init(_ record: EventRecord, since start: Time) {
        self.init(name: record.name, fields: record.traceFields(since: start))
    }

    /// Appends the line to `lines`. `start`: time at which the program began.
    func append(to lines: inout [UInt8], at now: Time, since start: Time) {
        let head = [PropertyField("t", .number((now - start).seconds)), PropertyField("event", .text(name.text))]
        JSONWriter.append(line: head + fields, to: &lines, escaping: .unprintable)
    }

    public enum CountsName { case sums, end }

    public static func start(canvas: String, tiles: [String], pipelines: Int) -> TraceLine {
        TraceLine(
            name: .start,
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
            name: name == .sums ? .sums : .end,
            fields: [
                PropertyField("presented", .integer(all.reduce(0) { $0 + $1.presented })),
                PropertyField("late", .integer(all.reduce(0) { $0 + $1.late })),
                PropertyField("missed", .integer(all.reduce(0) { $0 + $1.dropped })),
                PropertyField("max-open", .integer(mostOpen)),
                PropertyField("tiles", .object(byTile)),
            ])
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
