import Testing

@testable import WallCore

@Suite struct OrdersTests {
    @Test func whatIsTakenIsGoneAndWhenToUpdateStays() {
        var orders = Orders()
        orders.close(FakeSource("a"))
        orders.tell(Event(at: .zero, what: .idle(tile: "tile1")))
        orders.window(.help)
        orders.wakePipeline(1)
        orders.wakeEverybody(2..<4)
        orders.scheduleUpdate(at: .seconds(7))
        let taken = orders.take()
        #expect(taken.close.count == 1 && taken.events.count == 1 && taken.window.count == 1)
        #expect(taken.pipelines == [1, 2, 3] && taken.wakesScreen && taken.wakesSound)
        let rest = orders.take()
        #expect(rest.close.isEmpty && rest.events.isEmpty && rest.window.isEmpty && rest.pipelines.isEmpty)
        #expect(!rest.wakesScreen && !rest.wakesSound && orders.nextUpdate == .seconds(7))
    }

    @Test func theEarliestUpdateCountsUntilOneBegins() {
        var orders = Orders()
        for (at, next) in [(nil, nil), (9, 9), (12, 9), (nil, 9), (3, 3)] as [(Int64?, Int64?)] {
            orders.scheduleUpdate(at: at.map(Time.seconds))
            #expect(orders.nextUpdate == next.map(Time.seconds))
        }
        orders.beginUpdate()
        #expect(orders.nextUpdate == nil)
        orders.scheduleUpdate(at: .seconds(20))
        #expect(orders.nextUpdate == .seconds(20))
    }

    @Test func theScreenAndTheSoundAreWokenApart() {
        let cases: [((inout Orders) -> Void, screen: Bool, sound: Bool)] = [
            ({ $0.wakeScreen() }, true, false), ({ $0.wakeSound() }, false, true),
            ({ $0.wakePipelines(0..<9) }, false, false),
        ]
        for (wake, screen, sound) in cases {
            var orders = Orders()
            wake(&orders)
            #expect(orders.wakesScreen == screen && orders.wakesSound == sound)
        }
    }
}
