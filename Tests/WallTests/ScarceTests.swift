import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Resources of the system are short. The wall plays what it can and reports what it can't, or ends with status 1.
    @Suite struct Scarce {
        private let stage: Stage
        private let server: SoundServer
        private let clips: [String]

        init() throws {
            stage = try Stage(320, 180)
            server = try SoundServer()
            clips = try [clip(1).file(), clip(2) { $0.codec = .hevc }.file()]
        }

        /// Runs the wall for a second in a shell with each of the limits, four at once.
        private func play(
            limits: [String], _ options: String..., preloaded: [[String: String?]] = []
        ) throws -> [Outcome] {
            let path = try #require(Program.path)
            var outcomes: [Outcome] = []
            for group in stride(from: 0, to: limits.count, by: 4).map({ limits.indices[$0..<min($0 + 4, limits.count)] }
            ) {
                let children = try group.map { index in
                    var environment = stage.display.environment.merging(server.environment) { $1 }
                    if index < preloaded.count { environment.merge(preloaded[index]) { $1 } }
                    return try Child(
                        ["sh", "-c", "\(limits[index]) && exec \"$0\" \"$@\"", path] + clips + ["--for", "1"] + options,
                        environment: environment)
                }
                for (index, child) in zip(group, children) {
                    let status = child.wait(atMost: 20)
                    outcomes.append(Outcome(limit: limits[index], status: status, errors: child.errors))
                }
            }
            return outcomes
        }

        private struct Outcome: CustomStringConvertible {
            let limit: String
            let status: Int32?
            let errors: String
            var description: String { "\(limit): status \(status.map(String.init) ?? "none"): \(errors.suffix(400))" }
            /// True if the wall played, or printed a line with the reason why it did not.
            var isHonest: Bool { status == 0 || status == 1 && errors.contains("quadrille: ") }
        }

        @Test func fewDescriptorsCostTilesAndNotTheProgram() throws {
            let outcomes = try play(limits: (4...40).map { "ulimit -n \($0)" })
            expect(outcomes.count, equals: 37)
            for outcome in outcomes { expect(outcome.isHonest, "\(outcome)") }
            expect(outcomes.last?.status, equals: 0)
        }

        @Test func aShortAddressSpaceCostsTilesAndNotTheProgram() throws {
            // With less, the dynamic linker ends the program before it starts.
            let limits = [260, 320, 440, 520, 560, 600, 640, 680, 700, 720, 740, 760, 800, 1000]
            let outcomes = try play(limits: limits.map { "ulimit -v \($0 * 1024)" })
            for outcome in outcomes { expect(outcome.isHonest, "\(outcome)") }
            expect(outcomes.first?.status, equals: 1)
            expect(outcomes.last?.status, equals: 0)
        }

        /// Without sound, the memory that libpulse maps is not needed.
        @Test func aShorterAddressSpaceIsEnoughWithoutSound() throws {
            let limits = [260, 400, 440, 480, 520, 560, 700]
            let outcomes = try play(limits: limits.map { "ulimit -v \($0 * 1024)" }, "--no-audio")
            for outcome in outcomes { expect(outcome.isHonest, "\(outcome)") }
            expect(outcomes.first?.status, equals: 1)
            expect(outcomes.last?.status, equals: 0)
        }

        @Test func fewThreadsCostTilesAndNotTheProgram() throws {
            let limits = (0...15).map { "QUADRILLE_THREADS=\($0)" }
            let library = try Preload.library("few-threads")
            let outcomes = try play(
                limits: limits.map { "export \($0)" },
                preloaded: limits.map { _ in ["LD_PRELOAD": library] })
            for outcome in outcomes { expect(outcome.isHonest, "\(outcome)") }
            expect(outcomes.first?.status, equals: 1)
            expect(outcomes.first?.errors.contains("no thread could be started") ?? false)
        }

        @Test func aLibraryThatSetsAVariableHidesNoArguments() throws {
            let library = try Preload.library("sets-variable")
            let child = try Child(
                [try #require(Program.path), "--version"], environment: ["LD_PRELOAD": library])
            expect(child.wait(atMost: 10), equals: 0)
            expect(child.output.hasPrefix("quadrille "))
        }
    }
}
