import Base
import Commands
import Expectations
import Foundation
import Protocols
import TestKit
import Testing
import Threads

@testable import Desktop

/// The player on a private bus, and suspend held off by a stand-in for logind.
@Suite struct DesktopTests {
    private static let film: PropertyValue = .object([
        PropertyField("tile", .text("left")), PropertyField("place", .text("0")),
        PropertyField("path", .text("/films/a b.mp4")), PropertyField("title", .text("A")),
        PropertyField("position", .number(4)), PropertyField("duration", .number(10)),
        PropertyField("state", .text("paused")), PropertyField("speed", .number(1)),
    ])

    private func wall() -> FakeWall {
        let wall = FakeWall()
        wall["now-playing"] = Self.film
        wall["fullscreen"] = .flag(false)
        return wall
    }

    /// Runs `body` with the service of a wall, which is stopped afterwards.
    private func withService(
        _ wall: FakeWall, on bus: MessageBus, _ listing: DesktopListing = .listed,
        _ body: (DesktopService, ControlMailbox) throws -> Void
    ) throws {
        let addresses = BusAddresses(session: bus.address, system: nil)
        let loop = ProtocolLoop()
        let service = try #require(DesktopService(wall, listing, on: addresses, loop) { _ in })
        defer { expect(loop.stop(within: 5_000_000_000).isEmpty) }
        try body(service, loop.mailbox)
    }

    private func isListed(_ name: String, on bus: MessageBus) -> Bool {
        RealTime.wait(atMost: 10) { bus.players.contains(name) }
    }

    @Test func theBusAnswersWithTheTypesOfMPRIS() throws {
        let (bus, wall) = (try MessageBus(), wall())
        try withService(wall, on: bus) { _, _ in
            expect(isListed("quadrille", on: bus))
            try expect(bus.get("PlaybackStatus"), equals: "variant Paused")
            try expect(bus.get("Position"), equals: "variant int64 4000000")
            try expect(bus.get("CanSeek"), equals: "variant boolean true")
            try expect(bus.get("Volume"), equals: "variant double 1")
            try expect(bus.get("HasTrackList", root: true), equals: "variant boolean false")
            let metadata = try bus.get("Metadata")
            for part in ["mpris:length variant int64 10000000", "xesam:url variant file:///films/a%20b.mp4"] {
                expect(metadata.contains(part), "\(metadata)")
            }
            try bus.playerctl("volume", "0.5")
            expect(wall["volume"], equals: .number(50))
            try bus.playerctl("play")
            expect(wall["pause"], equals: .flag(false))
            let xml = try bus.call("org.freedesktop.DBus.Introspectable.Introspect")
            for interface in BusInterface.all {
                for name in interface.properties.map(\.name) + interface.methods.map(\.name) {
                    expect(xml.contains("name=\"\(name)\""), "\(name)")
                }
            }
        }
        expect(bus.players.isEmpty)
    }

    @Test func aCallThatIsWrongIsRefused() throws {
        let (bus, wall) = (try MessageBus(), wall())
        try withService(wall, on: bus) { _, _ in
            expect(isListed("quadrille", on: bus))
            func refusal(_ method: String, _ arguments: String...) -> String {
                do {
                    return try run(
                        [
                            "dbus-send", "--session", "--print-reply", "--dest=org.mpris.MediaPlayer2.quadrille",
                            "/org/mpris/MediaPlayer2", method,
                        ] + arguments, environment: bus.environment)
                } catch let error as CommandFailed { return error.errors } catch { return "\(error)" }
            }
            let (properties, player) = ("org.freedesktop.DBus.Properties", "string:org.mpris.MediaPlayer2.Player")
            let cases: [(String, String)] = [
                (refusal("\(properties).Get", player, "string:Foo"), "UnknownProperty"),
                (refusal("\(properties).Get", "string:org.foo.Bar", "string:Foo"), "UnknownInterface"),
                (refusal("\(properties).Set", player, "string:Position", "variant:int64:1"), "PropertyReadOnly"),
                (refusal("\(properties).Set", player, "string:Volume", "variant:int64:1"), "InvalidArgs"),
                (refusal("org.mpris.MediaPlayer2.Player.Seek", "string:a"), "InvalidArgs"),
                (refusal("org.mpris.MediaPlayer2.Player.Foo"), "UnknownMethod"),
                // The stand-in for the wall does not know the command.
                (refusal("org.mpris.MediaPlayer2.Raise"), "Failed"),
            ]
            for (answer, error) in cases { expect(answer.contains("DBus.Error.\(error)"), "\(error): \(answer)") }
            expect(wall.ran.map(\.name), equals: ["raise"])
        }
    }

    @Test func aChangeIsAnnounced() throws {
        let (bus, wall) = (try MessageBus(), wall())
        try withService(wall, on: bus) { _, mailbox in
            expect(isListed("quadrille", on: bus))
            let monitor = try Child(
                ["dbus-monitor", "--address", bus.address, "type=signal,path=/org/mpris/MediaPlayer2"])
            defer { monitor.end() }
            // The monitor's own name is the first that it prints.
            expect(RealTime.wait(atMost: 10) { monitor.output.contains("NameLost") })
            wall["volume"] = .number(50)
            mailbox.propertiesChanged()
            expect(RealTime.wait(atMost: 10) { monitor.output.contains("double 0.5") })
            expect(monitor.output.contains("member=PropertiesChanged") && !monitor.output.contains("member=Seeked"))
            guard case .object(var fields) = Self.film else { return }
            fields[fields.firstIndex { $0.name == "position" }!].value = .number(7)
            wall["now-playing"] = .object(fields)
            mailbox.post(ControlEvent("seek"))
            expect(RealTime.wait(atMost: 10) { monitor.output.contains("int64 7000000") })
        }
    }

    @Test func aWallThatIsNotListedIsNotThereAndCostsNothing() throws {
        let (bus, wall) = (try MessageBus(), wall())
        try withService(wall, on: bus, .absent) { service, mailbox in
            mailbox.propertiesChanged()
            expect(!mailbox.hasListeners && bus.players.isEmpty && wall.reads == 0)
            service.set(.listed)
            expect(isListed("quadrille", on: bus))
            expect(RealTime.wait(atMost: 10) { mailbox.hasListeners })
            service.set(.absent)
            expect(RealTime.wait(atMost: 10) { bus.players.isEmpty && !mailbox.hasListeners })
        }
    }

    @Test func aSecondWallHasANameOfItsOwn() throws {
        let bus = try MessageBus()
        try withService(wall(), on: bus) { _, _ in
            expect(isListed("quadrille", on: bus))
            try withService(wall(), on: bus) { _, _ in
                expect(isListed("quadrille.instance\(getpid())", on: bus))
                expect(bus.players.count, equals: 2)
            }
            expect(bus.players, equals: ["quadrille"])
        }
    }

    @Test func aBusThatIsStartedAgainHasThePlayerAgain() throws {
        let bus = try MessageBus()
        try withService(wall(), on: bus) { _, mailbox in
            expect(isListed("quadrille", on: bus))
            bus.die()
            expect(RealTime.wait(atMost: 5) { !mailbox.hasListeners })
            try bus.start()
            expect(isListed("quadrille", on: bus))
            try expect(bus.get("PlaybackStatus"), equals: "variant Paused")
        }
    }

    @Test func withoutABusThereIsNoThread() {
        let none = BusAddresses(session: nil, system: nil)
        expect(DesktopService(wall(), .listed, on: none, ProtocolLoop()) { _ in } == nil)
    }

    // MARK: suspend

    private func seconds(_ seconds: Double) -> Int64 { Int64(seconds * 1_000_000_000) }

    @Test func suspendIsHeldUntilFiveSecondsAfterTheEnd() throws {
        let bus = try MessageBus()
        let logind = try FakeLogind(bus.address)
        defer { logind.stop() }
        expect(RealTime.wait(atMost: 10) { logind.isNamed })
        let inhibitor = SleepInhibitor(bus.address) { Issue.record("\($0)") }
        func take(at time: Double, until condition: () -> Bool) -> Bool {
            RealTime.wait(atMost: 10) {
                inhibitor.process(at: seconds(time))
                return condition()
            }
        }
        inhibitor.note(isPlaying: false, at: 0)
        expect(inhibitor.connection == nil && inhibitor.deadline == nil)
        inhibitor.note(isPlaying: true, at: seconds(1))
        expect(take(at: 1) { inhibitor.connection == nil })
        expect(logind.calls, equals: [["idle:sleep", "Quadrille", "plays video", "block"]])
        expect(logind.isHeld)
        inhibitor.note(isPlaying: false, at: seconds(10))
        expect(inhibitor.deadline, equals: seconds(15))
        // A short stop changes nothing.
        inhibitor.note(isPlaying: true, at: seconds(14))
        inhibitor.process(at: seconds(20))
        expect(logind.isHeld && logind.calls.count == 1)
        inhibitor.note(isPlaying: false, at: seconds(21))
        inhibitor.process(at: seconds(25.9))
        expect(logind.isHeld)
        inhibitor.process(at: seconds(26))
        expect(!logind.isHeld)
        inhibitor.note(isPlaying: true, at: seconds(30))
        expect(take(at: 30) { inhibitor.connection == nil })
        expect(logind.isHeld && logind.calls.count == 2)
        inhibitor.release()
        expect(!logind.isHeld)
    }

    @Test func aMachineWithoutLogindIsReportedOnce() throws {
        let bus = try MessageBus()
        let reports = Locked<[String]>([])
        let inhibitor = SleepInhibitor(bus.address) { text in reports.locked { $0.append(text) } }
        for time in 1...3 { inhibitor.note(isPlaying: true, at: seconds(Double(time))) }
        expect(
            RealTime.wait(atMost: 10) {
                inhibitor.process(at: seconds(3))
                return inhibitor.connection == nil
            })
        inhibitor.note(isPlaying: true, at: seconds(4))
        expect(reports.locked { $0 }.count == 1 && inhibitor.connection == nil)
        expect(reports.locked { $0 }.first?.hasPrefix("suspend is not inhibited: ") == true)
    }
}
