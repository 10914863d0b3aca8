import Foundation
import TestKit

/// A wall of the program, seen by a camera for `seconds`.
struct Screen {
    let film: Film
    let trace: Trace
    let mostDecoders: Int

    /// `tiles`: objects of the layout; `watched`: areas that the camera films.
    init(
        _ tiles: [[String: Any]], _ rest: [String: Any] = [:], options: [String] = [], watched: [Tile], size: Area,
        seconds: Double
    ) throws {
        let object = rest.merging(["tiles": tiles]) { $1 }
        let data = try JSONSerialization.data(withJSONObject: object)
        let layout = try Scratch.file("layout.json", String(decoding: data, as: UTF8.self))
        let display = try Display(width: size.width, height: size.height)
        let window = ["--size", "\(size.width)x\(size.height)", "--position", "0,0", "--borderless"]
        let program = try Program(
            window + options + ["--for", "\(seconds + 2)", layout], on: display, counting: .decoders)
        let camera = try Camera(display, watched)
        guard camera.waitUntilReadable(atMost: 8) else {
            throw CommandFailed(command: ["camera"], status: nil, errors: "no frame was seen")
        }
        let status = program.child.wait(atMost: seconds + 30)
        film = camera.stop().show
        (trace, mostDecoders) = (program.trace, program.decoders?.most ?? .max)
        Proof.expect("  status", Double(status ?? -1), atMost: 0)
        let sight = camera.sight
        Proof.expect("  the camera was blind", sight.blindSeconds, atMost: sight.seconds / 20, " s")
    }

    /// Checks the limits of every tile that plays.
    func judge(_ seen: Succession, _ what: String, frame: Double = 1.0 / 30, waiting: Double = 0) {
        printLine("  \(what): \(seen.steps) frames, \(seen.seams.count) passes, \(seen.unseen) unseen")
        Proof.expect("  wrong", Double(seen.backward.count + seen.black + seen.unreadable), atMost: 0)
        Proof.expect("  missing", Double(seen.missing.count), atMost: 0)
        Proof.expect("  longest hold", seen.longestHold * 1000, atMost: (1.6 + waiting) * frame * 1000, " ms")
        // The tile did play.
        Proof.expect(
            "  not seen", seen.seconds - Double(seen.steps) * frame,
            atMost: seen.seconds * 0.15
                + waiting * frame * Double(seen.seams.count + 1), " s")
    }

    func judgeSeams() {
        let late = trace.events("seam").compactMap { $0.number("late-ms") }.sorted()
        printLine("  \(late.count) seams in the trace")
        Proof.expect("  latest seam", late.last ?? .infinity, atMost: 10, " ms")
    }
}
