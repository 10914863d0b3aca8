import Expectations
import Foundation
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout

@Suite struct EventRecordTests {
    private static let empty = Layout(title: "", tiles: [])
    private static let run = RunID(iteration: 3, item: 1, round: 2)

    private static var played: ItemRecord {
        var item = ItemRecord(run: run, source: "b.mp4", beginning: .next)
        (item.counts.presented, item.counts.dropped) = (60, 2)
        return item
    }

    private static var change: ScheduleChange {
        var change = ScheduleChange.none
        (change.entry, change.layout) = ("night", "night.json")
        return change
    }

    private static let place = #""tile":"a","pass":3,"item":1,"round":2"#
    private static let sentPlace = #""tile":"a","item":1,"pass":3"#

    /// Events, with the trace's fields, and the names and fields of the events that the socket sends for them. The tile
    /// "a" has the focus, and the program began at second 100.
    private static let samples: [(what: Event.What, trace: String, socket: [String])] = [
        (
            .frame(tile: "a", run: run, pts: .milliseconds(1500), due: .milliseconds(102_250)),
            #""picture",\#(place),"pts":1.500000,"due":2.250000"#, []
        ),
        (
            .seam(tile: "a", run: run, how: .reopened, late: .milliseconds(40), reason: "slow"),
            #""seam",\#(place),"how":"reopened","late-ms":40.000000,"reason":"slow""#,
            [#""seam",\#(sentPlace),"how":"reopened","late-ms":40.000000"#]
        ),
        (
            .seam(tile: "b", run: RunID(iteration: 0), how: .continued, late: .zero, reason: nil),
            #""seam","tile":"b","pass":0,"item":0,"round":0,"how":"continued","late-ms":0.000000,"reason":null"#,
            [#""seam","tile":"b","item":0,"pass":0,"how":"continued","late-ms":0.000000"#]
        ),
        (
            .lease(tile: "a", item: 1, pipeline: 2, open: 3),
            #""lease","tile":"a","item":1,"pipeline":2,"open":3"#, []
        ),
        (
            .release(tile: "a", item: 1, pipeline: 2, open: 3),
            #""release","tile":"a","item":1,"pipeline":2,"open":3"#, []
        ),
        (.seat(tile: "a", has: true), #""seat","tile":"a","has":true"#, []),
        (.focus(tile: "a"), #""focus","tile":"a""#, []),
        (
            .pip(tile: "a", state: .willStart, reason: nil),
            #""pip","tile":"a","state":"will-start","reason":null"#, []
        ),
        (
            .pip(tile: "a", state: .failed, reason: "why"),
            #""pip","tile":"a","state":"failed","reason":"why""#, []
        ),
        (
            .clock(group: "g", state: .waiting, position: .seconds(7), rate: .one, isFocused: true),
            #""clock","group":"g","state":"waiting","position":7.000000,"rate":1.000000"#, [#""seek""#]
        ),
        (
            .clock(group: "g", state: .paused, position: .seconds(7), rate: .one, isFocused: true),
            #""clock","group":"g","state":"paused","position":7.000000,"rate":1.000000"#, [#""playback-restart""#]
        ),
        (
            .clock(group: "g", state: .playing, position: .seconds(7), rate: .slowest, isFocused: false),
            #""clock","group":"g","state":"playing","position":7.000000,"rate":0.250000"#, []
        ),
        (
            .degrade(tile: "a", step: .everySecondFrame),
            #""give-way","tile":"a","step":3,"what":"every second frame""#, []
        ),
        (
            .itemStart(tile: "a", run: run, source: "b.mp4"), #""item-start",\#(place),"source":"b.mp4""#,
            [
                #""start-file","playlist_entry_id":2"#, #""file-loaded""#,
                #""item-start",\#(sentPlace),"source":"b.mp4""#, #""playback-restart""#,
            ]
        ),
        (
            .itemStart(tile: "b", run: RunID(iteration: 0), source: "b\u{202E}"),
            #""item-start","tile":"b","pass":0,"item":0,"round":0,"source":"b\u202e""#,
            ["\"item-start\",\"tile\":\"b\",\"item\":0,\"pass\":0,\"source\":\"b\u{202E}\""]
        ),
        (
            .itemEnd(played, tile: "a", reason: .error),
            #""item-end",\#(place),"source":"b.mp4","reason":"error","presented":60,"missed":2"#,
            [
                #""item-end",\#(sentPlace),"source":"b.mp4","reason":"error","presented":60,"missed":2"#,
                #""end-file","reason":"error","playlist_entry_id":2,"file_error":"loading failed""#,
            ]
        ),
        (
            .itemEnd(played, tile: "a", reason: .skipped),
            #""item-end",\#(place),"source":"b.mp4","reason":"skipped","presented":60,"missed":2"#,
            [
                #""item-end",\#(sentPlace),"source":"b.mp4","reason":"skipped","presented":60,"missed":2"#,
                #""end-file","reason":"stop","playlist_entry_id":2"#,
            ]
        ),
        (.left(played, tile: "a"), #""item-left",\#(place),"source":"b.mp4""#, []),
        (.stands(played, tile: "a"), #""item-stands",\#(place),"source":"b.mp4""#, []),
        (.idle(tile: "a"), #""idle","tile":"a""#, [#""idle""#]),
        (.idle(tile: "b"), #""idle","tile":"b""#, []),
        (
            .reload(LayoutDiff(from: empty, to: empty), milliseconds: 1.5),
            #""reload","ok":true,"kept":0,"changed":0,"added":0,"removed":0,"ms":1.500000"#,
            [#""reload","ok":true,"kept":0,"changed":0,"added":0,"removed":0"#]
        ),
        (
            .reloadFailed(mistakes: 2), #""reload","ok":false,"mistakes":2"#,
            [#""reload","ok":false,"mistakes":2"#]
        ),
        (
            .schedule(change), #""schedule","name":"night","show":"night.json","display":"on","ok":true"#,
            [#""schedule","name":"night","show":"night.json","display":"on","ok":true"#]
        ),
        (
            .breakChange(name: "ad", .started), #""break","name":"ad","state":"started""#,
            [#""break","name":"ad","state":"started""#]
        ),
        (
            .take(tile: "a", file: "t.flac", .started(start: .seconds(9), source: "s.mp3")),
            #""take","tile":"a","file":"t.flac","state":"started","start":9.000000,"source":"s.mp3""#,
            [#""take","tile":"a","file":"t.flac","state":"started","start":9.000000,"source":"s.mp3""#]
        ),
        (
            .take(tile: "a", file: "t.flac", .ended(.seconds(5))),
            #""take","tile":"a","file":"t.flac","state":"ended","seconds":5.000000"#,
            [#""take","tile":"a","file":"t.flac","state":"ended","seconds":5.000000"#]
        ),
        (
            .take(tile: "a", file: "t.flac", .failed("full", kept: .seconds(5))),
            #""take","tile":"a","file":"t.flac","state":"failed","reason":"full""#,
            [#""take","tile":"a","file":"t.flac","state":"failed","reason":"full""#]
        ),
        (.monitor(latency: .milliseconds(20)), #""monitor","latency-ms":20.000000"#, []),
        (
            .trouble(
                tile: "a", source: "c", item: .item(1), pts: .seconds(2), trouble: SourceTrouble(.damaged, "torn")),
            #""trouble","tile":"a","source":"c","item":1,"pts":2.000000,"kind":"damaged","what":"torn""#,
            [#""trouble","tile":"a","source":"c","item":1,"kind":"damaged","what":"torn""#]
        ),
        (
            .trouble(
                tile: "a", source: "c", item: .ofBreak("ad"), pts: nil, trouble: SourceTrouble(.missing, "gone")),
            #""trouble","tile":"a","source":"c","item":null,"pts":null,"kind":"missing","what":"gone","break":"ad""#,
            [#""trouble","tile":"a","source":"c","item":null,"kind":"missing","what":"gone","break":"ad""#]
        ),
        (
            .trouble(tile: nil, source: "c", item: .item(0), pts: nil, trouble: SourceTrouble(.missing, "gone")),
            #""trouble","tile":null,"source":"c","item":null,"pts":null,"kind":"missing","what":"gone""#,
            [#""trouble","tile":null,"source":"c","item":0,"kind":"missing","what":"gone""#]
        ),
        (
            .stale(tile: "a", source: "c", for: .seconds(5)),
            #""stale","tile":"a","source":"c","seconds":5.000000"#,
            [#""stale","tile":"a","source":"c","seconds":5.000000"#]
        ),
        (
            .frozen(tile: "a", source: "c", for: .seconds(5)),
            #""frozen","tile":"a","source":"c","seconds":5.000000"#,
            [#""frozen","tile":"a","source":"c","seconds":5.000000"#]
        ),
        (
            .recovered(tile: "a", source: "c", after: .seconds(5), from: .absence),
            #""recovered","tile":"a","source":"c","seconds":5.000000,"was":"away""#,
            [#""recovered","tile":"a","source":"c","seconds":5.000000,"was":"away""#]
        ),
    ]

    private func event(_ what: Event.What) -> Event { Event(at: .seconds(101), what: what, focus: "a") }

    @Test func eachEventIsWrittenInTheTrace() throws {
        for (what, trace, _) in Self.samples {
            let record = try #require(EventRecord.of(event(what)))
            let fields = [PropertyField("event", .text(record.name.text))] + record.traceFields(since: .seconds(100))
            expect(JSONWriter.text(.object(fields), escaping: .unprintable), equals: "{\"event\":\(trace)}")
        }
    }

    @Test func eachEventIsSentToClients() {
        for (what, _, socket) in Self.samples {
            let lines = ControlEvent.of(event(what)).map { event in
                JSONWriter.text(.object([PropertyField("event", .text(event.name))] + event.fields))
            }
            expect(lines, equals: socket.map { "{\"event\":\($0)}" })
        }
    }

    @Test func everyEventHasASample() {
        let sampled = Set(Self.samples.compactMap { EventRecord.of(event($0.what))?.name })
        // The program writes these, without an `Event`.
        let ofProgram: Set<EventName> = [.start, .sums, .end]
        expect(sampled.isDisjoint(with: ofProgram))
        expect(sampled.union(ofProgram).map(\.text).sorted(), equals: EventName.allCases.map(\.text).sorted())
        let sent = Set(Self.samples.flatMap { ControlEvent.of(event($0.what)).map(\.name) })
        expect(sent.isSuperset(of: EventName.sentWhole.map(\.text)))
    }

    @Test func theNamesOfAllEvents() {
        let names = [
            "start", "picture", "seam", "lease", "release", "seat", "focus", "pip", "clock", "give-way", "item-start",
            "item-end", "item-left", "item-stands", "idle", "reload", "schedule", "break", "take", "monitor", "trouble",
            "stale",
            "frozen", "recovered", "sums", "end",
        ]
        expect(EventName.allCases.map(\.text), equals: names)
        expect(names.map { EventName($0)?.text }, equals: names)
        expect(EventName("seams") == nil)
        let sent = [
            "seam", "item-start", "item-end", "reload", "schedule", "break", "take", "trouble", "stale", "frozen",
            "recovered",
        ]
        expect(EventName.sentWhole.map(\.text), equals: sent)
    }

    @Test func everyEventThatIsSentCanBeDisabled() {
        let known = EventName.sentWhole.map(\.text) + MPVEventName.known
        for event in Self.samples.flatMap({ ControlEvent.of(event($0.what)) }) {
            expect(known.count { $0 == event.name }, equals: 1, "\(event.name)")
        }
    }

    @Test func anEventThatIsNotWantedIsNotMade() throws {
        for name in EventName.allCases {
            let (only, others) = (EventNames([name]), EventNames(EventName.allCases.filter { $0 != name }))
            for (what, _, _) in Self.samples {
                let isNamed = EventRecord.of(event(what))?.name == name
                expect(EventRecord.of(event(what), in: only) != nil, equals: isNamed, "\(name)")
                expect(EventRecord.of(event(what), in: others) == nil, equals: isNamed, "\(name)")
            }
        }
    }

    @Test func theManualNamesAllEvents() throws {
        let ofTrace = try ManualPage("doc/manual/troubleshooting.md")
        let ofSocket = try ManualPage("doc/manual/control.md")
        let head = "| event | when |\n|---|---|\n"
        let table = try #require(ofTrace.text.components(separatedBy: head).dropFirst().first, "\(ofTrace.path)")
        let rows = table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("| ") }
        let traced = rows.flatMap { row in
            row.dropFirst(2).prefix { $0 != "|" }.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        expect(traced.sorted(), equals: EventName.allCases.map(\.text).sorted(), "the table of \(ofTrace.path)")
        let paragraph = ofSocket.text.components(separatedBy: "In addition to mpv's events").dropFirst().first ?? ""
        let sentence = try #require(paragraph.components(separatedBy: "for every tile").first, "\(ofSocket.path)")
        let sent = sentence.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        expect(sent.sorted(), equals: EventName.sentWhole.map(\.text).sorted(), "the events of \(ofSocket.path)")
    }
}
