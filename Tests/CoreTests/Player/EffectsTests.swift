import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Opened
@testable import Player
@testable import SimulatedWall

@Suite struct EffectsTests {
    @Test func whatIsTakenIsGoneAndWhenToUpdateStays() {
        let outbox = Outbox()
        outbox.close(OpenSourceID(number: 0))
        outbox.emit(.idle(tile: "tile1"), at: .zero, focus: nil)
        outbox.window(.help)
        outbox.wakePipeline(1)
        outbox.wakeEverybody(2..<4)
        outbox.nextUpdate = .seconds(7)
        let taken = outbox.take()
        expect(taken.close.count == 1 && taken.events.count == 1 && taken.window.count == 1)
        expect(taken.pipelinesToWake == [1, 2, 3] && taken.wakesScreen && taken.wakesSound)
        let rest = outbox.take()
        expect(rest.close.isEmpty && rest.events.isEmpty && rest.window.isEmpty && rest.pipelinesToWake.isEmpty)
        expect(!rest.wakesScreen && !rest.wakesSound && outbox.nextUpdate == .seconds(7))
    }

    @Test func theEarliestInstantCounts() {
        var earliest = Earliest()
        for (at, next) in [(nil, nil), (9, 9), (12, 9), (nil, 9), (3, 3)] as [(Int64?, Int64?)] {
            earliest.add(at.map(Time.seconds))
            expect(earliest.instant, equals: next.map(Time.seconds))
        }
    }

    @Test func theScreenAndTheSoundAreWokenApart() {
        let cases: [((Outbox) -> Void, screen: Bool, sound: Bool)] = [
            ({ $0.wakeScreen() }, true, false), ({ $0.wakeSound() }, false, true),
            ({ $0.wakePipelines(0..<9) }, false, false),
        ]
        for (wake, screen, sound) in cases {
            let outbox = Outbox()
            wake(outbox)
            expect(outbox.effects.wakesScreen == screen && outbox.effects.wakesSound == sound)
        }
    }
}
