import Base
import Commands
import Console
import Control

/// The program around a wall that is rendered, for the commands of its breaks. It has no window and no layout's file, and
/// ends when the film is whole.
struct RenderedProgram: ControlledProgram {
    var facts: ProgramFacts { ProgramFacts(version: "") }

    func carryOut(
        _ request: CommandRequest.ProgramRequest, of tile: TileID?, answer: @escaping CommandRouter.Answer
    ) {
        answer(.failure(.notSupported))
    }

    func press(_ press: KeyPress, within chain: KeyChain, answer: @escaping CommandRouter.Answer) {
        answer(.failure(.notSupported))
    }

    func commandFailed(_ cause: String, _ error: ControlError) {
        printLine("quadrille: \(cause): \(error.detail ?? error.word.rawValue)")
    }

    func dropFailed(_ source: String, _ error: ControlError) {}
    func quitRequested(status: Int) {}
    func message(_ words: [String]) {}
    func sourcesChanged() {}

    func items(of source: String, _ take: @escaping @Sendable (Result<[Item], ControlError>) -> Void) {
        take(.failure(.notSupported))
    }

    func file(called name: String, _ take: @escaping @Sendable (Result<String, ControlError>) -> Void) {
        take(.failure(.notSupported))
    }
}
