import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Player
@testable import Scene
@testable import SimulatedWall

@Suite struct EffectsTests {
    @Test func whatIsTakenIsGoneAndWhenToUpdateStays() {
        var effects = Effects()
        effects.close(OpenSourceID(number: 0))
        effects.emit(.idle(tile: "tile1"), at: .zero, focus: nil)
        effects.window(.help)
        effects.wakePipeline(1)
        effects.wakeEverybody(2..<4)
        effects.setNextUpdate(.seconds(7))
        let taken = effects.take()
        expect(taken.close.count == 1 && taken.events.count == 1 && taken.window.count == 1)
        expect(taken.pipelinesToWake == [1, 2, 3] && taken.wakesScreen && taken.wakesSound)
        let rest = effects.take()
        expect(rest.close.isEmpty && rest.events.isEmpty && rest.window.isEmpty && rest.pipelinesToWake.isEmpty)
        expect(!rest.wakesScreen && !rest.wakesSound && effects.nextUpdate == .seconds(7))
    }

    @Test func theEarliestInstantCounts() {
        var earliest = Earliest()
        for (at, next) in [(nil, nil), (9, 9), (12, 9), (nil, 9), (3, 3)] as [(Int64?, Int64?)] {
            earliest.add(at.map(Time.seconds))
            expect(earliest.instant, equals: next.map(Time.seconds))
        }
    }

    @Test func theScreenAndTheSoundAreWokenApart() {
        let cases: [((inout Effects) -> Void, screen: Bool, sound: Bool)] = [
            ({ $0.wakeScreen() }, true, false), ({ $0.wakeSound() }, false, true),
            ({ $0.wakePipelines(0..<9) }, false, false),
        ]
        for (wake, screen, sound) in cases {
            var effects = Effects()
            wake(&effects)
            expect(effects.wakesScreen == screen && effects.wakesSound == sound)
        }
    }
}
