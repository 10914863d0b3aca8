import Base
import Commands
import Expectations
import Glibc
import Testing
import Threads

@testable import Socket

/// Many clients, and clients that misbehave: the other clients are served as before.
@Suite struct CrowdTests {
    private func isServed(_ client: TestClient) -> Bool {
        client.reply(to: #"{"command":["echo",1],"request_id":8}"#) == #"{"data":1,"request_id":8,"error":"success"}"#
    }

    @Test func twoHundredClientsAtOnce() throws {
        try withSocket { socket, wall, path in
            let clients = try (0..<200).map { _ in try TestClient(path) }
            for (number, client) in clients.enumerated() {
                client.send("{\"command\":[\"observe_property\",\(number + 1),\"volume\"]}")
                client.send("{\"command\":[\"echo\",\(number)],\"request_id\":\(number)}")
            }
            for (number, client) in clients.enumerated() {
                let lines = Set(client.lines(3))
                expect(lines.contains("{\"data\":\(number),\"request_id\":\(number),\"error\":\"success\"}"))
            }
            wall["volume"] = .integer(7)
            socket.propertiesChanged()
            socket.post(ControlEvent("seek"))
            for (number, client) in clients.enumerated() {
                let expected: Set = [
                    #"{"event":"seek"}"#,
                    "{\"event\":\"property-change\",\"id\":\(number + 1),\"name\":\"volume\",\"data\":7}",
                ]
                expect(Set(client.lines(2)), equals: expected)
            }
        }
    }

    @Test func oneClientTooManyIsToldSoAndClosed() throws {
        try withSocket { _, _, path in
            let clients = try (0..<SocketServer.mostClients).map { _ in try TestClient(path) }
            for client in clients { expect(isServed(client)) }
            let oneMore = try TestClient(path)
            expect(oneMore.line(), equals: #"{"error":"at most 250 clients are served at once"}"#)
            expect(oneMore.isClosedByOther())
            expect(isServed(clients[0]))
            clients[0].close()
            expect(isServed(clients[1]))
            try expect(isServed(TestClient(path)))
        }
    }

    /// Holds also if the socket's thread learns of both at once.
    @Test func whoComesAfterAnotherLeftHasItsPlace() throws {
        try withSocket { _, _, path in
            var clients = try (0..<SocketServer.mostClients).map { _ in try TestClient(path) }
            for client in clients { expect(isServed(client)) }
            for place in clients.indices {
                clients[place].close()
                clients[place] = try TestClient(path)
                expect(isServed(clients[place]), "place \(place)")
            }
        }
    }

    @Test func aLineWithoutAnEndClosesItsClient() throws {
        try withSocket { _, _, path in
            let other = try TestClient(path)
            let client = try TestClient(path)
            let sent = client.send(bytes: [UInt8](repeating: UInt8(ascii: "x"), count: 100 << 20))
            expect(sent, below: 4 << 20, "\(sent) bytes were taken")
            expect(client.isClosedByOther())
            expect(isServed(other))
        }
    }

    @Test func aLineThatIsAlmostTooLongIsTaken() throws {
        try withSocket { _, _, path in
            let client = try TestClient(path)
            let text = String(repeating: "x", count: (1 << 20) - 100)
            let reply = client.reply(to: "{\"command\":[\"echo\",\"\(text)\"]}")
            expect(reply, equals: "{\"data\":\"\(text)\",\"request_id\":0,\"error\":\"success\"}")
            expect(isServed(client))
        }
    }

    @Test func garbageIsAnsweredOrIgnored() throws {
        try withSocket { _, _, path in
            let other = try TestClient(path)
            var random = SystemRandomNumberGenerator()
            let letters = Array("{}[]\":=,\\ux0a-1.e'`;#${}? \u{0}\n\u{FF}commandtruenull".utf8) + [0xFF, 0xC3]
            for _ in 0..<20 {
                let client = try TestClient(path)
                let start = Array("{\"command\":".utf8)
                for _ in 0..<50 {
                    let bytes = (0..<100).map { _ in letters.randomElement(using: &random)! }
                    client.send(bytes: (Bool.random() ? start : []) + bytes + [0x0A])
                }
                client.endSending()
                while let line = client.lineBytes() {
                    expect(String(validating: line, as: UTF8.self) != nil)
                    // A line that is no JSON is a text command. If it fails, the answer is plain text.
                    if line.starts(with: "error: ".utf8) { continue }
                    let value = try? JSONParser.parse(leniently: line + [0])
                    expect(value != nil)
                }
            }
            expect(isServed(other))
        }
    }

    @Test func aClientThatDoesNotReadIsClosed() throws {
        try withSocket { _, _, path in
            let other = try TestClient(path), client = try TestClient(path)
            // Each request is answered with 100 kB.
            let requests = Array(String(repeating: "{\"command\":[\"get_property\",\"large\"]}\n", count: 100_000).utf8)
            let start = monotonicNanoseconds()
            expect(client.send(bytes: requests), below: requests.count)
            expect(monotonicNanoseconds() - start, atLeast: ControlClient.patience)
            expect(client.isClosedByOther())
            expect(isServed(other))
        }
    }

    @Test func aClientThatReadsSlowlyIsAnsweredInFull() throws {
        try withSocket { _, _, path in
            let client = try TestClient(path)
            for number in 0..<100 {
                client.send("{\"command\":[\"get_property\",\"large\"],\"request_id\":\(number)}")
            }
            for number in 0..<100 {
                // The duration is the client's slowness: the socket must wait for it.
                if number % 10 == 0 { usleep(20_000) }
                expect(client.line()?.hasSuffix("\"request_id\":\(number),\"error\":\"success\"}"), equals: true)
            }
        }
    }

    @Test func aClientForWhichTooManyEventsWaitIsClosed() throws {
        try withSocket { socket, _, path in
            let other = try TestClient(path), client = try TestClient(path)
            _ = other.reply(to: #"{"command":["disable_event","all"]}"#)
            _ = client.reply(to: #"{"command":["client_name"]}"#)
            let text = String(repeating: "x", count: 10_000)
            for _ in 0..<600 { socket.post(ControlEvent("seam", [PropertyField("text", .text(text))])) }
            // The other client does not listen to events.
            expect(comesTrue { !socket.hasListeners })
            expect(client.isClosedByOther())
            expect(isServed(other))
        }
    }

    @Test func aClientThatReadsLateIsReportedThePresentValueOnly() throws {
        try withSocket { socket, wall, path in
            let client = try TestClient(path), other = try TestClient(path)
            wall["text"] = .text("")
            for one in [client, other] {
                one.send(#"{"command":["observe_property",1,"text"]}"#)
                _ = one.lines(2)
            }
            for number in 0..<40 {
                wall["text"] = .text("\(number) \(String(repeating: "x", count: 100_000))")
                socket.propertiesChanged()
                while let line = other.line(), !line.contains("\"\(number) x") {}
            }
            var events = 0
            while let line = client.line() {
                events += 1
                if line.contains("\"39 x") { break }
            }
            expect(events > 0 && events < 40, "\(events) of 40")
            expect(isServed(client))
        }
    }

    @Test func clientsThatBreakOffAreForgotten() throws {
        try withSocket { socket, _, path in
            let other = try TestClient(path)
            _ = other.reply(to: #"{"command":["disable_event","all"]}"#)
            for number in 0..<100 {
                let client = try TestClient(path)
                client.send(bytes: Array("{\"command\":[\"get_property\",\"large\"]}\n{\"comm".utf8))
                if number % 2 == 0 { socket.post(ControlEvent("seek")) }
                client.close()
            }
            expect(comesTrue { !socket.hasListeners })
            expect(isServed(other))
        }
    }

    @Test func whatAClientSentBeforeItLeftIsCarriedOut() throws {
        try withSocket { _, wall, path in
            let client = try TestClient(path)
            for number in 1...100 { client.send("{\"command\":[\"set\",\"volume\",\(number)]}") }
            client.close()
            wall.waitForCommands(100)
            expect(wall.ran.count, equals: 100)
        }
    }

    @Test func aBusyClientDoesNotHoldUpAnother() throws {
        try withSocket { _, wall, path in
            let busy = try TestClient(path)
            nonisolated(unsafe) let other = try TestClient(path)
            // Separate lines, then one line of many commands.
            for end in ["\n", ";"] {
                let before = wall.ran.count
                // The other client's command arrives while the first of the busy client's commands runs.
                wall.onNextCommand { other.send(#"{"command":["echo",1],"request_id":8}"#) }
                busy.send(bytes: Array(String(repeating: "set volume 1" + end, count: 6000).utf8) + [0x0A])
                expect(other.line(), equals: #"{"data":1,"request_id":8,"error":"success"}"#)
                let place = try #require(wall.ran[before...].firstIndex { $0.name == "echo" })
                print("served after \(place - before) of the busy one's")
                // Only few of the busy client's commands were run before it.
                expect(place - before, below: 200)
                wall.waitForCommands(before + 6001)
            }
        }
    }

    /// Time counts, not the number of commands: each line of the busy client takes 4 ms.
    @Test func aClientWithSlowCommandsDoesNotHoldUpAnother() throws {
        try withSocket { _, wall, path in
            wall.takes("slow", 4_000_000)
            let busy = try TestClient(path)
            nonisolated(unsafe) let other = try TestClient(path)
            wall.onNextCommand { other.send(#"{"command":["echo",1],"request_id":8}"#) }
            busy.send(bytes: Array(String(repeating: "echo ${slow}\n", count: 100).utf8))
            expect(other.line(), equals: #"{"data":1,"request_id":8,"error":"success"}"#)
            let place = try #require(wall.ran.firstIndex { $0.arguments == [.integer(1)] })
            expect(place, atMost: 4)
            wall.waitForCommands(101)
        }
    }

    @Test func aClientThatObservesMuchDoesNotHoldUpAnother() throws {
        try withSocket { _, wall, path in
            for number in 0..<200 { wall.takes("slow\(number)", 2_000_000) }
            let busy = try TestClient(path)
            nonisolated(unsafe) let other = try TestClient(path)
            for number in 0..<200 { busy.send("{\"command\":[\"observe_property\",1,\"slow\(number)\"]}") }
            // The first comparison has begun.
            expect(comesTrue { wall.reads > 0 })
            expect(isServed(other))
            expect(wall.reads, below: 150)
            let lines = busy.lines(400)
            expect(lines.count { $0.contains("property-change") }, equals: 200)
        }
    }
}
