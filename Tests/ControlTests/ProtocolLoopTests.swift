import Base
import Commands
import Expectations
import Glibc
import Protocols
import Testing
import Threads

/// The thread that all protocols share, and its mailbox.
@Suite struct ProtocolLoopTests {
    /// A protocol that waits for one file at most.
    private final class Fake: ControlProtocol {
        var files: [pollfd]
        var deadline: Int64?
        private let turn: (Fake, ControlMail, Set<Int32>) -> Void
        private let ended: () -> Void

        init(
            file: Int32? = nil, deadline: Int64? = nil, ended: @escaping () -> Void = {},
            turn: @escaping (Fake, ControlMail, Set<Int32>) -> Void
        ) {
            files = file.map { [pollfd(fd: $0, events: Int16(POLLIN), revents: 0)] } ?? []
            (self.deadline, self.turn, self.ended) = (deadline, turn, ended)
        }

        func serve(_ mail: ControlMail, ready: Set<Int32>) { turn(self, mail, ready) }
        func end() { ended() }
    }

    private func withLoop(_ body: (ProtocolLoop) throws -> Void) throws {
        let loop = ProtocolLoop()
        defer { expect(loop.stop(within: 5_000_000_000), equals: []) }
        try body(loop)
    }

    @Test func aBusyProtocolDoesNotHoldUpAnother() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        let turns = Locked(0), servedIn = Locked<Int?>(nil)
        try withLoop { loop in
            try loop.add { _ in
                Fake(file: readEnd) { one, _, ready in
                    guard ready.contains(readEnd) else { return }
                    servedIn.locked { [turn = turns.locked { $0 }] in $0 = turn }
                    one.files = []
                }
            }
            try loop.add { _ in
                Fake(deadline: 0) { _, _, _ in
                    let turn = turns.locked { turns in
                        turns += 1
                        return turns
                    }
                    var byte: UInt8 = 1
                    if turn == 10 { write(writeEnd, &byte, 1) }
                }
            }
            expect(comesTrue { servedIn.locked { $0 } != nil })
            // The file was readable after the busy protocol's turn 10.
            try expect(#require(servedIn.locked { $0 }), atMost: 11)
            expect(comesTrue { turns.locked { $0 } > 100 })
        }
    }

    @Test func aProtocolIsServedAtItsDeadlineAndNotBefore() throws {
        let due = monotonicNanoseconds() + 50_000_000
        let turns = Locked<[Int64]>([])
        try withLoop { loop in
            try loop.add { _ in
                Fake(deadline: due) { one, _, _ in
                    let now = monotonicNanoseconds()
                    turns.locked { $0.append(now) }
                    if now >= due { one.deadline = nil }
                }
            }
            expect(comesTrue { turns.locked { $0.last ?? 0 } >= due })
            // The first turn came when the protocol was added.
            expect(turns.locked { $0.count }, atMost: 2)
        }
    }

    @Test func mailFromAnotherThreadWakesIt() throws {
        let seen = Locked<[String]>([])
        try withLoop { loop in
            try loop.add { mailbox in
                let one = Fake { _, mail, _ in
                    seen.locked { seen in
                        seen += mail.events.map(\.name)
                        for case .success(.integer(let number)) in mail.answers.compactMap({ $0.result() }) {
                            seen.append("\(number)")
                        }
                        if mail.havePropertiesChanged { seen.append("changed") }
                    }
                }
                mailbox.set([.events], of: one)
                return one
            }
            let mailbox = loop.mailbox
            expect(comesTrue { mailbox.hasListeners })
            // The protocol does not want changes.
            mailbox.propertiesChanged()
            mailbox.post(ControlEvent("seek"))
            expect(comesTrue { seen.locked { $0 } == ["seek"] })
            let answer = PendingAnswer(mailbox)
            expect(answer.result() == nil)
            answer.give(.success(.integer(7)))
            answer.give(.success(.integer(8)))
            expect(comesTrue { seen.locked { $0 } == ["seek", "7"] })
            expect(!seen.locked { $0.contains("changed") })
        }
    }

    @Test func theLastMailComesBeforeTheEnd() throws {
        let seen = Locked<[String]>([])
        let loop = ProtocolLoop()
        try loop.add { mailbox in
            let one = Fake(ended: { seen.locked { $0.append("end") } }) { _, mail, _ in
                seen.locked { $0 += mail.events.map(\.name) }
            }
            mailbox.set([.events], of: one)
            return one
        }
        expect(comesTrue { loop.mailbox.hasListeners })
        loop.mailbox.post(ControlEvent("seek"))
        expect(loop.stop(within: 5_000_000_000), equals: [])
        expect(seen.locked { $0 }, equals: ["seek", "end"])
        expect(!loop.mailbox.hasListeners)
        loop.mailbox.post(ControlEvent("seek"))
    }

    @Test func aLoopWithoutAProtocolHasNothingToEnd() {
        expect(ProtocolLoop().stop(), equals: [])
    }
}
