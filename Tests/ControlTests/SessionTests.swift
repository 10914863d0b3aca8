import Base
import Commands
import Expectations
import Testing
import Threads

@testable import Socket

/// Answers to one client, over a real socket.
@Suite struct SessionTests {
    @Test func repliesAreMpvsToTheByte() throws {
        let cases: [(String, String)] = [
            (#"{"command":["client_name"]}"#, #"{"data":"ipc_0","request_id":0,"error":"success"}"#),
            (
                #"{"command":["get_version","extra"],"request_id":1}"#,
                #"{"data":131072,"request_id":1,"error":"success"}"#
            ),
            (
                #"{"command":["get_property","pause"],"request_id":"x\u0001\"é"}"#,
                #"{"data":false,"request_id":"x\u0001\"é","error":"success"}"#
            ),
            (
                #"{command=["get_property","volume",],request_id=[1,{a=1.5}]}"#,
                #"{"data":100.000000,"request_id":[1,{"a":1.500000}],"error":"success"}"#
            ),
            (
                #"{"command":["get_property","metadata"],"request_id":null}"#,
                #"{"data":{"b":1,"a":null},"request_id":null,"error":"success"}"#
            ),
            (#"{"command":["get_property","nope"]}"#, #"{"request_id":0,"error":"property not found"}"#),
            (#"{"command":["get_property","time-pos"]}"#, #"{"request_id":0,"error":"property unavailable"}"#),
            (#"{"command":["get_property_string","pause"]}"#, #"{"data":"no","request_id":0,"error":"success"}"#),
            (
                #"{"command":["get_property_string","volume"]}"#,
                #"{"data":"100.000000","request_id":0,"error":"success"}"#
            ),
            (#"{"command":["get_property_string","nope"]}"#, #"{"data":null,"request_id":0,"error":"success"}"#),
            (#"{"command":["set_property","pid",1]}"#, #"{"request_id":0,"error":"error accessing property"}"#),
            (#"{"command":["set_property","nope",1]}"#, #"{"request_id":0,"error":"property not found"}"#),
            (
                #"{"command":["set_property_string","title","a"],"request_id":7}"#,
                #"{"request_id":7,"error":"success"}"#
            ),
            (#"{"command":["get_property","title"]} rest"#, #"{"data":"a","request_id":0,"error":"success"}"#),
            (#"{"command":["set","volume",5]}"#, #"{"data":null,"request_id":0,"error":"success"}"#),
            (#"{"command":["set","nope",5]}"#, #"{"request_id":0,"error":"error running command"}"#),
            (#"{"command":["twice"]}"#, #"{"data":1,"request_id":0,"error":"success"}"#),
            (#"{"command":["unobserve_property",99]}"#, #"{"request_id":0,"error":"success"}"#),
            (#"{"command":["request_log_messages","info"]}"#, #"{"request_id":0,"error":"success"}"#),
            (#"{"command":["no-osd","echo","b"]}"#, #"{"data":"b","request_id":0,"error":"success"}"#),
            (#"{"command":["echo","${pid}"]}"#, #"{"data":"${pid}","request_id":0,"error":"success"}"#),
            (
                #"{"command":["expand-properties","echo","${pid}"]}"#,
                #"{"data":"4711","request_id":0,"error":"success"}"#
            ),
            (#"{"command":["async","echo","b"]}"#, #"{"data":null,"request_id":0,"error":"success"}"#),
            (#"{"command":["async","nope"]}"#, #"{"request_id":0,"error":"invalid parameter"}"#),
            (
                #"{"command":{"_name":"named","name":1,"_flags":["no-osd"]}}"#,
                #"{"data":{"name":1},"request_id":0,"error":"success"}"#
            ),
            (#"{"command":{"name":"named","b":[]}}"#, #"{"data":{"b":[]},"request_id":0,"error":"success"}"#),
            // With async, mpv writes data last.
            (#"{"command":["echo",1],"async":true,"request_id":5}"#, #"{"data":1,"request_id":5,"error":"success"}"#),
            (
                #"{"command":["set","nope",1],"async":true,"request_id":5}"#,
                #"{"data":null,"request_id":5,"error":"error running command"}"#
            ),
            (#"{"command":["nope"],"async":true,"request_id":5}"#, #"{"request_id":5,"error":"invalid parameter"}"#),
            (
                #"{"command":["get_property","pid"],"async":true,"request_id":5}"#,
                #"{"data":4711,"request_id":5,"error":"success"}"#
            ),
        ]
        try withSocket { _, _, path in
            let client = try TestClient(path)
            for (line, reply) in cases { expect(client.reply(to: line), equals: reply, "\(line)") }
        }
    }

    @Test func whatIsRefusedBeforeItIsRun() throws {
        let cases: [(String, id: String)] = [
            ("{", "0"), ("{}", "0"), (#"{"request_id":3}"#, "3"), (#"{"request_id":3,"command":["x"]"#, "0"),
            (#"{"command":null,"request_id":3}"#, "3"), (#"{"command":[],"request_id":3}"#, "3"),
            (#"{"command":[1],"request_id":3}"#, "3"), (#"{"command":"echo","request_id":3}"#, "3"),
            (#"{"command":["async"],"request_id":3}"#, "3"), (#"{"command":{},"request_id":3}"#, "3"),
            (#"{"command":{"name":"echo","_flags":["x"]},"request_id":3}"#, "3"),
            (#"{"command":{"name":"script-message","args":"x"},"request_id":3}"#, "3"),
            (#"{"command":{"name":"client_name"},"request_id":3}"#, "3"),
            (#"{"command":["no-osd","client_name"],"request_id":3}"#, "3"),
            (#"{"command":["get-version"],"request_id":3}"#, "3"),
            (#"{"command":["echo",1],"async":1,"request_id":3}"#, "0"),
            (#"{"command":["echo",1],"async":true,"request_id":"a"}"#, "\"a\""),
            (#"{"command":["get_property"]}"#, "0"), (#"{"command":["get_property",1]}"#, "0"),
            (#"{"command":["get_property","pid",1]}"#, "0"), (#"{"command":["get_property_string"]}"#, "0"),
            (#"{"command":["set_property","pause"]}"#, "0"), (#"{"command":["set_property",1,true]}"#, "0"),
            (#"{"command":["observe_property","1","pause"]}"#, "0"), (#"{"command":["observe_property",1]}"#, "0"),
            (#"{"command":["observe_property",1.0,"pause"]}"#, "0"), (#"{"command":["unobserve_property"]}"#, "0"),
            (#"{"command":["unobserve_property","1"]}"#, "0"), (#"{"command":["request_log_messages","none"]}"#, "0"),
            (#"{"command":["request_log_messages","silent:x"]}"#, "0"), (#"{"command":["enable_event","nope"]}"#, "0"),
            (#"{"command":["disable_event","shutdown"]}"#, "0"), (#"{"command":["disable_event"]}"#, "0"),
            (#"{"command":["script-message",1]}"#, "0"), (#"{"command":["script-message-to"]}"#, "0"),
        ]
        try withSocket { _, _, path in
            let client = try TestClient(path)
            for (line, id) in cases {
                let reply = try #require(client.reply(to: line))
                // The detail is for people and may be reworded.
                let rest = reply.replacing(/"detail":"([^"\\]|\\.)+",/, with: "")
                expect(rest, equals: "{\"request_id\":\(id),\"error\":\"invalid parameter\"}", "\(line)")
                // For these commands the fake wall gives no more detail than mpv.
                let isWalls = ["get-version", "client_name"].contains { line.contains($0) }
                expect((rest != reply) != isWalls, "\(reply)")
            }
        }
    }

    @Test func textCommandsHaveAReplyOnlyWhereTheyFail() throws {
        try withSocket { _, wall, path in
            let client = try TestClient(path)
            for line in ["# x", "", "   ", "set title \"a b\"; no-osd set volume ${pid}", "\0set pause broken"] {
                client.send(line)
            }
            let cases = [
                ("[1]", "error: invalid parameter"), ("nope", "error: invalid parameter"),
                ("set nope 1", "error: error running command"),
                ("set \"broken", "error: invalid parameter: a quote does not end, or holds an unknown escape"),
                ("no-osd", "error: invalid parameter: a command's name is missing"),
                ("script-message-to x y", "error: error running command: no client is called \"x\"; "),
            ]
            for (line, reply) in cases {
                expect(client.reply(to: line)?.hasPrefix(reply), equals: true, "\(line)")
            }
            // Each command of the line that fails is answered.
            expect(client.reply(to: "nope; set title \"a b\"; set nope 1"), equals: "error: invalid parameter")
            expect(client.line(), equals: "error: error running command")
            expect(
                client.reply(to: #"{"command":["get_property","title"]}"#)?.hasPrefix(#"{"data":"a b""#), equals: true)
            expect(wall["volume"], equals: .text("4711"))
            expect(wall["pause"], equals: .flag(false))
        }
    }

    @Test func theTargetLearnsTheCommandAndWhoSentIt() throws {
        try withSocket { _, wall, path in
            let clients = [try TestClient(path), try TestClient(path)]
            for client in clients { _ = client.reply(to: #"{"command":["client_name"]}"#) }
            _ = clients[1].reply(to: #"{"command":["some_name",1,null]}"#)
            expect(wall.ran, equals: [ControlCommand("some-name", [.integer(1), .null], client: "ipc_1")])
        }
    }

    @Test func bytesThatAreNoUTF8AreAnsweredInUTF8() throws {
        try withSocket { _, _, path in
            let client = try TestClient(path)
            client.send(
                bytes: Array("{\"command\":[\"echo\",\"\\xff".utf8) + [0xFF, 0xC3] + Array("\\udc00\"]}\n".utf8))
            let reply = try #require(client.lineBytes())
            expect(String(validating: reply, as: UTF8.self)?.hasPrefix("{\"data\":\"\u{FFFD}"), equals: true)
        }
    }

    @Test func timeIsInMicroseconds() throws {
        try withSocket { _, _, path in
            let client = try TestClient(path)
            let before = monotonicNanoseconds() / 1000
            let reply = try #require(client.reply(to: #"{"command":["get_time_us"]}"#))
            let digits = reply.dropFirst(#"{"data":"#.count).prefix { $0.isNumber }
            expect((before...monotonicNanoseconds() / 1000).contains(try #require(Int64(digits))))
        }
    }
}
