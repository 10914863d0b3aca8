import Base
import Commands
import Feeds
import Layout

extension ControlEvent {
    /// Returns the socket's events for a wall event: mpv's events for the focused tile, the wall's own for every tile.
    public static func of(_ event: Event) -> [ControlEvent] {
        switch event.what {
        case .itemStart(let tile, let run, let source):
            let start = ControlEvent("item-start", place(tile, run) + [PropertyField("source", .text(source))])
            guard tile == event.focus else { return [start] }
            return [
                ControlEvent("start-file", [entry(run)]), ControlEvent("file-loaded"), start,
                ControlEvent("playback-restart"),
            ]
        case .itemEnd(let item, let tile, let reason):
            let end = ControlEvent(
                "item-end",
                place(tile, item.run) + [
                    PropertyField("source", .text(item.source)), PropertyField("reason", .text(reason.rawValue)),
                    PropertyField("presented", .integer(item.presented)),
                    PropertyField("missed", .integer(item.dropped)),
                ])
            guard tile == event.focus else { return [end] }
            let word = reason == .skipped ? "stop" : reason.rawValue
            var fields = [PropertyField("reason", .text(word)), entry(item.run)]
            if reason == .error { fields.append(PropertyField("file_error", .text("loading failed"))) }
            return [end, ControlEvent("end-file", fields)]
        case .idle(let tile): return tile == event.focus ? [ControlEvent("idle")] : []
        case .clock(_, .waiting, _, _, true): return [ControlEvent("seek")]
        case .clock(_, _, _, _, true): return [ControlEvent("playback-restart")]
        case .seam(let tile, let run, let how, let late, _):
            return [
                ControlEvent(
                    "seam",
                    place(tile, run) + [
                        PropertyField("how", .text(how.rawValue)),
                        PropertyField("late-ms", .number(late.seconds * 1000)),
                    ])
            ]
        case .trouble(let tile, let source, let item, _, let trouble):
            return [
                ControlEvent(
                    "trouble",
                    [
                        PropertyField("tile", tile.map { .text($0) } ?? .null), PropertyField("source", .text(source)),
                        PropertyField("item", item.number), PropertyField("kind", .text(trouble.kind.rawValue)),
                        PropertyField("what", .text(trouble.what)),
                    ] + item.fields)
            ]
        case .stale(let tile, let source, let time):
            return [ControlEvent("stale", absence(tile, source, time))]
        case .frozen(let tile, let source, let time):
            return [ControlEvent("frozen", absence(tile, source, time))]
        case .recovered(let tile, let source, let time, let from):
            return [
                ControlEvent(
                    "recovered", absence(tile, source, time) + [PropertyField("was", .text(from.rawValue))])
            ]
        case .reload(let diff, _):
            return [
                ControlEvent(
                    "reload",
                    [
                        PropertyField("ok", .flag(true)), PropertyField("kept", .integer(diff.kept)),
                        PropertyField("changed", .integer(diff.changed)),
                        PropertyField("added", .integer(diff.addedCount)),
                        PropertyField("removed", .integer(diff.removedCount)),
                    ])
            ]
        case .reloadFailed(let mistakes):
            let fields = [PropertyField("ok", .flag(false)), PropertyField("mistakes", .integer(mistakes))]
            return [ControlEvent("reload", fields)]
        case .breakChange(let name, let state):
            return [
                ControlEvent(
                    "break", [PropertyField("name", .text(name)), PropertyField("state", .text(state.rawValue))])
            ]
        case .take(let tile, let file, let state):
            let fields = [PropertyField("tile", .text(tile)), PropertyField("file", .text(file))]
            return [ControlEvent("take", fields + state.fields)]
        case .schedule(let change): return [ControlEvent("schedule", change.fields)]
        case .frame, .lease, .release, .seat, .focus, .pip, .clock, .degrade, .monitor, .stands: return []
        }
    }

    private static func absence(_ tile: String, _ source: String, _ time: Time) -> [PropertyField] {
        [
            PropertyField("tile", .text(tile)), PropertyField("source", .text(source)),
            PropertyField("seconds", .number(time.seconds)),
        ]
    }

    private static func place(_ tile: String, _ run: RunID) -> [PropertyField] {
        [
            PropertyField("tile", .text(tile)), PropertyField("item", .integer(run.item)),
            PropertyField("pass", .integer(run.iteration)),
        ]
    }

    private static func entry(_ run: RunID) -> PropertyField {
        PropertyField("playlist_entry_id", .integer(run.item + 1))
    }
}
