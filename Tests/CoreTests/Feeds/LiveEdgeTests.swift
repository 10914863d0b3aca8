import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Opened
@testable import Player

/// Smallest cushion of a pushed source.
private let leastCushion = Time.milliseconds(300)

@Suite struct LiveEdgeTests {
    /// Judges frames of 40 ms at their arrival times. Returns when each is due, without the skipped frames.
    private func play(_ arrivals: [(offset: Time, at: Time)], _ live: SourceTraits.Live = .pushed) -> [Time: Time] {
        var edge = LiveEdge(live)
        var start: Time?
        var due: [Time: Time] = [:]
        for (offset, now) in arrivals {
            let begin = start ?? now + edge.cushion - offset
            start = begin
            let verdict = edge.judge(
                offset: offset, due: begin + offset, end: begin + offset + .milliseconds(40), groupTime: now, at: now)
            if case .move(let change) = verdict { start = begin + change }
            if verdict != .skip { due[offset] = start! + offset }
        }
        return due
    }

    private func even(_ offsets: Range<Int>, late: Time = .zero) -> [(offset: Time, at: Time)] {
        offsets.map { (.milliseconds(40) * Int64($0), .seconds(10) + .milliseconds(40) * Int64($0) + late) }
    }

    private func delay(of offset: Int, _ due: [Time: Time]) -> Time? {
        due[.milliseconds(40) * Int64(offset)].map { $0 - .seconds(10) - .milliseconds(40) * Int64(offset) }
    }

    @Test func whatComesEvenlyIsShownAfterItsCushion() {
        let due = play(even(0..<100))
        expect(due.count, equals: 100)
        expect(delay(of: 99, due), equals: leastCushion)
    }

    /// The sender stood still. Its later frames stay late.
    @Test func whatStaysLateIsShownAsItComes() {
        let due = play(even(0..<50) + even(50..<100, late: .seconds(3)))
        expect(delay(of: 99, due), equals: .seconds(3) + leastCushion)
        expect(due.count, above: 85)
    }

    /// The reader stood still for three seconds. The backlog arrives at once and is skipped.
    @Test func aBacklogIsLeftOut() {
        let stalled = (50..<125).map { number in
            (
                offset: Time.milliseconds(40) * Int64(number),
                at: Time.seconds(15) + .milliseconds(Int64(number - 50) * 4)
            )
        }
        let due = play(even(0..<50) + stalled + even(133..<200))
        expect(delay(of: 199, due), equals: leastCushion)
        expect(delay(of: 60, due), equals: nil)
    }

    /// Muxers put a quarter of a second of sound into one packet, which arrives after its last sample.
    @Test func framesWaitForTheirSound() {
        var edge = LiveEdge(.pushed)
        expect(edge.hear(), equals: nil)
        // The frames are buffered for 300 ms, and a sound must be there 250 ms before it is heard.
        expect(edge.noteSound(lag: .milliseconds(10)), equals: nil)
        expect(edge.cushion, equals: leastCushion)
        // Lags vary by a frame.
        expect(edge.noteSound(lag: .milliseconds(90)), equals: .milliseconds(80))
        expect(edge.noteSound(lag: .milliseconds(129)), equals: nil)
        expect(edge.noteSound(lag: .milliseconds(240)), equals: .milliseconds(150))
        // The sound belongs to another film, or is lost.
        expect(edge.noteSound(lag: .seconds(50)), equals: .milliseconds(720))
        expect(edge.noteSound(lag: .seconds(60)), equals: nil)
    }

    @Test func framesDoNotWaitForASoundThatIsNotHeard() {
        var edge = LiveEdge(.pushed)
        expect(edge.noteSound(lag: .milliseconds(200)), equals: nil)
        expect(edge.cushion, equals: leastCushion)
        expect(edge.hear(), equals: .milliseconds(190))
        expect(edge.cushion, equals: leastCushion + .milliseconds(190))
        expect(edge.hear(), equals: nil)
    }

    /// Half a second of frames waited for the connection, less than what moves a feed at once.
    @Test func whatWaitedForTheConnectionIsNotWaitedForAgain() {
        let connected = Time.seconds(10) + .milliseconds(440)
        let due = play(even(0..<12).map { ($0.offset, connected) } + even(12..<150))
        expect(delay(of: 12, due), equals: leastCushion)
        expect(delay(of: 149, due), equals: leastCushion)
    }

    /// The decoder returned the frames that had waited one after the other, while the first ones were shown.
    @Test func whatWaitedAndComesSlowlyIsNotWaitedForAgain() {
        let slow = (0..<12).map { number in
            (
                offset: Time.milliseconds(40) * Int64(number),
                at: Time.seconds(10) + .milliseconds(440 + Int64(number) * 4 + (number > 0 ? 200 : 0))
            )
        }
        let due = play(slow + even(18..<150))
        expect(delay(of: 20, due)! > leastCushion + .milliseconds(300))
        expect(delay(of: 149, due), equals: leastCushion)
    }

    @Test func soundThatComesWithItsFramesCostsNoDelay() {
        var edge = LiveEdge(.pushed)
        expect(edge.noteSound(lag: .zero), equals: nil)
        expect(edge.noteSound(lag: .zero - .milliseconds(300)), equals: nil)
        expect(edge.cushion, equals: leastCushion)
    }

    /// The frames that were read by the probe arrive at once.
    @Test func aPushedSourceKeepsLittleInStore() {
        let probed = (0..<125).map { number in
            (offset: Time.milliseconds(40) * Int64(number), at: Time.seconds(15) + .milliseconds(Int64(number)))
        }
        let due = play(probed + even(126..<200))
        expect(delay(of: 199, due)!, atMost: .milliseconds(1100))
    }

    @Test func whatIsCapturedIsShownAtOnceAndSoAgainAfterAStall() {
        expect(delay(of: 49, play(even(0..<50), .captured)), equals: .milliseconds(60))
        // Nothing arrives for half a second, then each frame arrives on time again.
        let late = (50..<63).map { (offset: Time.milliseconds(40) * Int64($0), at: Time.milliseconds(12_560)) }
        let due = play(even(0..<50) + late + even(63..<150), .captured)
        expect(delay(of: 149, due)!, atMost: .milliseconds(110))
    }

    @Test func aJumpOfTheStampsIsNoWait() {
        for (live, jump) in [(SourceTraits.Live.pushed, 500), (.pulled, 600)] {
            let after = (50..<100).map { number in
                (
                    offset: Time.milliseconds(40) * Int64(number + jump),
                    at: Time.seconds(10) + .milliseconds(40) * Int64(number)
                )
            }
            let due = play(even(0..<50) + after, live)
            let last = due[.milliseconds(40) * Int64(99 + jump)]! - (.seconds(10) + .milliseconds(40) * 99)
            expect(last, equals: leastCushion, "\(live)")
        }
    }

    /// A pulled source plays from its list, and returns to its place there once enough of it is buffered.
    @Test func whatWasPulledLateGoesBackToItsPlace() {
        var edge = LiveEdge(.pulled)
        func judge(_ offset: Time, due: Time, now: Time) -> LiveEdge.Verdict {
            edge.judge(offset: offset, due: due, end: due + .milliseconds(40), groupTime: now, at: now)
        }
        expect(judge(.zero, due: .seconds(10), now: .seconds(10)), equals: .inTime)
        expect(edge.surplus(ahead: .seconds(5)), equals: nil)
        expect(judge(.seconds(2), due: .seconds(15), now: .seconds(12)), equals: .inTime)
        expect(edge.surplus(ahead: .seconds(5)), equals: .seconds(3))
        expect(edge.surplus(ahead: .seconds(2)), equals: .seconds(1))
        expect(edge.surplus(ahead: .milliseconds(500)), equals: nil)
    }
}
