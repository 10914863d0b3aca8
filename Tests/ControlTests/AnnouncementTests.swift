import Base
import Commands
import Expectations
import Testing

@testable import Desktop

/// Signals that follow from one state of the player to the next, in times that the tests pass in.
@Suite struct AnnouncementTests {
    /// A track at `position` seconds, of 10 s.
    private func state(
        _ position: Double, _ motion: String = "playing", title: String = "a", place: String = "0", speed: Double = 1
    ) -> PlayerState {
        PlayerState(
            track: NowPlaying(
                .object([
                    PropertyField("tile", .text("left")), PropertyField("place", .text(place)),
                    PropertyField("path", .text("/films/\(title).mp4")), PropertyField("title", .text(title)),
                    PropertyField("position", .number(position)), PropertyField("duration", .number(10)),
                    PropertyField("state", .text(motion)), PropertyField("speed", .number(speed)),
                    PropertyField("live", .flag(false)), PropertyField("loop", .text("playlist")),
                ])))
    }

    private func seconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000_000_000).rounded()) }
    private let player = BusInterface.player.name

    @Test func aClockThatMovesOnIsNotAnnounced() {
        var announcements = Announcements(state(0), at: seconds(100))
        for tenth in 1...99 {
            let place = Double(tenth) / 10
            expect(announcements.update(state(place), at: seconds(100 + place)), equals: [], "\(place)")
        }
    }

    @Test func eachLoopAndEachSeekIsAnnouncedOnce() {
        var announcements = Announcements(state(0), at: 0)
        for loop in 1...3 {
            let begin = Double(loop) * 10
            expect(announcements.update(state(9.9), at: seconds(begin - 0.1)), equals: [])
            expect(announcements.update(state(0.01), at: seconds(begin + 0.01)), equals: [.seeked(10_000)])
            expect(announcements.update(state(0.1), at: seconds(begin + 0.1)), equals: [])
        }
        expect(announcements.update(state(7), at: seconds(31)), equals: [.seeked(7_000_000)])
        expect(announcements.update(state(8), at: seconds(32)), equals: [])
    }

    @Test func aWaitForFramesIsAnnouncedAtItsEnd() {
        var announcements = Announcements(state(1), at: 0)
        expect(announcements.update(state(1.5, "waiting"), at: seconds(0.5)), equals: [])
        expect(announcements.update(state(1.5, "waiting"), at: seconds(2)), equals: [])
        expect(announcements.update(state(1.6), at: seconds(2.1)), equals: [.seeked(1_600_000)])
    }

    @Test func aStepOfAPausedTileIsAnnounced() {
        var announcements = Announcements(state(1, "paused"), at: 0)
        expect(announcements.update(state(1, "paused"), at: seconds(9)), equals: [])
        expect(announcements.update(state(1.04, "paused"), at: seconds(9)), equals: [.seeked(1_040_000)])
    }

    @Test func anotherRateIsCountedFromItsChangeOn() {
        var announcements = Announcements(state(0), at: 0)
        let change = Announcements.Signal.changed(interface: player, [BusField("Rate", .number(2))])
        expect(announcements.update(state(1, speed: 2), at: seconds(1)), equals: [change])
        expect(announcements.update(state(3, speed: 2), at: seconds(2)), equals: [])
    }

    /// playerctl takes the status and the position of another track from these signals.
    @Test func anotherTrackComesWithItsStatusAndItsPosition() {
        var announcements = Announcements(state(5), at: 0)
        let next = state(0, title: "b", place: "1")
        let signals = announcements.update(next, at: seconds(1))
        let fields = [BusField("PlaybackStatus", .text("Playing")), BusField("Metadata", .fields(next.metadata))]
        expect(signals, equals: [.changed(interface: player, fields), .seeked(0)])
    }

    @Test func changesOfOneMomentAreOneSignal() {
        var announcements = Announcements(state(5), at: 0)
        var next = state(5, "paused")
        next.volume = 0.5
        let fields = [BusField("PlaybackStatus", .text("Paused")), BusField("Volume", .number(0.5))]
        expect(announcements.update(next, at: 0), equals: [.changed(interface: player, fields)])
    }

    @Test func aTileThatPlaysNothingAnyMoreHasNoPosition() {
        var announcements = Announcements(state(5), at: 0)
        let signals = announcements.update(PlayerState(), at: seconds(1))
        guard signals.count == 1, case .changed(_, let fields) = signals[0] else {
            Issue.record("\(signals)")
            return
        }
        expect(fields.first { $0.name == "Metadata" }?.value, equals: .fields([]))
        expect(fields.first { $0.name == "PlaybackStatus" }?.value, equals: .text("Stopped"))
    }
}
