import Base
import Commands
import Expectations
import Testing
import Threads

@testable import Socket

/// Commands that are not answered at once.
@Suite struct AnswerTests {
    @Test func aLateAnswerHoldsUpItsClientOnly() throws {
        try withSocket { socket, wall, path in
            let a = try TestClient(path), b = try TestClient(path)
            a.send(#"{"command":["hold"],"request_id":1}"#)
            a.send("set title held")
            a.send(#"{"command":["get_property","pid"],"request_id":2}"#)
            for _ in 0..<100 {
                expect(b.reply(to: #"{"command":["get_property","title"]}"#)?.contains("é"), equals: true)
            }
            wall.release()
            expect(
                a.lines(2),
                equals: [
                    #"{"data":"late","request_id":1,"error":"success"}"#,
                    #"{"data":4711,"request_id":2,"error":"success"}"#,
                ])
            expect(wall["title"], equals: .text("held"))
        }
    }

    @Test func theReplyComesBeforeTheEventsThatTheCommandCaused() throws {
        try withSocket { socket, wall, path in
            let client = try TestClient(path), other = try TestClient(path)
            _ = other.reply(to: #"{"command":["client_name"]}"#)
            client.send(#"{"command":["observe_property",1,"pause"]}"#)
            _ = client.lines(2)
            client.send(#"{"command":["hold"],"request_id":1}"#)
            wall.waitForCommands(1)
            wall["pause"] = .flag(true)
            socket.propertiesChanged()
            socket.post(ControlEvent("seek"))
            // The event is sent before the answer.
            expect(other.line(), equals: #"{"event":"seek"}"#)
            wall.release(.success(nil))
            let lines = client.lines(3)
            expect(lines.first, equals: #"{"data":null,"request_id":1,"error":"success"}"#)
            expect(
                Set(lines.dropFirst()),
                equals: [
                    #"{"event":"seek"}"#, #"{"event":"property-change","id":1,"name":"pause","data":true}"#,
                ])
        }
    }

    @Test func asyncCommandsAreAnsweredInTheOrderOfTheirEnds() throws {
        try withSocket { _, wall, path in
            let client = try TestClient(path)
            client.send(#"{"command":["hold"],"async":true,"request_id":1}"#)
            client.send(#"{"command":["hold"],"async":true,"request_id":2}"#)
            expect(
                client.reply(to: #"{"command":["echo",3]}"#), equals: #"{"data":3,"request_id":0,"error":"success"}"#)
            wall.release(.failure(.loadingFailed))
            expect(client.line(), equals: #"{"data":null,"request_id":1,"error":"loading failed"}"#)
            wall.release()
            expect(client.line(), equals: #"{"data":"late","request_id":2,"error":"success"}"#)
        }
    }

    @Test func thePrefixAsyncDoesNotWait() throws {
        try withSocket { _, wall, path in
            let client = try TestClient(path)
            let begun = #"{"data":null,"request_id":0,"error":"success"}"#
            expect(client.reply(to: #"{"command":["async","hold"]}"#), equals: begun)
            client.send("async hold; set title on")
            expect(client.reply(to: #"{"command":["echo",1]}"#)?.hasPrefix(#"{"data":1"#), equals: true)
            expect(wall["title"], equals: .text("on"))
            wall.release()
            wall.release()
            expect(client.reply(to: #"{"command":["echo",2]}"#)?.hasPrefix(#"{"data":2"#), equals: true)
        }
    }

    @Test func commandsOfALineRunOneAfterTheOther() throws {
        try withSocket { _, wall, path in
            let client = try TestClient(path)
            client.send("hold; set title after")
            client.send(#"{"command":["get_property","title"]}"#)
            wall.waitForCommands(1)
            expect(wall["title"], equals: .text("é"))
            wall.release(.failure(.commandError))
            expect(client.line(), equals: "error: error running command")
            expect(client.line(), equals: #"{"data":"after","request_id":0,"error":"success"}"#)
        }
    }

    @Test func aClientThatSaysNoMoreIsAnsweredBeforeItIsClosed() throws {
        try withSocket { _, wall, path in
            let client = try TestClient(path)
            client.send(bytes: Array("{\"command\":[\"hold\"],\"request_id\":1}\nset title last\nset title half".utf8))
            client.endSending()
            wall.waitForCommands(1)
            wall.release()
            expect(client.line(), equals: #"{"data":"late","request_id":1,"error":"success"}"#)
            expect(client.line(), equals: nil)
            expect(wall["title"], equals: .text("last"))
        }
    }

    @Test func answersForClientsThatAreGoneAreForgotten() throws {
        try withSocket { _, wall, path in
            for async in ["true", "false"] {
                let gone = try TestClient(path)
                gone.send("{\"command\":[\"hold\"],\"async\":\(async),\"request_id\":1}")
                wall.waitForCommands(async == "true" ? 1 : 2)
                gone.close()
            }
            let client = try TestClient(path)
            expect(client.reply(to: #"{"command":["client_name"]}"#)?.contains("ipc_2"), equals: true)
            wall.release()
            wall.release()
            expect(client.reply(to: #"{"command":["echo",1]}"#)?.hasPrefix(#"{"data":1"#), equals: true)
        }
    }

    @Test func whatWasAnsweredBeforeTheEndIsSent() throws {
        try withFolder { folder in
            let wall = FakeWall()
            let socket = try LoneSocket("\(folder)/s", wall)
            let client = try TestClient("\(folder)/s")
            client.send(#"{"command":["hold"],"request_id":1}"#)
            wall.waitForCommands(1)
            wall.release()
            expect(socket.stop(), equals: [])
            expect(client.line(), equals: #"{"data":"late","request_id":1,"error":"success"}"#)
            expect(client.line(), equals: #"{"event":"shutdown"}"#)
            expect(client.line(), equals: nil)
            // Calls after the end have no effect.
            socket.propertiesChanged()
            socket.post(ControlEvent("seek"))
            expect(!socket.hasListeners)
        }
    }
}
