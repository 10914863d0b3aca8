import Foundation
import TestKit

/// A long recording: all of it is the song, at its place. A null sink's clock drifts from the system's, as a sound
/// card's does; the recorder follows it smoothly.
enum TakeChapter {
    /// Length of the parts that are compared, in samples.
    private static let part = 12_000

    static func measure(_ arguments: [String]) throws {
        let seconds = arguments.first.flatMap(Double.init) ?? 1800
        printLine("a take, \(seconds) s")
        let song = try NoiseSong(seconds: Int(seconds) + 20), server = try SoundServer()
        let folder = Scratch.path("takes"), ipc = try Scratch.newFolder("ipc") + "/wall"
        let film = try Witness(1).with { $0.frames = (Int(seconds) + 20) * 30 }.file()
        let tile: [String: Any] = ["id": "song", "play": ["src": film, "audio": ["src": song.path]]]
        let data = try JSONSerialization.data(withJSONObject: ["tiles": [tile]])
        let layout = try Scratch.file("layout.json", String(decoding: data, as: UTF8.self))
        let program = try Program(
            ["--size", "320x180", "--takes", folder, "--ipc", ipc, layout],
            on: try Display(width: 320, height: 180), sound: server)
        guard let client = ControlClient(ipc) else {
            throw CommandFailed(command: ["play"], status: nil, errors: program.child.errors)
        }
        // A null sink plays its first two seconds at once.
        _ = RealTime.wait(atMost: 10) { (client.number("time-pos") ?? 0) > 2.3 }
        client.ask("record", "song")
        RealTime.pass(seconds)
        client.ask("record", "none")
        _ = RealTime.wait(atMost: 5) { client.get("recording") as? String == "none" }
        client.ask("quit")
        Proof.expect("  status", Double(program.child.wait(atMost: 10) ?? -1), atMost: 0)
        let takes = try RecordedTake.all(in: folder)
        Proof.expect("  files beside the one", Double(abs(takes.count - 1)), atMost: 0)
        guard let take = takes.first else { return }
        var lags: [Double] = [], least = 1.0
        for first in stride(from: 0, through: take.samples.count - part, by: part) {
            let place = Double(first) / 48_000
            let (lag, share) = song.lag(of: take.samples[first...], at: take.start + place, atMost: 6)
            lags.append(lag)
            least = min(least, share)
            if share < 0.99 { printLine("  at \(place) s: \(lag) ms behind, \(share) of it is the song") }
        }
        guard let first = lags.min(), let last = lags.max() else { return }
        let steps = zip(lags, lags.dropFirst(4)).map { abs($0 - $1) }
        printLine(
            "  \(take.seconds) s in it, \(first) to \(last) ms behind, at least \(least) of each part is the song")
        Proof.expect("  asked for, and not in it", abs(seconds - take.seconds), atMost: 0.3, " s")
        Proof.expect("  beside its place", max(abs(first), abs(last)), atMost: 5, " ms")
        Proof.expect("  from one second to the next", steps.max() ?? 0, atMost: 0.1, " ms")
        Proof.expect("  of a quarter of a second that is not the song", 1 - least, atMost: 0.01)
    }
}
