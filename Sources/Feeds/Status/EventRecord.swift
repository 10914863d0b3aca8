import Base
import Commands
import Layout

/// An event as data: its name and its fields. The lines of the trace and the events of the socket are written from it.
public struct EventRecord: Sendable {
    public let name: EventName
    /// In written order.
    let fields: [EventField]
    let mpv: MPVEvents

    /// Returns the record of an event; nil if `wanted` lacks it: its fields are not made then.
    public static func of(_ event: Event, in wanted: EventNames = .all) -> EventRecord? {
        func record(
            _ name: EventName, _ fields: @autoclosure () -> [EventField], mpv: @autoclosure () -> MPVEvents = .none
        ) -> EventRecord? {
            wanted.contains(name) ? EventRecord(name: name, fields: fields(), mpv: mpv()) : nil
        }
        /// mpv's events, if the tile has the focus.
        func focused(_ tile: String, _ events: @autoclosure () -> MPVEvents) -> MPVEvents {
            tile == event.focus ? events() : .none
        }
        return switch event.what {
        case .frame(let tile, let run, let pts, let due):
            record(.picture, place(tile, run, .field("pts", .seconds(pts)), .instant("due", due)))
        case .seam(let tile, let run, let how, let late, let reason):
            record(
                .seam,
                place(
                    tile, run, .text("how", how.rawValue), .field("late-ms", .milliseconds(late)),
                    .traced("reason", .textOrNull(reason))))
        case .lease(let tile, let item, let pipeline, let open): record(.lease, pipelineUse(tile, item, pipeline, open))
        case .release(let tile, let item, let pipeline, let open):
            record(.release, pipelineUse(tile, item, pipeline, open))
        case .seat(let tile, let has): record(.seat, [.text("tile", tile), .field("has", .flag(has))])
        case .focus(let tile): record(.focus, [.text("tile", tile)])
        case .pip(let tile, let state, let reason):
            record(.pip, [.text("tile", tile), .text("state", state.rawValue), .text("reason", reason)])
        case .clock(let group, let state, let position, let rate, let isFocused):
            record(
                .clock,
                [
                    .text("group", group), .text("state", state.rawValue), .field("position", .seconds(position)),
                    .field("rate", .number(rate.value)),
                ],
                mpv: isFocused ? MPVEvents(after: [ControlEvent(state == .waiting ? .seek : .playbackRestart)]) : .none)
        case .degrade(let tile, let step):
            record(.giveWay, [.text("tile", tile), .number("step", step.rawValue), .text("what", step.words)])
        case .itemStart(let tile, let run, let source):
            record(.itemStart, place(tile, run, .text("source", source)), mpv: focused(tile, .itemStart(run)))
        case .itemEnd(let item, let tile, let reason):
            record(
                .itemEnd,
                place(
                    tile, item.run, .text("source", item.source), .text("reason", reason.rawValue),
                    .number("presented", item.presentedSinceBreak), .number("missed", item.droppedSinceBreak)),
                mpv: focused(tile, .itemEnd(item.run, reason)))
        case .left(let item, let tile): record(.itemLeft, place(tile, item.run, .text("source", item.source)))
        case .stands(let item, let tile): record(.itemStands, place(tile, item.run, .text("source", item.source)))
        case .idle(let tile):
            record(.idle, [.text("tile", tile)], mpv: focused(tile, MPVEvents(after: [ControlEvent(.idle)])))
        case .reload(let diff, let milliseconds):
            record(
                .reload,
                [
                    .field("ok", .flag(true)), .number("kept", diff.kept), .number("changed", diff.changed),
                    .number("added", diff.addedCount), .number("removed", diff.removedCount),
                    .traced("ms", .number(milliseconds)),
                ])
        case .reloadFailed(let mistakes): record(.reload, [.field("ok", .flag(false)), .number("mistakes", mistakes)])
        case .schedule(let change): record(.schedule, change.fields.map { .field($0.name, $0.value) })
        case .breakChange(let name, let state):
            record(.break, [.text("name", name), .text("state", state.rawValue)])
        case .take(let tile, let file, let state):
            record(.take, [.text("tile", tile), .text("file", file)] + state.fields)
        case .monitor(let latency): record(.monitor, [.field("latency-ms", .milliseconds(latency))])
        case .trouble(let tile, let source, let item, let pts, let trouble):
            record(
                .trouble,
                [
                    .text("tile", tile), .text("source", source),
                    // The bed is no item: its number is 0 on the socket, and null in the trace.
                    .traced("item", tile == nil ? .null : item.number), .sent("item", item.number),
                    .traced("pts", .numberOrNull(pts?.seconds)), .text("kind", trouble.kind.rawValue),
                    .text("what", trouble.what),
                ] + item.fields)
        case .stale(let tile, let source, let time): record(.stale, absence(tile, source, time))
        case .frozen(let tile, let source, let time): record(.frozen, absence(tile, source, time))
        case .recovered(let tile, let source, let time, let from):
            record(.recovered, absence(tile, source, time) + [.text("was", from.rawValue)])
        }
    }

    // MARK: writing

    /// Fields of the line in the trace of a program that began at `start`. The line's time and the name are not among
    /// them.
    public func traceFields(since start: Time) -> [PropertyField] {
        var written: [PropertyField] = []
        written.reserveCapacity(fields.count)
        for field in fields {
            switch field {
            case .field(let name, let value), .traced(let name, let value): written.append(PropertyField(name, value))
            case .instant(let name, let time): written.append(PropertyField(name, .seconds(time - start)))
            case .sent: break
            }
        }
        return written
    }

    /// The socket's events, in the order in which they are sent.
    fileprivate var controlEvents: [ControlEvent] {
        guard name.sending == .whole else { return mpv.before + mpv.after }
        let sent = fields.compactMap { field -> PropertyField? in
            switch field {
            case .field(let name, let value), .sent(let name, let value): PropertyField(name, value)
            case .traced, .instant: nil
            }
        }
        return mpv.before + [ControlEvent(name.text, sent)] + mpv.after
    }
}

extension ControlEvent {
    /// Returns the socket's events for a wall event: mpv's events for the focused tile, the wall's own for every tile.
    public static func of(_ event: Event) -> [ControlEvent] { EventRecord.of(event, in: .sent)?.controlEvents ?? [] }
}

/// A field of an event. The order of a field is the same in the trace and on the socket; a field with different places
/// or values is listed twice.
enum EventField: Sendable {
    /// In the trace, and on the socket if the event is sent there.
    case field(String, PropertyValue)
    /// In the trace only.
    case traced(String, PropertyValue)
    /// Wall time, in the trace only, where it is written in seconds since the program began.
    case instant(String, Time)
    /// On the socket only.
    case sent(String, PropertyValue)

    /// Null for no text.
    fileprivate static func text(_ name: String, _ text: String?) -> EventField { .field(name, .textOrNull(text)) }
    fileprivate static func number(_ name: String, _ number: Int) -> EventField { .field(name, .integer(number)) }
}

/// mpv's events that the socket sends with an event of the focused tile.
struct MPVEvents: Sendable {
    var before: [ControlEvent] = []
    var after: [ControlEvent] = []

    static let none = MPVEvents()

    static func itemStart(_ run: RunID) -> MPVEvents {
        MPVEvents(
            before: [ControlEvent(.startFile, [entry(run)]), ControlEvent(.fileLoaded)],
            after: [ControlEvent(.playbackRestart)])
    }

    static func itemEnd(_ run: RunID, _ reason: Event.ItemEnd) -> MPVEvents {
        let word = reason == .skipped ? "stop" : reason.rawValue
        var fields = [PropertyField("reason", .text(word)), entry(run)]
        if reason == .error { fields.append(PropertyField("file_error", .text("loading failed"))) }
        return MPVEvents(after: [ControlEvent(.endFile, fields)])
    }

    private static func entry(_ run: RunID) -> PropertyField {
        PropertyField("playlist_entry_id", .integer(run.item + 1))
    }
}

// MARK: fields that several events have

private func place(_ tile: String, _ run: RunID, _ more: EventField...) -> [EventField] {
    var fields: [EventField] = []
    fields.reserveCapacity(5 + more.count)
    fields.append(.text("tile", tile))
    fields.append(.sent("item", .integer(run.item)))
    fields.append(.number("pass", run.iteration))
    fields.append(.traced("item", .integer(run.item)))
    fields.append(.traced("round", .integer(run.round)))
    fields += more
    return fields
}

private func pipelineUse(_ tile: String, _ item: Int, _ pipeline: Int, _ open: Int) -> [EventField] {
    [.text("tile", tile), .number("item", item), .number("pipeline", pipeline), .number("open", open)]
}

private func absence(_ tile: String, _ source: String, _ time: Time) -> [EventField] {
    [.text("tile", tile), .text("source", source), .field("seconds", .seconds(time))]
}

extension Event.TroublePlace {
    /// Items of a break have none.
    fileprivate var number: PropertyValue { if case .item(let item) = self { .integer(item) } else { .null } }

    fileprivate var fields: [EventField] { if case .ofBreak(let name) = self { [.text("break", name)] } else { [] } }
}

extension Event.TakeState {
    fileprivate var fields: [EventField] {
        switch self {
        case .started(let start, let source):
            [.text("state", "started"), .field("start", .seconds(start)), .text("source", source)]
        case .ended(let length): [.text("state", "ended"), .field("seconds", .seconds(length))]
        case .failed(let reason, _): [.text("state", "failed"), .text("reason", reason)]
        }
    }
}

extension PropertyValue {
    fileprivate static func seconds(_ time: Time) -> PropertyValue { .number(time.seconds) }
    fileprivate static func milliseconds(_ time: Time) -> PropertyValue { .number(time.seconds * 1000) }
}
