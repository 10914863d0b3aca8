import Engine
import Media
import Protocols
import Threads

@testable import Base
@testable import Commands
@testable import Control
@testable import Layout
@testable import Player
@testable import SimulatedWall
@testable import Socket

/// Feeds lines of a control client to a wall in simulated time that plays a few clips.
@Sendable func feedRequests(_ bytes: UnsafeBufferPointer<UInt8>) {
    let lines = bytes.split(separator: 0x0A).map(Array.init)
    let (wall, now) = playing
    let runner = LockedWall(wall, pipelines: 2, time: .stepped(now), record: { _ in })
    let hub = ControlHub(CommandRouter(runner, NoProgram()), mailbox)
    let session = hub.open()
    for line in lines {
        session.take(line[...])
        while session.hasQueue, !session.isWaiting { session.runNext() }
        // No command of the wall is answered later, and `NoProgram` answers at once.
        precondition(!session.isWaiting && !session.hasQueue)
        session.look(PropertyLook(hub.target))
        for reply in session.takeOutput().split(separator: 0x0A) { expectReply(Array(reply)) }
    }
    hub.close(session)
}

/// A reply is JSON, but for that to a text command that failed.
private func expectReply(_ reply: [UInt8]) {
    precondition(
        reply.starts(with: Array("error: ".utf8)) || (try? JSONParser.parse(reply)) != nil,
        "no JSON: \(String(decoding: reply, as: UTF8.self))")
}

private let mailbox = ControlMailbox()

/// A wall after one second, copied for each run.
nonisolated(unsafe) private let playing: (Wall, Time) = {
    var layout = Layout.of([["a", "b"], ["b"], ["still"], ["sound"]])
    layout.groups[0].loop = .together
    let clips = [
        "a": FakeClip(frames: 90), "b": FakeClip(frames: 240, gop: 60),
        "still": FakeClip(frames: 1, isStill: true),
        "sound": FakeClip(frames: 60, isSound: true),
    ]
    var world = Simulation(layout, clips: clips, pipelines: 2)
    world.run(for: .seconds(1))
    return (world.wall, world.now)
}()

private struct NoProgram: ControlledProgram {
    func quitRequested(status: Int) {}
    func carryOut(
        _ request: Change.ProgramRequest, of tile: TileID?, answer: @escaping CommandRouter.Answer
    ) {
        answer(.success(nil))
    }
    var facts: ProgramFacts { ProgramFacts(version: "1") }
    func message(_ words: [String]) {}
    func sourcesChanged() {}
    func press(_ press: KeyPress, within chain: KeyChain, answer: @escaping CommandRouter.Answer) {
        answer(.success(nil))
    }
    func commandFailed(_ cause: String, _ error: ControlError) {}
    func dropFailed(_ source: String, _ error: ControlError) {}
    func items(of source: String, _ take: @escaping @Sendable (Result<[Item], ControlError>) -> Void) {
        guard let location = SourceName.resolved(source, besideLayout: nil) else {
            return take(.failure(ControlError(.loadingFailed)))
        }
        take(.success([Item(source: location)]))
    }
    func file(called name: String, _ take: @escaping @Sendable (Result<String, ControlError>) -> Void) {
        guard let location = SourceName.resolved(name, besideLayout: nil) else {
            return take(.failure(ControlError(.loadingFailed)))
        }
        take(.success(location))
    }
}
