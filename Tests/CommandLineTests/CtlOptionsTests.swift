import Commands
import Expectations
import Testing

@testable import Tools

/// Command lines of `ctl`.
@Suite struct CtlOptionsTests {
    @Test func healthAsksForThePropertyAndSetsTheStatus() throws {
        let health = try CtlOptions(["health"], folder: nil)
        expect(health.command, equals: [.text("get_property"), .text("health")])
        expect(health.asksForHealth && health.isForProperty)
        let read = try CtlOptions(["get", "health"], folder: nil)
        expect(read.command == health.command && !read.asksForHealth)
        #expect(throws: (any Error).self) { try CtlOptions(["health", "wall"], folder: nil) }
    }
}
