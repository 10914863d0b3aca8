import Foundation
import TestKit

/// Time from the key press until a tile of a paused wall fills the window and is sharp.
enum Zooming {
    /// A patch of grass, away from the tile's marks.
    private static let patch = Area(760, 430, 160, 90)

    static func times(_ hall: Hall, _ grid: Grid) throws -> [Double] {
        try ["2", "7.5"].map { try time(hall, grid, at: $0) }
    }

    private static func time(_ hall: Hall, _ grid: Grid, at position: String) throws -> Double {
        let (sharp, blurred) = (Scratch.path("sharp.png"), Scratch.path("blurred.png"))
        defer { unlink(sharp); unlink(blurred) }
        try TestKit.run(
            [Program.path!, "snapshot", grid.files[0], "--at", position, "--size", "1280x720", "-o", sharp])
        try TestKit.run([
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", sharp, "-vf",
            "scale=640:360:flags=area,scale=1280:720:flags=bilinear", blurred,
        ])
        let truth = try Footage(sharp, width: 1280, height: 720)
        let soft = try Footage(blurred, width: 1280, height: 720)
        // Half the distance between the sharp frame and the small frame drawn large.
        let apart = distance(truth, soft) / 2
        let lookout = try Lookout(
            hall.display, [Lookout.Spot(patch, within: apart) { truth.colour($0, $1, 0) }])
        let fingers = try Fingers(hall.display)
        fingers.move(to: 320, 90)
        let command = grid.quadrille(["--paused", "--at", position])
        let program = try Child(command, environment: hall.display.environment)
        defer { program.end() }
        // The tile's marks are gone by then.
        RealTime.pass(3)
        let pressed = fingers.press("z")
        guard let seen = lookout.wait(atMost: 3) else {
            throw Skipped(description: "the zoomed tile did not become sharp (\(apart.text(1)))")
        }
        return seen - pressed
    }

    private static func distance(_ one: Footage, _ other: Footage) -> Double {
        var sum = 0
        for y in patch.y..<patch.y + patch.height {
            for x in patch.x..<patch.x + patch.width {
                sum += one.colour(x, y, 0).distance(to: other.colour(x, y, 0))
            }
        }
        return Double(sum) / Double(patch.width * patch.height)
    }
}

/// Time from the key for another tile until its tone is heard at the sound server's monitor.
enum Switching {
    private static let clips = [2, 5, 8, 11]
    private static let keys = [2, 3, 4, 1, 3, 1, 4, 2]

    static func times(_ hall: Hall) throws -> [Double] {
        let files = try clips.map { clip in
            try Witness(clip).with { ($0.frames, $0.sound) = (60, .aac) }.file()
        }
        let server = try SoundServer()
        let microphone = try Microphone(server)
        let fingers = try Fingers(hall.display)
        fingers.move(to: 320, 90)
        let command = Grid(files).quadrille([]).filter { $0 != "--no-audio" }
        let program = try Child(command, environment: hall.display.environment.merging(server.environment) { $1 })
        defer { program.end() }
        RealTime.pass(2)
        let pressed = keys.enumerated().map { index, key in
            let at = fingers.press("\(key)")
            RealTime.pass(0.6 + Double(index) * 0.013)
            return at
        }
        let heard = microphone.stop()
        return try zip(keys, pressed).map { key, at in
            let course = heard.between(at - 0.05, at + 0.5).course(
                of: Witness.tone(of: clips[key - 1]), window: 0.005)
            guard let first = course.first(where: { $0.amplitude > 0.12 }) else {
                throw Skipped(description: "the tone of tile \(key) was not heard")
            }
            return first.time + 0.0025 - at
        }
    }
}
