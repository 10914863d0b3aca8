import Foundation
import TestKit

/// Measures the sound at the output, by a microphone.
enum SoundChapter {
    static let usage =
        "[step [MINUTES] | loops [COUNT] | holes [SECONDS] | holes-beside-a-busy-core [SECONDS] | keys [COUNT] | server "
        + "| cost [SECONDS]]"

    static func measure(_ arguments: [String]) throws {
        let number = arguments.dropFirst().first.flatMap(Double.init)
        switch arguments.first {
        case "step": try InStep.measure(minutes: number ?? 10)
        case "loops": try Loops.measure(count: Int(number ?? 100))
        case "holes": try Holes.measure(seconds: number ?? 9, load: .none)
        case "holes-beside-a-busy-core": try Holes.measure(seconds: number ?? 9, load: .busyCore)
        case "keys": try KeySteps.measure(rounds: Int(number ?? 12))
        case "server": try ServerGone.measure()
        case "cost": try Cost.measure(seconds: number ?? 20)
        case nil:
            try Holes.measure(seconds: 9, load: .none)
            try KeySteps.measure(rounds: 12)
            try ServerGone.measure()
            try Cost.measure(seconds: 20)
            try Loops.measure(count: 100)
            try InStep.measure(minutes: 10)
        default: Proof.usage()
        }
    }
}
