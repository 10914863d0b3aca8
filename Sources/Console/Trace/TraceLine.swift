import Base
import Feeds
import Layout

/// One event as a line of a trace.
public struct TraceLine {
    let name: EventName
    let fields: [PropertyField]

    /// Appends the line to `lines`. `start`: time at which the program began.
    func append(to lines: inout [UInt8], at now: Time, since start: Time) {
        let head = [PropertyField("t", .number((now - start).seconds)), PropertyField("event", .text(name.text))]
        JSONWriter.append(line: head + fields, to: &lines, escaping: .unprintable)
    }

    public static func start(canvas: String, tiles: [String], pipelines: Int) -> TraceLine {
        let utc = LocalTime.utc.iso(at: SystemTime.now).dropLast("+00:00".count)
        let fields: PropertyValue = [
            "version": .integer(1), "time": .text("\(utc)Z"), "canvas": .text(canvas),
            "tiles": .list(tiles.map(PropertyValue.text)), "pipelines": .integer(pipelines),
        ]
        return TraceLine(name: .start, fields: fields.fields)
    }

    /// Counts so far (`.sums`), or the final counts (`.end`). Startup times count from `programStart`.
    public static func counts(
        _ name: EventName,
        _ tiles: [(tile: String, health: Health)], departed: Health, mostOpen: Int, programStart: Time
    ) -> TraceLine {
        let all = tiles.map(\.health) + [departed]
        func sum(_ count: (Health) -> Int) -> PropertyValue { .integer(all.reduce(0) { $0 + count($1) }) }
        let byTile = tiles.map { id, health in
            let startup = health.startup.map { Int((($0 - programStart).seconds * 1000).rounded()) }
            return PropertyField(
                id,
                [
                    "presented": .integer(health.presented), "late": .integer(health.late),
                    "missed": .integer(health.dropped), "startup-ms": .integerOrNull(startup),
                    "stalls": .integer(health.stalls),
                ])
        }
        let fields: PropertyValue = [
            "presented": sum(\.presented), "late": sum(\.late), "missed": sum(\.dropped),
            "max-open": .integer(mostOpen), "tiles": .object(byTile),
        ]
        return TraceLine(name: name, fields: fields.fields)
    }
}

extension EventNames {
    /// Events that are traced unless others are chosen.
    public static let usualTrace = EventNames(EventName.allCases.filter { $0 != .picture })

    /// Parses a comma-separated list, or `all`.
    public init(list text: String) throws(UsageMistake) {
        if text == "all" {
            self = .all
            return
        }
        var chosen: [EventName] = []
        for word in text.split(separator: ",").map(String.init) {
            guard let name = EventName(word) else {
                let known = EventName.allCases.map(\.text)
                let near = nearest(to: word, among: known).map { "; did you mean \($0)? There" }
                throw UsageMistake(
                    "--trace-events \(word): no such event\(near ?? "; there") are \(known.joined(separator: ", ")), "
                        + "or all")
            }
            chosen.append(name)
        }
        guard !chosen.isEmpty else {
            throw UsageMistake("--trace-events needs names with commas between them, or all")
        }
        self.init(chosen)
    }
}
