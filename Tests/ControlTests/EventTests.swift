import Base
import Commands
import Expectations
import Glibc
import Testing
import Threads

@testable import Socket

/// Events that a client receives without asking each time.
@Suite struct EventTests {
    private let done = #"{"request_id":0,"error":"success"}"#

    @Test func anObserverIsReportedAtOnceAndThenOfUnlikeValues() throws {
        try withSocket { socket, wall, path in
            let client = try TestClient(path)
            client.send(#"{"command":["observe_property",1,"volume"]}"#)
            expect(
                client.lines(2),
                equals: [done, #"{"event":"property-change","id":1,"name":"volume","data":100.000000}"#])
            socket.propertiesChanged()
            wall["volume"] = .number(50)
            socket.propertiesChanged()
            expect(client.line(), equals: #"{"event":"property-change","id":1,"name":"volume","data":50.000000}"#)
            // The value is the same again, so no event is sent between the two.
            wall["volume"] = .number(50)
            let reads = wall.reads
            socket.propertiesChanged()
            expect(comesTrue { wall.reads > reads })
            wall["volume"] = nil
            socket.propertiesChanged()
            expect(client.line(), equals: #"{"event":"property-change","id":1,"name":"volume"}"#)
        }
    }

    @Test func observationsOfAllKinds() throws {
        try withSocket { socket, wall, path in
            let client = try TestClient(path)
            let cases = [
                (#"["observe_property",0,"pause"]"#, #"{"event":"property-change","name":"pause","data":false}"#),
                (#"["observe_property",-2,"nope"]"#, #"{"event":"property-change","id":-2,"name":"nope"}"#),
                (#"["observe_property",3,"time-pos"]"#, #"{"event":"property-change","id":3,"name":"time-pos"}"#),
                (
                    #"["observe_property_string",3,"pause"]"#,
                    #"{"event":"property-change","id":3,"name":"pause","data":"no"}"#
                ),
                (
                    #"["observe_property",3,"pause"]"#,
                    #"{"event":"property-change","id":3,"name":"pause","data":false}"#
                ),
            ]
            for (command, event) in cases {
                client.send("{\"command\":\(command)}")
                expect(client.lines(2), equals: [done, event])
            }
            // All observers with the number 3 end; the one with 0 stays.
            expect(client.reply(to: #"{"command":["unobserve_property",3]}"#), equals: done)
            wall["pause"] = .flag(true)
            socket.propertiesChanged()
            expect(client.line(), equals: #"{"event":"property-change","name":"pause","data":true}"#)
            expect(client.reply(to: #"{"command":["unobserve_property",3]}"#), equals: done)
        }
    }

    @Test func manyChangesAreFewEventsAndTheLastIsNotLost() throws {
        try withSocket { socket, wall, path in
            let client = try TestClient(path)
            client.send(#"{"command":["observe_property",1,"volume"]}"#)
            _ = client.lines(2)
            let start = monotonicNanoseconds()
            let changes = 20_000
            for number in 1...changes {
                wall["volume"] = .integer(number)
                socket.propertiesChanged()
            }
            var events = 0
            while let line = client.line() {
                events += 1
                if line.hasSuffix("\"data\":\(changes)}") { break }
            }
            let looks = (monotonicNanoseconds() - start) / SocketServer.comparisonInterval + 2
            expect(events > 0 && events <= looks, "\(events) events, time for \(looks)")
        }
    }

    @Test func eventsGoToThoseWhoWantThem() throws {
        try withSocket { socket, _, path in
            let clients = [try TestClient(path), try TestClient(path), try TestClient(path)]
            _ = clients[0].reply(to: #"{"command":["client_name"]}"#)
            expect(clients[1].reply(to: #"{"command":["disable_event","seam"]}"#), equals: done)
            expect(clients[2].reply(to: #"{"command":["disable_event","all"]}"#), equals: done)
            expect(clients[2].reply(to: #"{"command":["enable_event","seek"]}"#), equals: done)
            socket.post(ControlEvent("seam", [PropertyField("tile", .text("a"))]))
            socket.post(ControlEvent("idle"))
            socket.post(ControlEvent("seek"))
            let seek = #"{"event":"seek"}"#, idle = #"{"event":"idle"}"#
            expect(clients[0].lines(3), equals: [#"{"event":"seam","tile":"a"}"#, idle, seek])
            expect(clients[1].lines(2), equals: [idle, seek])
            expect(clients[2].line(), equals: seek)
            expect(clients[1].reply(to: #"{"command":["enable_event","all"]}"#), equals: done)
            socket.post(ControlEvent("seam"))
            expect(clients[1].line(), equals: #"{"event":"seam"}"#)
        }
    }

    @Test func everyEventThatIsSentCanBeDisabled() throws {
        try withSocket { socket, wall, path in
            let client = try TestClient(path)
            // A client can't disable `shutdown` by its name, and an observed property is reported until it is not observed.
            let mpv = MPVEventName.known.filter { $0 != "shutdown" && $0 != "property-change" }
            let names = mpv + wall.eventNames
            for name in names {
                expect(client.reply(to: #"{"command":["disable_event","\#(name)"]}"#), equals: done, "\(name)")
                socket.post(ControlEvent(name))
            }
            for name in names {
                expect(client.reply(to: #"{"command":["enable_event","\#(name)"]}"#), equals: done, "\(name)")
            }
            socket.post(ControlEvent(.seek))
            expect(client.line(), equals: #"{"event":"seek"}"#)
        }
    }

    @Test func theEndIsSentToThoseWhoWantIt() throws {
        try withFolder { folder in
            let path = "\(folder)/s"
            let socket = try LoneSocket(path)
            let clients = [try TestClient(path), try TestClient(path)]
            _ = clients[0].reply(to: #"{"command":["client_name"]}"#)
            expect(clients[1].reply(to: #"{"command":["disable_event","all"]}"#), equals: done)
            socket.post(ControlEvent(.seek))
            socket.stop()
            expect(clients[0].lines(3), equals: [#"{"event":"seek"}"#, #"{"event":"shutdown"}"#])
            expect(clients[1].line(), equals: nil)
        }
    }

    @Test func messagesGoFromClientToClients() throws {
        try withSocket { socket, _, path in
            let a = try TestClient(path), b = try TestClient(path)
            for client in [a, b] { _ = client.reply(to: #"{"command":["client_name"]}"#) }
            a.send(#"{"command":["script-message","x","y"]}"#)
            let message = #"{"event":"client-message","args":["x","y"]}"#
            // The reply comes first, as in mpv.
            expect(a.lines(2), equals: [#"{"data":null,"request_id":0,"error":"success"}"#, message])
            expect(b.line(), equals: message)
            a.send("script_message-to ipc_1 ${pid}; raw script-message-to ipc_1 ${pid}")
            expect(b.line(), equals: #"{"event":"client-message","args":["4711"]}"#)
            expect(b.line(), equals: #"{"event":"client-message","args":["${pid}"]}"#)
            let refusal = a.reply(to: #"{"command":["script-message-to","ipc_9","x"]}"#)
            expect(refusal?.hasSuffix(#","error":"error running command"}"#), equals: true)
            expect(refusal?.contains(#""detail":"no client is called \"ipc_9\""#), equals: true)
            socket.post(ControlEvent("client-message", [PropertyField("args", .list([.text("key")]))]))
            expect(a.line(), equals: #"{"event":"client-message","args":["key"]}"#)
        }
    }

    @Test func logMessagesFromTheLevelThatWasAskedFor() throws {
        try withSocket { socket, _, path in
            func log(_ level: String) {
                socket.post(
                    ControlEvent(
                        "log-message",
                        [
                            PropertyField("prefix", .text("wall")), PropertyField("level", .text(level)),
                            PropertyField("text", .text("x\n")),
                        ]))
            }
            let client = try TestClient(path)
            _ = client.reply(to: #"{"command":["client_name"]}"#)
            log("fatal")
            expect(client.reply(to: #"{"command":["request_log_messages","warn"]}"#), equals: done)
            log("info")
            log("warn")
            expect(client.line(), equals: #"{"event":"log-message","prefix":"wall","level":"warn","text":"x\n"}"#)
            expect(client.reply(to: #"{"command":["request_log_messages","no"]}"#), equals: done)
            log("fatal")
            expect(client.reply(to: #"{"command":["client_name"]}"#)?.hasPrefix("{\"data\""), equals: true)
        }
    }

    @Test func theWallLearnsWhetherAnybodyListens() throws {
        try withSocket { socket, _, path in
            expect(!socket.hasListeners)
            let client = try TestClient(path)
            expect(comesTrue { socket.hasListeners })
            _ = client.reply(to: #"{"command":["disable_event","all"]}"#)
            expect(comesTrue { !socket.hasListeners })
            _ = client.reply(to: #"{"command":["observe_property",1,"pause"]}"#)
            expect(comesTrue { socket.hasListeners })
            client.close()
            expect(comesTrue { !socket.hasListeners })
        }
    }
}
