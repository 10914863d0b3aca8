import Base
import Commands
import Expectations
import Testing

@testable import Tools

/// Command lines of `ctl`.
@Suite struct CtlOptionsTests {
    @Test func healthAsksForThePropertyAndSetsTheStatus() throws {
        let health = try CtlCommand(["health"], folder: nil)
        expect(health.command, equals: [.text("get_property"), .text("health")])
        expect(health.health == .property && health.isForProperty)
        let read = try CtlCommand(["get", "health"], folder: nil)
        expect(read.command == health.command && read.health == nil)
        let nagios = try CtlCommand(["health", "--nagios"], folder: nil)
        expect(nagios.command == health.command && nagios.health == .nagios)
        for more in ["wall", "--nagio"] {
            #expect(throws: (any Error).self) { try CtlCommand(["health", more], folder: nil) }
        }
    }

    @Test func theFormForNagiosIsOneLineWithAState() {
        func entry(_ id: String, _ name: String, _ what: String, _ reason: String) -> PropertyValue {
            .object([
                PropertyField("id", .text(id)), PropertyField(name, .text(what)),
                PropertyField("reason", .text(reason)),
            ])
        }
        func health(_ ill: [PropertyValue], _ skipped: [PropertyValue], _ display: String = "on") -> PropertyValue {
            .object([
                PropertyField("healthy", .flag(ill.isEmpty)), PropertyField("display", .text(display)),
                PropertyField("ill", .list(ill)), PropertyField("skipped", .list(skipped)),
            ])
        }
        let left = entry("left", "state", "failed", "no such file\n| a"), gone = entry("a", "source", "b.mp4", "gone")
        let cases: [(PropertyValue?, NagiosReport.State, String)] = [
            (health([], []), .ok, "QUADRILLE OK - no tile is ill | ill=0;;0;0 skipped=0;0;;0"),
            (
                health([], [], "off"), .ok,
                "QUADRILLE OK - no tile is ill; the display is off | ill=0;;0;0 skipped=0;0;;0"
            ),
            (
                health([], [gone]), .warning,
                "QUADRILLE WARNING - 1 source is skipped: a: b.mp4 (gone) | ill=0;;0;0 skipped=1;0;;0"
            ),
            (
                health([left], [gone]), .critical,
                "QUADRILLE CRITICAL - 1 tile is ill: left: failed (no such file / a) | ill=1;;0;0 skipped=1;0;;0"
            ),
            (.null, .unknown, "QUADRILLE UNKNOWN - the wall did not report its health"),
            (nil, .unknown, "QUADRILLE UNKNOWN - the wall did not report its health"),
        ]
        for (value, state, line) in cases {
            let report = NagiosReport(of: value)
            expect(report.state == state && report.line == line, "\(report)")
        }
        let many = NagiosReport(of: health(Array(repeating: left, count: 6), []))
        expect(many.line.contains("6 tiles are ill") && many.line.contains("; and 2 more |"), "\(many.line)")
        expect(NagiosReport.State.critical.rawValue == 2 && NagiosReport.State.unknown.rawValue == 3)
    }
}
